"""The state of a game as plain data.

`State` holds ints, tuples and lists of ints: it can be copied, compared, hashed and saved
at every decision. What a game is waiting for is its *resolution stack*: frames that say
which program is being carried out, how far it has come, and for whom. The programs are
lists of `Op` objects that belong to the rule set, not to the state.
"""

from typing import Any, Final, SupportsIndex

from mypy_extensions import i64, mypyc_attr

from quartermaster.rules.board import LAND_MASK, SEA_MASK, count_in
from quartermaster.rules.card import Card
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.given import whole_number
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import (
    ARMY,
    AXIS,
    BOLSTER,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    NAVY,
    NOBODY,
    SET,
    TABLE,
    team_of,
)
from quartermaster.rules.rule_set import ANY_TURN, NO_CARDS, Rules
from quartermaster.rules.shuffling import shuffle_by_seed

STALE: Final = [-1] * 18  # what is known of supply when the board has changed; never written to
NO_SPACES: Final[tuple[int, ...]] = (0, 0, 0, 0, 0, 0)  # for each country
_RNG_ONE: Final = 2147483563
_RNG_TWO: Final = 2147483399
_RNG_LOW: Final = (1 << 31) - 1


_LOW_16: Final = (1 << 16) - 1
_LOW_32: Final = (1 << 32) - 1
_LOW_64: Final = (1 << 64) - 1


def seeded(seed: int) -> int:
    """The fast generator's first state, spread out so that near seeds differ widely. Of the seed
    the lowest 64 bits count."""
    mixed = seed & _LOW_64
    for _ in range(2):
        mixed = _spread(mixed ^ mixed >> 31) + 0x632BE59BD9B4E019 & _LOW_64
    mixed ^= mixed >> 29
    high: i64 = mixed >> 32
    low: i64 = mixed & _LOW_32
    one: i64 = (high % (_RNG_ONE - 1) << 32 | low) % (_RNG_ONE - 1)
    two: i64 = high % (_RNG_TWO - 1)
    return 1 + one << 31 | 1 + two


def _spread(mixed: int) -> int:
    """The lowest 64 bits of a number below 2 ** 64 times 0x9E3779B97F4A7C15.

    It is multiplied in parts, none of which needs more than 63 bits. For Python looks for signals
    while it multiplies larger numbers, as Ctrl-C is one; what their handlers raise there, compiled
    code takes for a lack of memory, and aborts the process.
    """
    high: i64 = mixed >> 32
    low: i64 = mixed & _LOW_32
    lowest: i64 = low * 0x7C15
    middle: i64 = low * 0x7F4A + (lowest >> 16)
    upper: i64 = (middle >> 16) + low * 0x79B9 + ((low * 0x9E37 & _LOW_16) << 16)
    upper += high * 0x7C15 + ((high * 0x7F4A & _LOW_16) << 16)
    lower: i64 = (middle & _LOW_16) << 16 | (lowest & _LOW_16)
    return int(upper & _LOW_32) << 32 | int(lower)


# What the log keeps of one thing that happened: what, country, card, space, whose, n, words.
RawEntry = tuple[str, int, int, int, int, int, str]


@mypyc_attr(acyclic=True, free_list_len=1)
class State:
    """A game at one moment. Copy it with `copy`; change it only through the engine.

    `options` are the codes of what may be done: copies share that list, so it is never changed. It
    is empty, and `winner` a team, once the game is over; until then `winner` is -1.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state
    >>> state, state.winner, len(state.options)
    (<State of second: round 1, germany's turn, 0-0>, -1, 10)
    """

    def __init__(
        self,
        rules: Rules,
        pieces: tuple[int, ...],
        zones: list[tuple[int, ...]],
        stack: list[Frame],
        air: tuple[int, ...] = NO_SPACES,
        axis_score: int = 0,
        allies_score: int = 0,
        round: int = 1,
        country: i64 = 0,
        step: i64 = 0,
        winner: int = -1,
        rng: i64 = 0,
        armed: tuple[int, ...] = NO_CARDS,
        holding: tuple[int, ...] = (),
        used: tuple[int, ...] = (),
        fresh: tuple[int, ...] = (),
        stopped: tuple[int, ...] = (),
        protected: tuple[int, ...] = NO_SPACES,
        sustained: tuple[int, ...] = NO_SPACES,
        at_start: tuple[int, ...] = NO_SPACES,
        lifting: i64 = NOBODY,
        options: list[int] | None = None,
        memo: list[int] | None = None,
        seed: bytes = b"",
    ) -> None:
        self.rules = rules
        # Per country the spaces with an army (land) or a navy (sea), and with an air force.
        self.pieces = pieces
        self.air = air
        self.zones = zones
        self.stack = stack
        self.axis_score = axis_score
        self.allies_score = allies_score
        self.round = round
        self.country = country  # on turn
        self.step = step
        self.winner = winner
        # What the game's chance comes from: with a seed of 32 bytes `rng` counts the shuffles
        # made, without one it is the state of a fast generator that can be foreseen.
        self.seed = seed
        self.rng = rng
        # The cards that may react, or that hold: per country a mask of their places, which are
        # few enough for fast arithmetic. Of these, the ones that change supply or building.
        self.armed = armed
        self.holding = holding
        self.used = used  # this turn, of the cards limited to once a turn
        self.fresh = fresh  # statuses put down this turn
        self.stopped = stopped  # cards out of action until the turn ends
        self.protected = protected  # per country: pieces not removed this turn
        self.sustained = sustained  # per country: spaces in supply for the rest of the turn
        self.at_start = at_start  # the pieces when this turn began
        self.lifting = lifting  # the country that has just taken pieces off of itself
        # What may be done now, as codes. Shared between copies, so never changed, only replaced.
        self.options: list[int] = [] if options is None else options
        # Per country: supplied pieces, spaces next to those, spaces next to the chain.
        # Shared between copies; replaced, never cleared, when the board changes.
        self.memo: list[int] = STALE if memo is None else memo
        self.log: list[RawEntry] | None = None  # what has happened, if someone wants to know
        # For who checks a deal: what is shuffled and comes off decks, as (what, country, the deck
        # before, the cards).
        self.trace: list[tuple[str, int, tuple[int, ...], tuple[int, ...]]] | None = None

    def __repr__(self) -> str:
        turn = f"round {self.round}, {COUNTRIES[self.country]}'s turn"
        return f"<State of {self.rules.name}: {turn}, {self.axis_score}-{self.allies_score}>"

    def copy(self) -> "State":
        """An independent copy (without the log and the trace).

        The list of `options` is shared, for copies are made all the time: never change it. Every
        decision has a list of its own.

        >>> from quartermaster import Game
        >>> state = Game.new(seed=7).state
        >>> state.copy().key() == state.key()
        True
        """
        if self.memo is STALE:  # what one of them works out is known to the other
            self.memo = STALE.copy()
        return State(
            self.rules, self.pieces, self.zones.copy(), [f.copy() for f in self.stack], self.air,
            self.axis_score, self.allies_score, self.round, self.country, self.step,
            self.winner, self.rng, self.armed, self.holding, self.used, self.fresh, self.stopped,
            self.protected, self.sustained, self.at_start, self.lifting, self.options,
            self.memo, self.seed,
        )  # fmt: skip

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as it is copied, without the log and the trace; what is known of supply is worked
        out again. Compiled classes do not pickle by themselves."""
        return State, (
            self.rules, self.pieces, self.zones, self.stack, self.air,
            self.axis_score, self.allies_score, self.round, self.country, self.step,
            self.winner, self.rng, self.armed, self.holding, self.used, self.fresh, self.stopped,
            self.protected, self.sustained, self.at_start, self.lifting, self.options,
            None, self.seed,
        )  # fmt: skip

    # -- the stack ---------------------------------------------------------------------

    def push(
        self,
        program: i64,
        country: i64,
        card: i64 = -1,
        because: Occasion | None = None,
        word: i64 = 0,
    ) -> Frame:
        frame = Frame(program, 0, country, card, because, word)
        self.stack.append(frame)
        return frame

    # -- pieces ------------------------------------------------------------------------

    def team_mask(self, team: i64) -> int:
        pieces = self.pieces
        return pieces[team] | pieces[team + 2] | pieces[team + 4]

    def adjacency(self, country: i64) -> list[int]:
        """The borders as they stand for a country's team."""
        pieces = self.pieces
        return self.rules.board.adjacency(team_of(country), pieces[0] | pieces[2] | pieces[4])

    def reserve(self, country: i64, piece: i64) -> int:
        """How many pieces of a kind a country has left to place."""
        limit = self.rules.piece_limits[piece][country]
        if piece == ARMY:
            return limit - count_in(self.pieces[country] & LAND_MASK)
        if piece == NAVY:
            return limit - count_in(self.pieces[country] & SEA_MASK)
        return limit - count_in(self.air[country])

    def board_changed(self) -> None:
        self.memo = STALE

    def place(self, country: i64, space: i64) -> None:
        self._set_pieces(country, self.pieces[country] | bit_of(space))

    def take_off(self, country: i64, space: i64) -> None:
        for f in self.stack:
            ops = self.rules.programs[f.program].ops
            if f.pc < len(ops):
                ops[f.pc].piece_lost(f, country, space)
        bit = bit_of(space)
        self._set_pieces(country, self.pieces[country] & ~bit)
        if self.protected[country] & bit:
            self.set_protected(country, self.protected[country] & ~bit)

    def _set_pieces(self, country: i64, mask: i64) -> None:
        pieces = list(self.pieces)
        pieces[country] = mask
        self.pieces = tuple(pieces)
        self.memo = STALE

    def set_air(self, country: int, mask: int) -> None:
        air = list(self.air)
        air[country] = mask
        self.air = tuple(air)

    def set_protected(self, country: int, mask: int) -> None:
        protected = list(self.protected)
        protected[country] = mask
        self.protected = tuple(protected)

    def sustain(self, country: int, mask: int) -> None:
        sustained = list(self.sustained)
        sustained[country] |= mask
        self.sustained = tuple(sustained)
        self.memo = STALE

    # -- score -------------------------------------------------------------------------

    def add_score(self, country: i64, points: i64, card: i64 = -1) -> None:
        if points:
            if team_of(country) == AXIS:
                self.axis_score += points
            else:
                self.allies_score += points
            self.note("score", country, card, n=points)

    # -- cards -------------------------------------------------------------------------

    def arm(self, card: i64) -> None:
        """A card may react from now on, or holds."""
        one = self.rules.cards[card]
        self._set_armed(one, self.armed[one.country] | one.bit)

    def disarm(self, card: i64) -> None:
        """It is no longer in play."""
        one = self.rules.cards[card]
        self._set_armed(one, self.armed[one.country] & ~one.bit)
        if self.stopped:
            self.stopped = tuple([other for other in self.stopped if other != card])

    def stop(self, card: i64) -> None:
        """A card in play is out of action until the turn ends."""
        one = self.rules.cards[card]
        self._set_armed(one, self.armed[one.country] & ~one.bit)
        if card not in self.stopped:
            self.stopped = tuple(sorted([*self.stopped, card]))

    def armed_cards(self) -> list[int]:
        """The cards that may react, or that hold, in order."""
        return [card.index for card in self.rules.cards if self.armed[card.country] & card.bit]

    def is_armed(self, card: i64) -> bool:
        one = self.rules.cards[card]
        return self.armed[one.country] & one.bit != 0

    def _set_armed(self, card: Card, mask: int) -> None:
        armed = list(self.armed)
        armed[card.country] = mask
        self.armed = tuple(armed)
        if card.always is not None:
            holding = [other for other in self.holding if other != card.index]
            if mask & card.bit:
                holding.append(card.index)
                holding.sort()
            self.holding = tuple(holding)
            self.memo = STALE

    def has_listeners(self, kind: i64, turn: i64) -> bool:
        """Whether any card listens to a kind of occasion in a country's turn."""
        armed = self.armed
        for some in self.rules.listeners[kind * (ANY_TURN + 1) + turn]:
            if armed[some.country] & some.mask:
                return True
        return False

    def listening_countries(self, kind: i64) -> i64:
        """The countries with cards that listen to a kind of occasion in this turn, as a mask."""
        countries: i64 = 0
        armed = self.armed
        for some in self.rules.listeners[kind * (ANY_TURN + 1) + self.country]:
            if armed[some.country] & some.mask:
                countries |= some.bit
        return countries

    def listening_cards(self, kind: i64, country: i64) -> int:
        """A country's cards that listen to a kind of occasion in this turn: a mask of places."""
        at = (kind * (ANY_TURN + 1) + self.country) * 6 + country
        return self.armed[country] & self.rules.listener_masks[at]

    def add_to(self, zone: i64, card: i64) -> None:
        """Put a card into an unordered zone."""
        cards = self.zones[zone]
        low, high = 0, len(cards)
        while low < high:  # what is below `low` stays before the card, what is from `high` on after
            middle = low + high >> 1
            if cards[middle] > card:
                high = middle
            else:
                low = middle + 1
        alone: tuple[int, ...] = (card,)
        self.zones[zone] = cards[:low] + alone + cards[low:]

    def add_all_to(self, zone: i64, cards: tuple[int, ...]) -> None:
        """Put several cards into an unordered zone."""
        together = list(self.zones[zone])
        together.extend(cards)
        together.sort()
        self.zones[zone] = tuple(together)

    def take_from(self, zone: i64, card: i64) -> None:
        """Take a card out of a zone; of several, the topmost."""
        cards = self.zones[zone]
        i = len(cards) - 1
        while cards[i] != card:
            i -= 1
        self.zones[zone] = cards[:i] + cards[i + 1 :]

    def add_to_hand(self, country: i64, card: i64) -> None:
        self.add_to(HAND + country, card)
        if self.rules.types[card] == BOLSTER:  # which reacts from hand
            self.arm(card)

    def take_from_hand(self, country: i64, card: i64) -> None:
        self.take_from(HAND + country, card)
        if self.rules.types[card] == BOLSTER:
            self.disarm(card)

    def take_from_pile(self, country: i64, card: i64) -> None:
        """Out of the discard pile: from the cards face up, else from those face down."""
        zone = FACE_UP + country
        self.take_from(zone if card in self.zones[zone] else FACE_DOWN + country, card)

    def put_face_up(self, country: i64, card: i64) -> None:
        self.zones[FACE_UP + country] += (card,)

    def discard_from_hand(self, country: i64, card: i64) -> None:
        self.take_from_hand(country, card)
        self.add_to(FACE_DOWN + country, card)
        self.note("discard", country, card)

    def discard_off_deck(self, country: i64, n: i64) -> i64:
        """Discard the top cards of a deck; the number that were not there is returned."""
        deck = self.zones[DECK + country]
        there = min(n, len(deck))
        if there > 0:
            cut = len(deck) - there
            if self.trace is not None:
                self.trace.append(("mill", country, deck, deck[cut:]))
            self.add_all_to(FACE_DOWN + country, deck[cut:])
            self.zones[DECK + country] = deck[:cut]
            if self.log is not None:
                for card in deck[cut:]:
                    self.note("mill", country, card)
        return n - there

    def draw(self, country: i64, n: i64) -> None:
        deck = self.zones[DECK + country]
        there = min(n, len(deck))
        if there > 0:
            cut = len(deck) - there
            drawn = deck[cut:]
            if self.trace is not None:
                self.trace.append(("draw", country, deck, drawn))
            self.add_all_to(HAND + country, drawn)
            self.zones[DECK + country] = deck[:cut]
            if self.rules.has_bolsters or self.log is not None:
                for card in drawn:
                    if self.rules.types[card] == BOLSTER:
                        self.arm(card)
                    self.note("draw", country, card)

    def discard_from_table(self, country: i64, card: i64) -> None:
        """A status, or a response face down, leaves the table: a status face up, a response
        unseen."""
        if card in self.zones[TABLE + country]:
            self.take_from(TABLE + country, card)
            self.put_face_up(country, card)
            self.note("discard-status", country, card)
            if card in self.fresh:
                self.fresh = tuple([c for c in self.fresh if c != card])
        else:
            self.take_from(SET + country, card)
            self.add_to(FACE_DOWN + country, card)
            self.note("discard-response", country, card)
        self.disarm(card)

    def put_on_table(self, country: i64, card: i64) -> None:
        """A status comes into play. Where the rule set delays statuses it holds only from
        the next round."""
        self.add_to(TABLE + country, card)
        self.fresh += (card,)
        if not self.rules.is_status_delayed:
            self.arm(card)

    def set_on_table(self, country: i64, card: i64) -> None:
        self.add_to(SET + country, card)
        self.arm(card)

    # -- chance ------------------------------------------------------------------------

    def sow(self, seed: SupportsIndex | bytes) -> None:
        """Set what the game's chance comes from: a number for the fast generator, of which the
        lowest 64 bits count, or the 32 bytes of a seed that cannot be foreseen."""
        if isinstance(seed, bytes):
            self.seed = seed
            self.rng = 0
        else:
            self.seed = b""
            self.rng = seeded(whole_number("seed", seed))

    def random_below(self, n: i64) -> i64:
        """The next number of the fast generator, 0 to n - 1.

        L'Ecuyer's two combined generators: their state is one int of 62 bits, and no step
        leaves the range in which compiled ints are fast. Who sees enough of its numbers can
        work out the rest: it is for bots, for tests, and for games with a seed of a few digits.
        """
        state: i64 = self.rng
        one: i64 = (state >> 31) * 40014 % _RNG_ONE
        two: i64 = (state & _RNG_LOW) * 40692 % _RNG_TWO
        self.rng = one << 31 | two
        drawn: i64 = one - two
        if drawn < 1:
            drawn += _RNG_ONE - 1
        return (drawn - 1) * n // (_RNG_ONE - 1)

    def mix(self, cards: list[int]) -> None:
        """Shuffle a sorted list in place."""
        if self.seed:
            # From the order of their ids, which everyone can work out.
            ranks = [self.rules.ranks[card] for card in cards]
            ranks.sort()
            shuffle_by_seed(self.seed, self.rng, ranks)
            self.rng += 1
            cards[:] = [self.rules.ranked[rank] for rank in ranks]
            return
        objects: list[Any] = cards  # which only change places
        i: i64 = len(cards) - 1
        while i > 0:
            j = self.random_below(i + 1)
            card = objects[i]
            objects[i] = objects[j]
            objects[j] = card
            i -= 1

    def shuffle(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        # Sorted first: what is shuffled must not tell where the cards lay before.
        return self.shuffle_for("shuffle", cards)

    def shuffle_for(self, what: str, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The cards in a new order; `what` tells the trace what they are shuffled for."""
        shuffled = sorted(cards)
        self.mix(shuffled)
        mixed = tuple(shuffled)
        if self.trace is not None and mixed:
            self.trace.append((what, self.rules.cards[mixed[0]].country, mixed, mixed))
        return mixed

    def pick(self, cards: tuple[int, ...]) -> int:
        """One of some cards, each as likely as the others. With a seed that cannot be foreseen it
        is the first of them once they are shuffled, so that it can be checked like a shuffle."""
        if self.seed:
            return self.shuffle_for("pick", cards)[0]
        return cards[self.random_below(len(cards))]

    def shuffle_deck(self, country: int) -> None:
        self.zones[DECK + country] = self.shuffle(self.zones[DECK + country])
        self.note("shuffle", country)

    # -- the log -----------------------------------------------------------------------

    def note(
        self,
        what: str,
        country: i64,
        card: i64 = -1,
        space: i64 = -1,
        whose: i64 = -1,
        n: i64 = 0,
        words: str = "",
    ) -> None:
        if self.log is not None:
            self.log.append((what, country, card, space, whose, n, words))

    # -- sameness ----------------------------------------------------------------------

    def key(self) -> tuple[object, ...]:
        """Everything that makes two states the same, as one hashable value.

        >>> from quartermaster import Game
        >>> Game.new(seed=7).state.key() == Game.new(seed=8).state.key()
        False
        """
        frames = []
        for f in self.stack:
            because = f.because
            frames.append(
                (f.program, f.pc, f.country, f.card, None if because is None else because.data(),
                 f.word, f.progress, f.memory)
            )  # fmt: skip
        return (
            self.pieces, self.air, tuple(self.zones), tuple(frames), self.axis_score,
            self.allies_score, self.round, self.country, self.step, self.winner, self.rng,
            self.armed, self.used, self.fresh, self.stopped, self.protected, self.sustained,
            self.at_start, self.lifting, self.seed,
        )  # fmt: skip
