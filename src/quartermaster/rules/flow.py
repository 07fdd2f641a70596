"""How things happen: cards are played and used, pieces come and go, reactions are asked.

The functions start something; what cannot be finished at once goes on the stack as a frame
of one of the system programs, whose ops stand at the end of this file.
"""

from typing import Final

from mypy_extensions import i64

from quartermaster.rules.actions import (
    CODES_ON_CARDS,
    DISCARD,
    MOVE,
    PASS,
    card_of,
    on_space,
    space_of,
)
from quartermaster.rules.board import spaces_in
from quartermaster.rules.card import Card, Op
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import (
    ABOUT_TO_BE_REMOVED,
    BATTLED,
    BOLSTER,
    BUILT,
    BY_BATTLE,
    BY_ELIMINATION,
    BY_OWNER,
    DEPLOY_AIR_FORCE,
    DEPLOYED,
    HAND,
    NOBODY,
    PLAYED,
    RECRUITED,
    REMOVED,
    RESPONSE,
    SET,
    STATUS,
    USED,
    USED_DONE,
    other_team,
)
from quartermaster.rules.rule_set import ANY_TURN
from quartermaster.rules.state import State
from quartermaster.rules.supply import is_supplied, supplied_mask
from quartermaster.rules.victory import check_sudden_victory

# The system programs, the first in every rule set's list.
TURN: Final = 0
SETUP: Final = 1
WINDOW: Final = 2
BATTLE: Final = 3
REMOVAL: Final = 4
PAYMENT: Final = 5
DRAW_ONE: Final = 6

# Of the memory of a played card: whether it is the card of a play step, then by country
# how many more or fewer cards it makes that country discard.
_AS_PLAY_STEP: Final[tuple[int, ...]] = (1, 0, 0, 0, 0, 0, 0)
_BY_A_CARD: Final[tuple[int, ...]] = (0, 0, 0, 0, 0, 0, 0)


# -- cards ---------------------------------------------------------------------------------


def play(s: State, country: i64, card_index: i64, is_play_step: bool) -> None:
    """Play a card that has just left its zone."""
    card = s.rules.cards[card_index]
    if card.type == STATUS:
        s.put_on_table(country, card_index)
        s.note("play", country, card_index)
    elif card.type == RESPONSE:
        s.set_on_table(country, card_index)
        s.note("set", country, card_index)
    else:
        # It lies on the discard pile before its text is carried out (rules 10).
        s.put_face_up(country, card_index)
        s.note("play", country, card_index)
        f = s.push(card.program, country, card_index, None, -1)
        f.memory = _AS_PLAY_STEP if is_play_step else _BY_A_CARD


def can_play(s: State, card: Card) -> bool:
    if card.type == DEPLOY_AIR_FORCE or card.type == BOLSTER:
        return False  # no cards of a play step
    needs = card.needs
    return needs is None or needs.value(s, Frame(-1, 0, card.country, card.index, None)) > 0


def can_use(s: State, card: Card, occasion: Occasion | None) -> bool:
    """Whether a card may be used now: limit, trigger, cost, and something for it to do."""
    if card.is_once and card.index in s.used:
        return False
    trigger = card.trigger
    if occasion is not None and (trigger is None or not trigger.matches(s, card.country, occasion)):
        return False
    f = Frame(card.program, 0, card.country, card.index, occasion)
    for op in card.cost:
        if not op.can_do(s, f):
            return False
    for op in card.effects:
        if op.can_do(s, f):
            return True
    return False


def use(s: State, card: Card, occasion: Occasion | None) -> None:
    """Use a status, response, bolster or rule: its cost, then its effect."""
    index = card.index
    country = card.country
    if card.is_once:
        s.used += (index,)
    if card.type == RESPONSE or card.type == BOLSTER:
        if index in s.zones[SET + country]:
            s.take_from(SET + country, index)
        else:
            s.take_from(HAND + country, index)
        s.disarm(index)
        s.put_face_up(country, index)
    s.note("use", country, index)
    s.push(card.program, country, index, occasion, -1)


def discard_off_deck(s: State, country: i64, n: i64) -> None:
    """The fallbacks of rules 5: what the deck lacks comes from hand, or costs points."""
    missing = s.discard_off_deck(country, n)
    if missing > 0:
        if s.rules.is_hand_behind_deck and s.zones[HAND + country]:
            s.push(PAYMENT, country, -1, None, missing)
        else:
            score(s, country, -missing)


def discard_from_hand(s: State, country: i64, n: i64) -> None:
    if n > 0:
        s.push(PAYMENT, country, -1, None, n)


def score(s: State, country: i64, points: i64, card: i64 = -1) -> None:
    s.add_score(country, points, card)
    if s.rules.has_sudden_victory:
        check_sudden_victory(s)


# -- pieces --------------------------------------------------------------------------------


def let_react(
    s: State,
    kind: i64,
    by: i64,
    space: i64 = -1,
    whose: i64 = NOBODY,
    card: i64 = -1,
    cause: i64 = -1,
    is_supplied: i64 = 0,
    depth: i64 = -1,
) -> None:
    """Something happens that cards may answer: a window opens if any card in play listens."""
    if s.has_listeners(kind, s.country):
        occasion = Occasion(
            kind, by, space, whose, card, cause, is_supplied,
            len(s.stack) - 1 if depth < 0 else depth,
        )  # fmt: skip
        # The team that did not cause it goes first; the game's own doing counts as the
        # doing of the country on turn.
        causing = by if by >= 0 else s.country
        s.push(WINDOW, NOBODY, -1, occasion, other_team(causing))


def build(s: State, country: i64, space: i64) -> None:
    """Place a piece, or name the one that is there as the piece just built."""
    if s.pieces[country] >> space & 1:
        s.note("name", country, space=space)
    else:
        s.place(country, space)
        s.note("build", country, space=space)
        if s.rules.has_sudden_victory:
            check_sudden_victory(s)
    let_react(s, BUILT, country, space, country)


def recruit(s: State, country: i64, space: i64) -> None:
    s.place(country, space)
    s.note("recruit", country, space=space)
    if s.rules.has_sudden_victory:
        check_sudden_victory(s)
    let_react(s, RECRUITED, country, space, country)


def battle(s: State, country: i64, space: i64, whose: i64) -> None:
    """Battle a space: one enemy piece in it, or nobody's."""
    s.note("battle", country, space=space, whose=whose)
    occasion = Occasion(BATTLED, country, space, whose, -1, BY_BATTLE)
    s.push(BATTLE, country, -1, occasion)


def remove_in_battle(s: State, country: i64, space: i64, whose: i64) -> None:
    """A battle's removal alone: *battled* is told by whoever calls this."""
    s.note("battle", country, space=space, whose=whose)
    occasion = Occasion(REMOVED, country, space, whose, -1, BY_BATTLE)
    s.push(REMOVAL, country, -1, occasion)


def eliminate(s: State, country: i64, space: i64, whose: i64) -> None:
    s.note("eliminate", country, space=space, whose=whose)
    occasion = Occasion(REMOVED, country, space, whose, -1, BY_ELIMINATION)
    s.push(REMOVAL, country, -1, occasion)


def take_off(s: State, country: i64, space: i64) -> None:
    """The owner takes its own army or navy off the board: only *removed* opens."""
    f = s.push(REMOVAL, country, -1, Occasion(REMOVED, country, space, country, -1, BY_OWNER))
    f.was_supplied = int(is_supplied(s, country, space))
    f.pc = _TAKE_OFF


def deploy(s: State, country: int, space: int) -> None:
    s.set_air(country, s.air[country] | bit_of(space))
    s.note("deploy", country, space=space)
    let_react(s, DEPLOYED, country, space, country)


def move_air(s: State, country: int, space: int, to: int, what: str) -> None:
    s.set_air(country, s.air[country] & ~bit_of(space) | bit_of(to))
    s.note(what, country, space=to, n=space)


def remove_air(s: State, country: int, space: int) -> None:
    s.set_air(country, s.air[country] & ~bit_of(space))
    s.note("remove-air", country, space=space, whose=country)


# -- ops of the system programs ------------------------------------------------------------


class Played(Op):
    """A card has been played; its text is not yet carried out."""

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        let_react(s, PLAYED, f.country, -1, f.target, f.card, f.memory[0])
        return False


class Used(Op):
    """The cost is paid, the effect not yet carried out."""

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        let_react(s, USED, f.country, -1, NOBODY, f.card)
        return False


class UsedDone(Op):
    def run(self, s: State, f: Frame) -> bool:
        f.next()
        let_react(s, USED_DONE, f.country, -1, NOBODY, f.card)
        return False


_TAKE_OFF: Final = 1
_REPOSITION: Final = 2
_REMOVED: Final = 3
_AFTER: Final = 4


class _Removal(Op):
    """A step in removing a piece. If the piece leaves the board in another way meanwhile, the
    removal is over."""

    def piece_lost(self, f: Frame, country: int, space: int) -> None:
        occasion = f.occasion()
        if occasion.whose == country and occasion.space == space:
            f.is_saved = True  # nothing is left to be saved
            f.pc = _AFTER


class About(_Removal):
    """A piece is about to be removed."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        whose = occasion.whose
        if whose < 0 or s.protected[whose] >> occasion.space & 1:
            if whose >= 0:
                s.note("saved", whose, space=occasion.space)
            f.pc = _AFTER
            return False
        if s.has_listeners(ABOUT_TO_BE_REMOVED, ANY_TURN) or s.has_listeners(REMOVED, ANY_TURN):
            f.was_supplied = int(is_supplied(s, whose, occasion.space))
        f.pc = _TAKE_OFF
        let_react(
            s,
            ABOUT_TO_BE_REMOVED,
            occasion.by,
            occasion.space,
            whose,
            -1,
            occasion.cause,
            f.was_supplied,
        )
        return False


class TakeOff(_Removal):
    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        whose = occasion.whose
        bit = bit_of(occasion.space)
        if occasion.cause != BY_OWNER and (f.is_saved or s.protected[whose] & bit):
            s.note("saved", whose, space=occasion.space)
            f.pc = _AFTER
        else:
            s.take_off(whose, occasion.space)
            s.note("remove", whose, space=occasion.space, n=occasion.cause)
            f.pc = _REPOSITION if s.air[whose] & bit else _REMOVED
        return False


class Reposition(Op):
    """An air force without an own army or navy moves next door, or is lost."""

    kind = "reposition"

    def decider(self, s: State, f: Frame) -> int:
        occasion = f.occasion()
        return occasion.whose

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        if s.air[occasion.whose] >> occasion.space & 1 == 0:  # taken off meanwhile
            f.pc = _REMOVED
            return False
        options = [PASS]
        for space in spaces_in(reposition_mask(s, occasion.whose, occasion.space)):
            options.append(on_space(MOVE, occasion.whose, space))
        s.options = options
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        occasion = f.occasion()
        f.pc = _REMOVED
        if code == PASS:
            remove_air(s, occasion.whose, occasion.space)
        else:
            move_air(s, occasion.whose, occasion.space, space_of(code), "reposition")


def reposition_mask(s: State, country: int, space: int) -> int:
    """Where an air force may reposition to: adjacent, with an own supplied army or navy and
    no own air force."""
    return s.adjacency(country)[space] & supplied_mask(s, country) & ~s.air[country]


class Removed(Op):
    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        was_supplied = f.was_supplied
        f.next()
        let_react(
            s,
            REMOVED,
            occasion.by,
            occasion.space,
            occasion.whose,
            -1,
            occasion.cause,
            was_supplied,
        )
        return False


class Battled(Op):
    """The battle has happened, whether or not anything was removed."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        let_react(s, BATTLED, occasion.by, occasion.space, occasion.whose)
        return False


class Payment(Op):
    """A country discards the cards it owes from hand; an empty hand is made good off the deck, an
    empty deck by points (rules 5)."""

    kind = "discard"

    def run(self, s: State, f: Frame) -> bool:
        country = f.country
        hand = s.zones[HAND + country]
        if len(hand) > f.owed:
            if f.owed > 0:
                s.options = distinct(hand, DISCARD)
                return True
        else:
            for card in hand:
                s.discard_from_hand(country, card)
            missing = s.discard_off_deck(country, f.owed - len(hand))
            if missing > 0:
                score(s, country, -missing)
        f.next()
        return False

    def choose(self, s: State, f: Frame, code: int) -> None:
        s.discard_from_hand(f.country, card_of(code))
        f.owed -= 1

    def is_asked(self, s: State, f: Frame) -> bool:
        return True  # the cards in hand may all be alike


class DrawOne(Op):
    def run(self, s: State, f: Frame) -> bool:
        s.draw(f.country, 1)
        f.next()
        return False


def distinct(cards: tuple[int, ...], verb: i64) -> list[int]:
    """One action for each different card of a sorted zone."""
    codes = CODES_ON_CARDS[verb]
    options: list[int] = []
    previous = -1
    for card in cards:
        if card != previous:
            options.append(codes[card])
            previous = card
    return options


def of_types(s: State, cards: tuple[int, ...], types: i64, verb: i64) -> list[int]:
    """One action for each different card of some types."""
    found = [card for card in cards if types >> s.rules.types[card] & 1]
    return distinct(tuple(sorted(found)), verb)
