"""Every card of the game, and the rule sets made of them."""
