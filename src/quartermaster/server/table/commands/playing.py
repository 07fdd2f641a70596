"""Playing: moves, answers in a window, orders given ahead, and taking back."""

from typing import Final

from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.rules.names import HAND
from quartermaster.server.refusals import Refused, either
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands.checks import not_paused, own_seat, playing_seat
from quartermaster.server.table.commands.motions import propose
from quartermaster.server.table.course import Step
from quartermaster.server.table.events import Event
from quartermaster.server.table.queries import asks_of, might_react_seats, to_prepare
from quartermaster.server.table.table import Table
from quartermaster.speech.nouns import country_noun

_HOLD: Final = 30.0  # seconds that someone who wants more time gets


def move(table: Table, user: str, number: int, country: str, text: str, now: float) -> list[Event]:
    """An action against the table as it was at a number; nothing if it was accepted before."""
    seat = playing_seat(table, user, country)
    text = " ".join(text.split())
    if is_repeated(table, user, number, country, text):
        return []
    if not table.settled <= number <= table.number:
        raise Refused(409, "moved-on", number=number, now=table.number)
    not_paused(table)
    if table.window is not None:
        raise Refused(409, "window-open")
    if table.seats[seat].bot is not None:
        raise Refused(409, "bot-plays")
    if table.awaited != country and not text.startswith("remove "):
        raise Refused(409, "not-its-decision", country=country_noun(country))
    return [table.moved([(country, text)], number, now)]


def is_repeated(table: Table, user: str, number: int, country: str, text: str) -> bool:
    """Whether this very move was accepted before."""
    for step in reversed(table.steps):
        if step.against < number:
            return False
        if step.against == number and step.user == user:
            return step.moves[0] == (country, text)
    return False


def answer(table: Table, user: str, number: int, ask: int, text: str) -> list[Event]:
    """Answer the own question of a window; the last answer before it closes counts."""
    window = table.window
    if window is None or not table.settled <= number <= table.number:
        raise Refused(409, "window-closed")
    not_paused(table)
    mine = asks_of(table, user)
    if not 0 <= ask < len(mine):
        raise Refused(409, "not-asked")
    index = mine[ask]
    question = window.asks[index]
    text = " ".join(text.split())
    texts = [action.text for action in question.actions]
    if text not in texts:
        raise Refused(422, "wrong-answer", text=text, expected=either(texts))
    if window.answers.get(index) == text:
        return []
    return [ev.Answered(index, question.country, text)]


def go_on(table: Table, user: str, number: int) -> list[Event]:
    """Say that one needs the window no longer: passes where one is asked."""
    window = table.window
    if number > table.number:
        raise Refused(409, "not-there-yet", number=table.number)  # or this worker is behind
    if window is None or number < table.settled:
        return []  # it has closed, as was wished
    seats = might_react_seats(table, user)
    if not seats:
        raise Refused(403, "no-part")
    events: list[Event] = [ev.WentOn(seat) for seat in seats if seat not in window.gone_on]
    for i in asks_of(table, user):
        if table.answer_to(i) is None:
            events.append(ev.Answered(i, window.asks[i].country, "pass"))
    return events


def hold(table: Table, user: str, number: int, now: float) -> list[Event]:
    """Ask for more time in a window, once; whoever might react can, so it tells nothing."""
    window = table.window
    if window is None or not table.settled <= number <= table.number:
        raise Refused(409, "window-closed")
    seats = [seat for seat in might_react_seats(table, user) if seat not in window.held]
    if not seats:
        raise Refused(403, "no-hold")
    return [ev.Held(seats[0], max(window.until, now + _HOLD))]


def order(
    table: Table, user: str, number: int, cards: dict[str, ev.Order], passes: bool
) -> list[Event]:
    """Standing orders of a seat, for each card, and "pass until my turn"."""
    seat = own_seat(table, user, number)
    if table.has_begun:
        rules = table.game.state.rules
        own = {
            card.id
            for card in rules.cards
            if card.trigger is not None
            and card.country in {country_index(c) for c in seat.countries}
        }
        for card in cards:
            if card not in own:
                raise UnknownName("card that reacts", card, own)
    elif cards:
        raise Refused(409, "game-not-begun")
    return [ev.Ordered(number, cards, passes)]


def prepare(table: Table, user: str, country: str, discards: tuple[str, ...]) -> list[Event]:
    """Choose which first cards a country discards, before it is asked; none: think again."""
    seat = playing_seat(table, user, country)
    if country not in to_prepare(table, user):
        raise Refused(409, "not-setting-up", country=country_noun(country))
    n = table.surplus(country)
    if len(discards) not in (0, n):
        raise Refused(422, "discard-count", n=n, country=country_noun(country))
    rules = table.game.state.rules
    hand = [rules.cards[card].id for card in table.game.state.zones[HAND + country_index(country)]]
    for card in discards:
        if card not in hand:
            raise UnknownName("card in hand", card, hand)
        hand.remove(card)
    return [ev.Prepared(seat, country, discards)]


def undo(table: Table, user: str, to: int | None) -> list[Event]:
    """Take back own decisions; or propose it, where others have a say."""
    _not_over_for_undo(table, user)
    steps = table.steps
    own = [step for step in steps if step.user == user]
    if not own:
        raise Refused(409, "nothing-decided")
    target: Step | None = own[-1]
    if to is not None:
        found = [step for step in steps if step.against == to and not step.is_reaction]
        target = found[0] if found else None
    if target is None:
        raise Refused(409, "no-such-decision", number=to)
    if target.against in table.back_to(user):
        return [ev.TakenBack(target.actions)]
    return propose(table, user, "undo", target.actions)


def _not_over_for_undo(table: Table, user: str) -> None:
    if not table.has_begun:
        raise Refused(409, "game-not-begun")
    if table.is_abandoned:
        raise Refused(409, "game-over")
    if user not in table.people:
        raise Refused(403, "no-seat")
