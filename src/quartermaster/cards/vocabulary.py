"""The words cards are declared in.

    status(
        "Blitzkrieg",
        "When you battle a land space, once per turn: ...",
        Build(ARMY, THERE),
        when=Battles(ARMY), once=True, cost=[DeckCost(1)],
    )

Every public name of the modules below is a word: a new class there can be used in the next
card. `revise` makes one edition's deck out of another's, `alter` a card out of the card
before, `card_set` a set of cards that can be added to a game.
"""

from quartermaster.cards.card_sets import card_set as card_set
from quartermaster.cards.declaration import *
from quartermaster.rules.board import LAND_MASK as LAND_MASK
from quartermaster.rules.board import SEA_MASK as SEA_MASK
from quartermaster.rules.board import mask_of as mask_of
from quartermaster.rules.card import *
from quartermaster.rules.effects.air import *
from quartermaster.rules.effects.cards import *
from quartermaster.rules.effects.costs import *
from quartermaster.rules.effects.pieces import *
from quartermaster.rules.effects.warfare import *
from quartermaster.rules.frames import *
from quartermaster.rules.names import *
from quartermaster.rules.state import *
from quartermaster.rules.when import *
from quartermaster.rules.where import *
