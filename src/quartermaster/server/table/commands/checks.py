"""What commands refuse in the same words: who may act at a table, and when."""

from quartermaster.forms.notation import country_index
from quartermaster.server.refusals import Refused
from quartermaster.server.table.events import Seat
from quartermaster.server.table.table import Table
from quartermaster.speech.nouns import country_noun


def host_in_lobby(table: Table, user: str) -> None:
    if user != table.host:
        raise Refused(403, "only-host")
    if table.status != "lobby":
        raise Refused(409, "game-begun")


def seat_at(table: Table, number: int) -> Seat:
    if not 0 <= number < len(table.seats):
        raise Refused(404, "no-such-seat", number=number, most=len(table.seats) - 1)
    return table.seats[number]


def in_lobby(table: Table, user: str) -> None:
    if table.status != "lobby":
        raise Refused(409, "game-begun")
    if user not in table.people:
        raise Refused(403, "no-seat")


def own_seat(table: Table, user: str, number: int) -> Seat:
    seat = seat_at(table, number)
    not_over(table)
    if seat.holder != user:
        raise Refused(403, "not-your-seat", number=number)
    return seat


def not_over(table: Table) -> None:
    if table.status == "over":
        raise Refused(409, "game-over")


def playing_seat(table: Table, user: str, country: str) -> int:
    country_index(country)
    if table.status == "lobby":
        raise Refused(409, "game-not-begun")
    seat = table.seat_of(country)
    if table.seats[seat].holder != user:
        raise Refused(403, "not-your-country", country=country_noun(country))
    if table.status == "over" and not table.steps:
        raise Refused(409, "game-over")
    return seat


def not_paused(table: Table) -> None:
    not_over(table)
    if table.is_paused:
        raise Refused(409, "game-paused")
