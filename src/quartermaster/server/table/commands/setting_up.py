"""Before the game and after it: making a table, getting ready, a rematch."""

import msgspec

from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import UnknownName
from quartermaster.forms.deals import fresh_seed, is_hex
from quartermaster.forms.notation import country_index
from quartermaster.game import Game
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.refusals import Refused
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands.checks import host_in_lobby, in_lobby, seat_at
from quartermaster.server.table.commands.wishes import (
    GameWish,
    SeatWish,
    Who,
    make_seat,
    make_settings,
    make_table_seats,
    out_of_range,
)
from quartermaster.server.table.events import Event
from quartermaster.server.table.queries import must_agree
from quartermaster.server.table.table import Table
from quartermaster.sight.reactions import is_hidden_ask
from quartermaster.speech.nouns import country_noun


def create(user: str, name: str, wish: GameWish) -> list[Event]:
    """A new table, and its start if that is wished and possible."""
    rules, options, record = wish.rules, wish.options, wish.record
    if record is not None:
        game = Game.from_record(record, "record")
        if wish.at is not None:
            if not 0 <= wish.at <= len(game.codes):
                raise out_of_range("at", 0, len(game.codes), wish.at)
            game.undo(wish.at)
        if game.is_version_1:
            game = game.asking()  # from here on others must not tell cards by what is not asked
        while is_hidden_ask(game.state):
            game.apply("pass")  # nobody may see that someone is asked there
        game.deal = None  # what the recorded cards came from does not hold for what follows
        rules, options, record = game.rules, game.options, game.record
    elif wish.at is not None:
        raise Refused(422, "at-without-record")
    elif rules not in RULE_SETS:
        raise UnknownName("rule set", rules, RULE_SETS)
    options = load_rules(rules, options).options
    seats = make_table_seats(user, name, rules, wish.seats)
    settings = make_settings(wish, rules, options, seats, user)
    created = ev.Created(
        user, settings, seats, record=record, secret=fresh_seed(), is_version_1=False
    )
    events: list[Event] = [created]
    if wish.start:
        table = Table("new")
        table.add(created, user, 0.0)
        events += start(table, user)
    return events


def set_up(table: Table, user: str, name: str, wish: GameWish) -> list[Event]:
    """The host changes the table before the game; who sits stays where the countries do."""
    host_in_lobby(table, user)
    if wish.record is not None or wish.at is not None:
        raise Refused(422, "record-too-late")
    if wish.rules not in RULE_SETS:
        raise UnknownName("rule set", wish.rules, RULE_SETS)
    if table.origin.is_record:  # from a record, whose rules stay
        wish = msgspec.structs.replace(
            wish, rules=table.settings.rules, options=table.settings.options
        )
    options = load_rules(wish.rules, wish.options).options
    seats = make_table_seats(user, name, wish.rules, wish.seats)
    seated = {seat.countries: seat for seat in table.seats if seat.holder not in (None, user)}
    kept = tuple(
        seated[seat.countries] if seat.countries in seated and seat.bot is None
        and seat.holder is None else seat
        for seat in seats
    )  # fmt: skip
    return [ev.SettingsChanged(make_settings(wish, wish.rules, options, kept, user), kept)]


def set_seat(table: Table, user: str, name: str, number: int, who: Who, bot: str) -> list[Event]:
    """The host gives a seat to a bot, opens it, invites to it or takes it."""
    host_in_lobby(table, user)
    seat = seat_at(table, number)
    wish = SeatWish(list(seat.countries), who, bot)
    return [ev.SeatChanged(number, make_seat(user, name, wish))]


def say_ready(table: Table, user: str, is_ready: bool, agrees: bool = False) -> list[Event]:
    """Say that one is ready; and, where the hidden cards of a record are kept, that one agrees to
    cards which who brought them may know."""
    in_lobby(table, user)
    if is_ready and must_agree(table, user) and not agrees:
        raise Refused(409, "agreement-needed")
    return [ev.ReadySaid(user, is_ready, agrees)]


def contribute(table: Table, user: str, added: str) -> list[Event]:
    """Add chance to the deal, once, before the game."""
    in_lobby(table, user)
    if not is_hex(added):
        raise Refused(422, "bad-contribution")
    if table.lobby.added.get(user) == added:
        return []
    if user in table.lobby.added:
        raise Refused(409, "contributed")
    return [ev.Contributed(user, added)]


def start(table: Table, user: str) -> list[Event]:
    host_in_lobby(table, user)
    for number, seat in enumerate(table.seats):
        if seat.holder is None and seat.bot is None:
            countries = ", ".join(str(country_noun(country)) for country in seat.countries)
            raise Refused(409, "seat-empty", number=number, countries=countries)
    waiting = [
        person for person in table.people if person not in table.lobby.ready and person != user
    ]
    if waiting:
        names = [seat.name for seat in table.seats if seat.holder in waiting]
        raise Refused(409, "not-ready", names=", ".join(dict.fromkeys(names)))
    if any(
        must_agree(table, person) for person in table.people if person not in table.lobby.agreed
    ):
        raise Refused(409, "agreement-needed")
    return [ev.Started()]


def rematch(table: Table, user: str, is_swapped: bool, is_started: bool = True) -> list[Event]:
    """A new table for the same people, each ready to be asked; swapped, each has the seat of the
    country opposite, if the seats allow it. Who plays alone begins at once, if that is wished."""
    if table.status != "over":
        raise Refused(409, "game-not-over")
    if not table.seats_of(user):
        raise Refused(403, "no-seat")
    seats = [
        msgspec.structs.replace(
            seat, bot=None if seat.holder is not None else seat.bot or table.settings.stand_in,
            invitation=None, is_away=False, is_open=False,
        )
        for seat in table.seats
    ]  # fmt: skip
    if is_swapped:
        by_countries = {seat.countries: seat for seat in seats}
        opposite = [tuple(_opposite(c) for c in seat.countries) for seat in seats]
        if all(countries in by_countries for countries in opposite):
            seats = [
                msgspec.structs.replace(by_countries[countries], countries=seat.countries)
                for seat, countries in zip(seats, opposite, strict=True)
            ]
    created = ev.Created(
        user, table.settings, tuple(seats), secret=fresh_seed(), is_version_1=False
    )
    events: list[Event] = [created]
    if is_started and {seat.holder for seat in seats if seat.bot is None} == {user}:
        events.append(ev.Started())
    return events


def _opposite(country: str) -> str:
    """Germany and the United Kingdom, Japan and the Soviet Union, Italy and the United States."""
    return COUNTRIES[country_index(country) ^ 1]


def note_rematch(table: Table, again: Table) -> list[Event]:
    """Let everyone at a table know of its rematch, who has opened it, and whether sides were
    swapped."""
    if table.rematch is not None:
        return []
    holders = [[seat.holder for seat in one.seats] for one in (table, again)]
    return [ev.Rematched(again.id, again.host, holders[0] != holders[1])]
