"""What someone wishes a table to be, checked and made into its seats and settings."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from quartermaster.bots import BOTS
from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.forms.seats import make_seats
from quartermaster.server.names import clean_name, clean_text, new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Clock, GameSettings, Seat

_MOST_SECONDS: Final = 3600.0
Who = Literal["me", "open", "invite", "bot", "hot-seat"]


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as its table is set up: its countries, and who takes it."""

    countries: list[str]
    who: Who = "open"
    bot: str = "veteran"
    name: str = ""


class GameWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. `seats` is a number of players, with the maker in the first seat and the
    others open, or a list."""

    rules: str = "second"
    options: dict[str, bool] = {}
    seats: int | list[SeatWish] = 6
    title: str = ""
    is_public: bool = False
    has_spectators: bool = True
    clock: Clock = Clock()
    window: float | None = None
    late: ev.Late = "pass"
    pause: float = 0.6
    has_hints: bool | None = None
    stand_in: str = "veteran"
    record: str | None = None
    at: int | None = None  # the action of the record to go on from
    # Hidden cards of the record: left out, as recorded where the maker plays alone, else fresh.
    deal: ev.HiddenCards | None = None
    start: bool = False  # at once, if nobody else is to come


def make_table_seats(
    user: str, name: str, rules: str, wishes: int | list[SeatWish]
) -> tuple[Seat, ...]:
    if isinstance(wishes, int):
        countries = make_seats(rules, wishes)
        rest: list[Who] = ["open"] * (len(countries) - 1)
        whos: list[Who] = ["me", *rest]
        wishes = [SeatWish(list(seat), who) for seat, who in zip(countries, whos, strict=True)]
    make_seats(rules, [wish.countries for wish in wishes])
    return tuple(make_seat(user, name, wish) for wish in wishes)


def make_seat(user: str, name: str, wish: SeatWish) -> Seat:
    countries = tuple(sorted(wish.countries, key=country_index))
    if wish.who == "bot":
        return Seat(countries, bot=level(wish.bot))
    if wish.who == "invite":
        return Seat(countries, invitation=new_id())
    if wish.who == "open":
        return Seat(countries, is_open=True)
    called = clean_name(wish.name) if wish.who == "hot-seat" and wish.name else name
    return Seat(countries, holder=user, name=called)


def level(bot: str) -> str:
    if bot not in BOTS:
        raise UnknownName("bot", bot, BOTS)
    return bot


def make_settings(
    wish: GameWish, rules: str, options: dict[str, bool], seats: Sequence[Seat], user: str
) -> GameSettings:
    clock = wish.clock
    _check("clock.minutes", clock.minutes, 0.1, 6000)
    _check("clock.increment", clock.increment, 0, 3600)
    _check("clock.days", clock.days, 1 / 1440, 60)
    is_slow = clock.kind == "async"
    window = wish.window if wish.window is not None else 600.0 if is_slow else 8.0
    _check("window", window, 0, _MOST_SECONDS)
    _check("pause", wish.pause, 0, 10)
    is_alone = all(seat.holder is not None or seat.bot is not None for seat in seats)
    return GameSettings(
        rules=rules,
        options=options,
        title=clean_text(wish.title, 60) if wish.title.strip() else "",
        is_public=wish.is_public,
        has_spectators=wish.has_spectators,
        clock=clock,
        window=window,
        late=wish.late,
        pause=wish.pause,
        has_hints=is_alone if wish.has_hints is None else wish.has_hints,
        stand_in=level(wish.stand_in),
        deal=wish.deal or _usual_deal(user, seats),
    )


def _usual_deal(user: str, seats: Sequence[Seat]) -> ev.HiddenCards:
    """What others have not seen coming is dealt anew; who plays alone may have it as it was."""
    is_alone = all(seat.bot is not None or seat.holder == user for seat in seats)
    return "as-recorded" if is_alone else "fresh"


def _check(what: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise out_of_range(what, f"{least:g}", f"{most:g}", f"{value:g}")


def out_of_range(what: str, least: object, most: object, value: object) -> Refused:
    return Refused(422, "out-of-range", what=what, least=least, most=most, value=value)
