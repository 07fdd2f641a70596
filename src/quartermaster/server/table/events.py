"""What can happen at a table. Events are only ever added; a table is what they add up to.

Everyone at the table learns of an event, but for the private ones, which are numbered apart
(`Table.number`), so that nobody can count them, and silent ones, which change no one's view.
"""

from typing import Literal

import msgspec

Kind = Literal["none", "live", "async"]
Order = Literal["ask", "every", "always", "never"]
Late = Literal["pass", "wait"]
Motion = Literal["undo", "pause", "end"]
HiddenCards = Literal["fresh", "as-recorded"]


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long people may think. `live`: minutes for the whole game, and seconds more for each
    decision; `async`: days for each decision."""

    kind: Kind = "none"
    minutes: float = 30.0
    increment: float = 15.0
    days: float = 2.0


class GameSettings(msgspec.Struct, frozen=True):
    """What a table has agreed on."""

    rules: str
    options: dict[str, bool]
    title: str = ""
    is_public: bool = False
    has_spectators: bool = True
    clock: Clock = Clock()
    window: float = 8.0  # seconds a window is open to people
    late: Late = "pass"  # what becomes of a question that is not answered by then
    pause: float = 0.6  # seconds before a bot acts
    has_hints: bool = False
    stand_in: str = "veteran"  # plays for who is away
    # Of a game that goes on from a record: whether all that is hidden is dealt anew.
    deal: HiddenCards = "fresh"


class Seat(msgspec.Struct, frozen=True):
    """A place at the table, its countries, and who plays them.

    A bot plays where one is named; else the person who holds the seat, and who sees its cards
    in any case. Anyone may take an open seat; who has the invitation, one with an invitation.
    """

    countries: tuple[str, ...]
    holder: str | None = None
    name: str = ""
    bot: str | None = None
    invitation: str | None = None
    is_open: bool = False
    is_away: bool = False  # the bot plays because time ran out

    @property
    def person(self) -> str | None:
        """Who decides, if a person does."""
        return None if self.bot is not None else self.holder


class OpenWindow(msgspec.Struct, frozen=True):
    """A window in which some countries might react, for all that anyone can see."""

    countries: tuple[str, ...]
    not_before: float  # it does not close earlier
    until: float  # it closes earlier only if all who might react have said so
    late: Late
    # Bots answer by the time it closes, or pass: how long one thinks would tell that it was asked.
    is_timed: bool = False


class FaultNote(msgspec.Struct, frozen=True):
    country: str
    bot: str
    reason: str
    stand_in: str


# -- the events ------------------------------------------------------------------------


class Created(msgspec.Struct, frozen=True, tag="created"):
    host: str
    settings: GameSettings
    seats: tuple[Seat, ...]
    seed: int = 0  # of tables from before there were secrets
    record: str | None = None  # what the game goes on from
    secret: str | None = None  # fixed before anyone adds to it; 64 hexadecimal digits
    is_version_1: bool = True  # tables of earlier versions go on as they began


class SeatChanged(msgspec.Struct, frozen=True, tag="seat"):
    seat: int
    to: Seat


class SettingsChanged(msgspec.Struct, frozen=True, tag="settings"):
    settings: GameSettings
    seats: tuple[Seat, ...]


class ReadySaid(msgspec.Struct, frozen=True, tag="ready"):
    user: str
    is_ready: bool
    agrees: bool = False  # to a game that goes on with hidden cards as they were recorded


class Contributed(msgspec.Struct, frozen=True, tag="contributed"):
    """Someone's client has added chance of its own to the deal."""

    user: str
    added: str  # 64 hexadecimal digits


class Started(msgspec.Struct, frozen=True, tag="started"):
    pass


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """Actions were carried out: one, or what a window that closed has brought."""

    moves: tuple[tuple[str, str], ...]  # country and text
    against: int  # the number of the table it answered
    window: OpenWindow | None = None  # that the last of them opens
    faults: tuple[FaultNote, ...] = ()


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """Private: what a country that was asked in a window will do."""

    ask: int
    country: str
    text: str


class WentOn(msgspec.Struct, frozen=True, tag="went-on"):
    """Private: a seat needs the window no longer."""

    seat: int


class Held(msgspec.Struct, frozen=True, tag="held"):
    """A seat wants more time; anyone who might react may say so, whether or not they can."""

    seat: int
    until: float


class TakenBack(msgspec.Struct, frozen=True, tag="taken-back"):
    actions: int  # that are left


class Proposed(msgspec.Struct, frozen=True, tag="proposed"):
    user: str
    what: Motion
    actions: int = 0  # that an undo would leave


class Voted(msgspec.Struct, frozen=True, tag="voted"):
    user: str
    is_for: bool


class Paused(msgspec.Struct, frozen=True, tag="paused"):
    pass


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    pass


class Ordered(msgspec.Struct, frozen=True, tag="ordered"):
    """Private: a seat's standing orders."""

    seat: int
    cards: dict[str, Order]
    passes: bool  # until its own next turn


class Prepared(msgspec.Struct, frozen=True, tag="prepared"):
    """Private: what a country will discard of its first cards when it is asked to."""

    seat: int
    country: str
    discards: tuple[str, ...]


class Reminded(msgspec.Struct, frozen=True, tag="reminded"):
    """Silent: whose decision it is was told that half of the time is over."""

    seat: int


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    game: str
    host: str = ""  # who has opened it; not known of the first rematches
    is_swapped: bool = False


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The table has agreed to stop."""


Event = (
    Created
    | SeatChanged
    | SettingsChanged
    | ReadySaid
    | Contributed
    | Started
    | Moved
    | Answered
    | WentOn
    | Held
    | TakenBack
    | Proposed
    | Voted
    | Paused
    | Resumed
    | Ordered
    | Prepared
    | Reminded
    | Rematched
    | Ended
)
PRIVATE = Answered | WentOn | Ordered | Prepared
SILENT = Reminded

_decoder = msgspec.json.Decoder(Event)


def encode(event: Event) -> str:
    return msgspec.json.encode(event).decode()


def decode(data: str) -> Event:
    event: Event = _decoder.decode(data)
    return event


def tag_of(event: Event) -> str:
    tag = event.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
