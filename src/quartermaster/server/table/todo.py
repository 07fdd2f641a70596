"""What a table needs next without anyone's request: a bot's move, the end of a window or of
someone's time."""

from collections.abc import Callable
from dataclasses import dataclass

from quartermaster.server.table.clocks import DAY, Clocks
from quartermaster.server.table.events import GameSettings
from quartermaster.server.table.orders import Orders
from quartermaster.server.table.seating import Seating
from quartermaster.server.table.window import BOT_SECONDS, Window


@dataclass(frozen=True)
class Todo:
    """What is to be done, and when."""

    what: str  # "answer", "move", "order", "close", "remind", "time-out", "consent"
    at: float
    country: str = ""
    ask: int = -1
    seat: int = -1
    text: str = ""


def todo_in_window(
    window: Window,
    answer_to: Callable[[int], str | None],
    seating: Seating,
    orders: Orders,
    settings: GameSettings,
    clocks: Clocks,
) -> Todo | None:
    """What an open window needs: a bot's answer where no time is set for it, or its end. It waits
    for who is asked and has not answered, and for who might be for all that others know."""
    bots = window.bot_asks(seating)
    pending = [i for i in range(len(window.asks)) if answer_to(i) is None]
    if window.spec.is_timed:
        pending = [i for i in pending if i not in bots]
    for i in pending:
        if i in bots:
            country = window.asks[i].country
            seat = seating.seat_of[country]
            return Todo("answer", clocks.asked_at, country, ask=i, seat=seat)
    if pending:
        if window.spec.late == "pass":
            return Todo("close", window.until)
        if settings.clock.kind == "async":
            return Todo("close", window.until + settings.clock.days * DAY)
        if settings.clock.kind == "live":
            asked = {seating.seat_of[window.asks[i].country] for i in pending}
            return Todo("close", window.until + max(clocks.banks[seat] for seat in asked))
        return None
    might = {seating.seat_of[country] for country in window.spec.countries}
    # A card that is used tells of itself anyway; who passes must seem to have had none.
    said = window.gone_on | {
        seating.seat_of[window.asks[i].country]
        for i, text in window.answers.items()
        if text != "pass"
    }
    waits = any(
        seating.seats[seat].bot is None and not orders.passes(seat) for seat in might - said
    )
    return Todo("close", window.until if waits else window.spec.not_before)


def bot_pause(bot: str, settings: GameSettings, seating: Seating) -> float:
    """The seconds before a bot acts."""
    if not seating.people:
        return settings.pause
    return max(settings.pause, BOT_SECONDS.get(bot, 0.0))
