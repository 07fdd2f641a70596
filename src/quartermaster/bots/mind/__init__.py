"""What the bots know and how they think; compiled together with the rules core."""
