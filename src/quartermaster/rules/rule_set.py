"""A rule set as the engine asks it: values, the board, the cards, and which of them listen."""

from typing import Final

from mypy_extensions import i64

from quartermaster.rules.board import BOARDS, Board
from quartermaster.rules.card import Card, Program
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import BOLSTER, OCCASIONS, RULE
from quartermaster.rules.numbering import Numbering

NO_CARDS: Final[tuple[int, ...]] = (0, 0, 0, 0, 0, 0)  # for each country
ANY_TURN: Final = 6  # in place of the country on turn


class Listeners:
    """The cards of a country that listen: a mask of their places."""

    def __init__(self, country: i64, mask: int) -> None:
        self.country = country
        self.bit: i64 = bit_of(country)  # of the country, in masks of countries
        self.mask = mask


class Rules:
    """A rule set: the values of rules table 1, the board and the cards.

    The engine asks these values; it never asks which edition it plays.
    """

    def __init__(
        self,
        name: str,
        cards: list[Card],
        programs: list[Program],
        options: dict[str, bool],
        sets: tuple[str, ...],
        board: str,
        piece_limits: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]],
        setup_draw: int,
        has_air_forces: bool,
        has_sudden_victory: bool,
        lead_to_win: int,
        is_status_delayed: bool,
        is_removal_free: bool,
        is_hand_behind_deck: bool,
        is_empty_hand_costly: bool,
        is_score_difference: bool,
        is_version_1: bool = False,
    ) -> None:
        self.name = name
        self.cards = cards
        self.programs = programs
        self.options = options
        self.sets = sets  # names of the card sets that people have added
        self.board: Board = BOARDS[board]
        self.piece_limits = piece_limits
        self.setup_draw = setup_draw
        self.has_air_forces = has_air_forces
        self.has_sudden_victory = has_sudden_victory
        self.lead_to_win = lead_to_win  # at the end of a round; 0 for never
        self.is_status_delayed = is_status_delayed
        self.is_removal_free = is_removal_free
        self.is_hand_behind_deck = is_hand_behind_deck
        self.is_empty_hand_costly = is_empty_hand_costly
        self.is_score_difference = is_score_difference
        # For games that began when a choice of one was never asked for: they go on in that way.
        self.is_version_1 = is_version_1
        self.numbering: Numbering = Numbering(len(cards), has_air_forces)
        # Which cards listen: by kind of occasion and country on turn (`ANY_TURN` for all that may
        # ever react) the countries that have such cards, each with a mask of their places; and
        # the same masks one by one, by kind, country on turn and country.
        self.listeners: list[list[Listeners]] = []
        self.listener_masks: list[int] = []
        self.placed: list[list[int]] = [[], [], [], [], [], []]  # country -> its cards by place
        self.diggers: list[int] = [0] * 6  # country -> cards that let it lay from its pile
        # Every card's place in the order of the ids, and the card at each place: an order that
        # anyone can work out who knows the ids.
        self.ranked = [index for _, index in sorted([(card.id, card.index) for card in cards])]
        self.ranks = [0] * len(cards)
        for rank, index in enumerate(self.ranked):
            self.ranks[index] = rank
        self.has_bolsters = False  # which react from hand
        self.always_armed: tuple[int, ...] = NO_CARDS  # what the rules let everyone do
        self.types: list[int] = []
        self.decks: list[list[int]] = [[], [], [], [], [], []]  # country -> its cards, each copy
        for card in cards:
            self.types.append(card.type)
            if card.type != RULE:
                self.decks[card.country] += [card.index] * card.copies
            bit = 1 << card.index
            card.place = len(self.placed[card.country])
            card.bit = 1 << card.place
            self.placed[card.country].append(card.index)
            for op in card.effects:
                if op.digs_for(card.country) >= 0:
                    self.diggers[op.digs_for(card.country)] |= bit
            if card.type == BOLSTER:
                self.has_bolsters = True
        rules = [0] * 6
        for card in cards:
            if card.type == RULE:
                rules[card.country] |= card.bit
        self.always_armed = tuple(rules)
        for kind in range(len(OCCASIONS)):
            for turn in range(ANY_TURN + 1):
                masks = [0] * 6
                for card in cards:
                    trigger = card.trigger
                    if trigger is not None and kind in trigger.listens_to():
                        if turn in (ANY_TURN, card.country) or not trigger.is_own_turn_only():
                            masks[card.country] |= card.bit
                self.listener_masks += masks
                self.listeners.append([Listeners(c, masks[c]) for c in range(6) if masks[c]])

    def __repr__(self) -> str:
        """How to get it again, for it is made once and shared."""
        more = f", sets={self.sets}" if self.sets else ""
        more += ", is_version_1=True" if self.is_version_1 else ""
        return f"load_rules({self.name!r}, {self.options}{more})"
