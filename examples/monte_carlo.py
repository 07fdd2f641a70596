"""An honest Monte Carlo bot: it deals the cards it cannot see by chance, and plays on at random.

quartermaster arena --bots examples/monte_carlo.py:MonteCarlo,random --games 20
"""

import random

from quartermaster.rules.engine import apply, playout


class MonteCarlo:
    settings = {"deals": int}  # noqa: RUF012, what may follow its name: MonteCarlo:deals=16

    def __init__(self, seed, deals=8):
        self.random = random.Random(seed)
        self.deals = deals

    def decide(self, look, actions):
        team = {"germany": 0, "japan": 0, "italy": 0}.get(actions[0].country, 1)
        wins = [0] * len(actions)
        for _ in range(self.deals):
            deal = look.deal(self.random.getrandbits(40))
            for i, action in enumerate(actions):
                state = deal.copy()
                apply(state, action.code)
                playout(state, self.random.getrandbits(30))
                wins[i] += state.winner == team
        return actions[max(range(len(actions)), key=wins.__getitem__)]
