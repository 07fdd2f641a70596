"""Effects that move cards and points, and those that negate others."""

from typing import Final

from quartermaster.rules.actions import (
    DISCARD,
    DISCARD_RESPONSE,
    LAY,
    PASS,
    PLAY,
    PUT,
    TAKE,
    card_of,
    on_card,
    on_country,
    verb_of,
)
from quartermaster.rules.card import Num, Op
from quartermaster.rules.effects.pieces import OWNER, Part
from quartermaster.rules.effects.warfare import TARGET
from quartermaster.rules.flow import (
    DRAW_ONE,
    can_play,
    discard_off_deck,
    distinct,
    of_types,
    play,
    score,
)
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import (
    BUILD_ARMY,
    BUILD_NAVY,
    DECK,
    ECONOMIC_WARFARE,
    EVENT,
    FACE_DOWN,
    FACE_UP,
    HAND,
    LAND_BATTLE,
    NOBODY,
    RESPONSE,
    SEA_BATTLE,
    SET,
    STATUS,
    TABLE,
    types,
)
from quartermaster.rules.state import State

BASIC_TYPES: Final = types(BUILD_ARMY, BUILD_NAVY, LAND_BATTLE, SEA_BATTLE)
# Those that a play step knows; air forces are deployed in a step of their own, bolsters used.
ANY_TYPE: Final = BASIC_TYPES | types(ECONOMIC_WARFARE, EVENT, STATUS, RESPONSE)


# -- points --------------------------------------------------------------------------------


class Score(Op):
    """Victory points for the own team, at once."""

    def __init__(self, num: Num) -> None:
        self.num = num

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        score(s, f.country, self.num.value(s, f), f.card)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        return self.num.value(s, f) > 0


# -- negating ------------------------------------------------------------------------------


class Negate(Op):
    """The text of the card played or used is not carried out; its cost stays paid. Keep
    Calm besides stops the status until the turn ends."""

    def __init__(self, stops: bool = False) -> None:
        self.stops = stops

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        negated = s.stack[occasion.depth]
        if negated.pc >= s.rules.programs[negated.program].tail:
            return False
        for op in s.rules.cards[occasion.card].effects:
            if op.can_do(s, negated):
                return True
        return False

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        negate(s, occasion.depth)
        s.note("negate", f.country, occasion.card)
        if self.stops:
            s.stop(occasion.card)
        return False


def negate(s: State, depth: int) -> None:
    """The program at a place in the stack goes on where its effect would be over."""
    negated = s.stack[depth]
    negated.pc = s.rules.programs[negated.program].tail
    negated.progress = 0


class Instead(Part):
    """A part in place of the text of the card just played."""

    def __init__(self, part: Part) -> None:
        self.part = part

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        self.part.options(s, f, out)

    def is_asked(self, s: State, f: Frame) -> bool:
        return self.part.is_asked(s, f)

    def take(self, s: State, f: Frame, code: int) -> bool:
        occasion = f.occasion()
        negate(s, occasion.depth)
        return self.part.take(s, f, code)


class DiscardThat(Op):
    """The status card just used is discarded."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        s.discard_from_table(occasion.by, occasion.card)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        return occasion.card in s.zones[TABLE + occasion.by]


class DiscardOf(Part):
    """Discard a status of a country (the chooser's pick), or a response at random."""

    kind = "discard-theirs"

    def __init__(self, whose: int, has_statuses: bool, has_responses: bool) -> None:
        self.whose = whose
        self.has_statuses = has_statuses
        self.has_responses = has_responses

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        if self.has_statuses:
            out.extend(distinct(s.zones[TABLE + self.whose], DISCARD))
        if self.has_responses and s.zones[SET + self.whose]:
            out.append(on_country(DISCARD_RESPONSE, self.whose))

    def take(self, s: State, f: Frame, code: int) -> bool:
        if verb_of(code) == DISCARD:
            s.discard_from_table(self.whose, card_of(code))
        else:
            s.discard_from_table(self.whose, s.pick(s.zones[SET + self.whose]))
        return True


# -- moving cards --------------------------------------------------------------------------

ON_TOP: Final = 0
UNDER: Final = 1
SHUFFLED_IN: Final = 2


class MovePlayed(Op):
    """The card just played goes into its owner's deck rather than on the discard pile."""

    def __init__(self, place: int) -> None:
        self.place = place

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        if self.can_do(s, f):
            put_in_deck(s, occasion.by, occasion.card, self.place)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        return occasion.card in s.zones[FACE_UP + occasion.by]


def put_in_deck(s: State, country: int, card: int, place: int) -> None:
    """A card off the discard pile's top goes into the deck."""
    s.take_from(FACE_UP + country, card)
    zone = DECK + country
    if place == UNDER:
        s.zones[zone] = (card, *s.zones[zone])
        s.note("under-deck", country, card)
    else:
        s.zones[zone] += (card,)
        s.note("on-deck" if place == ON_TOP else "into-deck", country, card)
        if place == SHUFFLED_IN:
            s.shuffle_deck(country)


_PAID: Final = 1  # the cost of the part


class MayReturn(Part):
    """The owner may discard off its deck to put the card itself on top of the deck."""

    kind = "return"

    def __init__(self, cost: int) -> None:
        self.cost = cost

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        if f.card in s.zones[FACE_UP + f.country]:
            out.append(on_card(PUT, f.card))

    def run(self, s: State, f: Frame) -> bool:
        if f.progress == _PAID:
            put_in_deck(s, f.country, f.card, ON_TOP)
            f.next()
            return False
        return super().run(s, f)

    def take(self, s: State, f: Frame, code: int) -> bool:
        f.progress = _PAID
        discard_off_deck(s, f.country, self.cost)
        return False


def has_cards(s: State, zone: int, country: int) -> bool:
    """Whether there are cards in a zone; the discard pile is its cards face up and face down."""
    if s.zones[zone + country]:
        return True
    return zone == FACE_UP and len(s.zones[FACE_DOWN + country]) > 0


class PlayFrom(Part):
    """Play a card of some types out of the own hand, discard pile or deck. The country
    named may draw a card afterwards."""

    kind = "play-more"

    def __init__(
        self, zone: int, types: int = ANY_TYPE, who: int = OWNER, has_draw: bool = False
    ) -> None:
        self.zone = zone  # HAND, DECK, or FACE_UP for the whole discard pile
        self.types = types
        self.who = who
        self.has_draw = has_draw

    def decider(self, s: State, f: Frame) -> int:
        return f.country if self.who == OWNER else f.target if self.who == TARGET else self.who

    def is_users(self) -> bool:
        return self.who == OWNER

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        country = self.decider(s, f)
        if country < 0:
            return
        cards = s.zones[self.zone + country]
        if self.zone == FACE_UP:
            cards += s.zones[FACE_DOWN + country]
        for code in of_types(s, cards, self.types, PLAY):
            card = card_of(code)
            if card != f.card and can_play(s, s.rules.cards[card]):
                out.append(code)

    def is_asked(self, s: State, f: Frame) -> bool:
        country = self.decider(s, f)
        return country >= 0 and has_cards(s, self.zone, country)

    def run(self, s: State, f: Frame) -> bool:
        is_waiting = super().run(s, f)
        if not is_waiting and self.zone == DECK:
            s.shuffle_deck(self.decider(s, f))
        return is_waiting

    def choose(self, s: State, f: Frame, code: int) -> None:
        if code == PASS and self.zone == DECK:
            s.shuffle_deck(self.decider(s, f))
        super().choose(s, f, code)

    def take(self, s: State, f: Frame, code: int) -> bool:
        country = self.decider(s, f)
        card = card_of(code)
        if self.zone == FACE_UP:
            s.take_from_pile(country, card)
        elif self.zone == HAND:
            s.take_from_hand(country, card)
        else:
            s.take_from(self.zone + country, card)
            # At once, so that nobody plays on with a deck they have looked through.
            s.shuffle_deck(country)
        if self.has_draw:
            s.push(DRAW_ONE, country)
        play(s, country, card, is_play_step=False)
        return True

    def can_do(self, s: State, f: Frame) -> bool:
        country = self.decider(s, f)
        cards = s.zones[self.zone + country]
        if self.zone == FACE_UP:
            cards += s.zones[FACE_DOWN + country]
            cost = s.rules.cards[f.card].cost
            if f.pc < len(cost) and not s.rules.is_version_1:
                # A card that the cost puts on the discard pile may be the one played.
                for op in cost[f.pc :]:
                    for zone in op.discards_from(s, f):
                        cards += s.zones[zone + country]
            else:
                # Asked by others, who cannot know what lies face down.
                cards += s.zones[HAND + country] + s.zones[DECK + country]
        for card in cards:
            if self.types >> s.rules.types[card] & 1:
                if s.rules.is_version_1:  # it was offered while a fitting card was anywhere
                    return True
                if card != f.card and can_play(s, s.rules.cards[card]):
                    return True
        return False


class Search(Part):
    """Take a card of some types out of the own deck into hand, shown; shuffle the deck."""

    kind = "search"

    def __init__(self, types: int) -> None:
        self.types = types

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        out.extend(of_types(s, s.zones[DECK + f.country], self.types, TAKE))

    def is_asked(self, s: State, f: Frame) -> bool:
        return has_cards(s, DECK, f.country)

    def run(self, s: State, f: Frame) -> bool:
        is_waiting = super().run(s, f)
        if not is_waiting:
            s.shuffle_deck(f.country)
        return is_waiting

    def choose(self, s: State, f: Frame, code: int) -> None:
        super().choose(s, f, code)
        s.shuffle_deck(f.country)

    def take(self, s: State, f: Frame, code: int) -> bool:
        card = card_of(code)
        s.take_from(DECK + f.country, card)
        s.add_to_hand(f.country, card)
        s.note("take", f.country, card)
        return True

    def can_do(self, s: State, f: Frame) -> bool:
        return len(s.zones[DECK + f.country]) > 0

    def is_in_vain(self, s: State, f: Frame) -> bool:
        out: list[int] = []
        self.options(s, f, out)
        return not out


class TakeFromPile(Part):
    """Take a card of a type from the own discard pile into hand."""

    kind = "search"

    def __init__(self, type: int) -> None:
        self.types = types(type)

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        pile = s.zones[FACE_UP + f.country] + s.zones[FACE_DOWN + f.country]
        out.extend(of_types(s, pile, self.types, TAKE))

    def is_asked(self, s: State, f: Frame) -> bool:
        return has_cards(s, FACE_UP, f.country)

    def take(self, s: State, f: Frame, code: int) -> bool:
        s.take_from_pile(f.country, card_of(code))
        s.add_to_hand(f.country, card_of(code))
        s.note("take", f.country, card_of(code))
        return True


class LayFaceDown(Part):
    """Put a card of a type face down on the table, from the discard pile or from hand."""

    kind = "lay"

    def __init__(self, zone: int, type: int, who: int = OWNER) -> None:
        self.zone = zone  # FACE_UP for the discard pile, or HAND
        self.types = types(type)
        self.who = who

    def decider(self, s: State, f: Frame) -> int:
        return f.country if self.who == OWNER else self.who

    def is_users(self) -> bool:
        return self.who == OWNER

    def digs_for(self, owner: int) -> int:
        if self.zone != FACE_UP:
            return NOBODY
        return owner if self.who == OWNER else self.who

    def can_do(self, s: State, f: Frame) -> bool:
        if self.is_users():
            return super().can_do(s, f)
        # What lies face down in a teammate's pile is not the user's to know.
        return len(s.zones[FACE_UP + self.who]) + len(s.zones[FACE_DOWN + self.who]) > 0

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        country = self.decider(s, f)
        cards = s.zones[self.zone + country]
        if self.zone == FACE_UP:
            cards += s.zones[FACE_DOWN + country]
        for code in of_types(s, cards, self.types, LAY):
            if card_of(code) != f.card:
                out.append(code)

    def is_asked(self, s: State, f: Frame) -> bool:
        return has_cards(s, self.zone, self.decider(s, f))

    def take(self, s: State, f: Frame, code: int) -> bool:
        country = self.decider(s, f)
        card = card_of(code)
        if self.zone == FACE_UP:
            s.take_from_pile(country, card)
        else:
            s.take_from_hand(country, card)
        s.set_on_table(country, card)
        s.note("set", country, card)
        return True


class HandUnderDeck(Part):
    """Put a card from hand under the own deck."""

    kind = "put"

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        out.extend(distinct(s.zones[HAND + f.country], PUT))

    def is_asked(self, s: State, f: Frame) -> bool:
        return has_cards(s, HAND, f.country)

    def take(self, s: State, f: Frame, code: int) -> bool:
        card = card_of(code)
        s.take_from_hand(f.country, card)
        s.zones[DECK + f.country] = (card, *s.zones[DECK + f.country])
        s.note("put-under", f.country, card)
        return True


class OrderTop(Op):
    """Look at the top cards of the own deck and put them back in any order, the first
    named on top. The frame's memory holds the cards that have a place."""

    kind = "order"

    def __init__(self, n: int) -> None:
        self.n = n

    def _left(self, s: State, f: Frame) -> list[int]:
        """The cards looked at that have no place yet."""
        left = list(s.zones[DECK + f.country][-self.n :])
        for card in f.memory:
            left.remove(card)
        return left

    def run(self, s: State, f: Frame) -> bool:
        left = self._left(s, f)
        if left:
            s.options = distinct(tuple(sorted(left)), PUT)
            return True
        deck = s.zones[DECK + f.country]
        top = list(f.memory)
        top.reverse()
        s.zones[DECK + f.country] = deck[: len(deck) - len(top)] + tuple(top)
        s.note("order", f.country, n=len(top))
        f.memory = ()
        f.next()
        return False

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.memory += (card_of(code),)

    def is_asked(self, s: State, f: Frame) -> bool:
        looked_at = min(self.n, len(s.zones[DECK + f.country]))
        return looked_at - len(f.memory) > 1  # the last has only one place to go

    def can_do(self, s: State, f: Frame) -> bool:
        return len(s.zones[DECK + f.country]) > 1

    def looks_at(self, s: State, f: Frame) -> int:
        return min(self.n, len(s.zones[DECK + f.country]))
