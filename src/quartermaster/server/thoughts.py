"""What bots think about at a table, begun ahead of time: a pause or a window is not to be longer
for it."""

import asyncio
import logging

from quartermaster.forms.notation import Action, country_index
from quartermaster.server.bots import BotPool
from quartermaster.server.table.table import Table
from quartermaster.server.table.todo import Todo
from quartermaster.sight.look import Look

log = logging.getLogger("quartermaster.hub")

DECISION = -1  # what is thought about is the decision at hand, not a question of a window


class Thoughts:
    """The thinking at one table."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self.address = ""  # from which the table was last played or watched
        # By the number since which the decision stands, the question (or `DECISION`), the level.
        self._tasks: dict[tuple[int, int, str], asyncio.Task[Action]] = {}

    def begin(self, table: Table, todo: Todo, is_watched: bool) -> None:
        """Bots think while the pause before their move goes by, or the window they are asked in."""
        for key in [key for key in self._tasks if key[0] != table.settled]:
            self._tasks.pop(key).cancel()
        if todo.what == "move":
            self.about(table, DECISION, is_watched)
        elif table.window is not None and table.window.spec.is_timed:
            for ask in table.bot_asks():
                self.about(table, ask, is_watched)

    def about(self, table: Table, ask: int, is_watched: bool) -> "asyncio.Task[Action]":
        """A bot's thinking about the decision at hand, or about a question of the window."""
        if ask != DECISION:
            assert table.window is not None
            asked = table.window.asks[ask]
            country, actions = asked.country, list(asked.actions)
            look = Look.at(asked.state, frozenset({country_index(country)}))
        else:
            game = table.game
            country, actions = game.decision.country, game.legal_actions()
            look = game.look(country)
        level = table.seating.seat_for(country).bot or table.settings.stand_in
        key = (table.settled, ask, level)
        task = self._tasks.get(key)
        if task is None or (task.done() and not _has_result(task)):
            is_urgent = ask != DECISION or is_watched
            task = self._tasks[key] = asyncio.create_task(
                self._bots.decide(
                    table.id, country, level, look, actions, table.host, is_urgent, self.address
                )
            )
            task.add_done_callback(_noted)
        return task

    def answers(self, table: Table) -> dict[int, str]:
        """What bots have answered in time to the questions of the window."""
        return {
            ask: task.result().text
            for (number, ask, _), task in self._tasks.items()
            if number == table.settled and ask != DECISION and task.done() and _has_result(task)
        }

    def cancel(self) -> None:
        for task in self._tasks.values():
            task.cancel()


def _noted(task: "asyncio.Task[Action]") -> None:
    """Say what went wrong with a thought, for it may be that nobody asks for it any more."""
    if not task.cancelled() and task.exception() is not None:
        log.error("a bot's thinking failed", exc_info=task.exception())


def _has_result(task: "asyncio.Task[Action]") -> bool:
    return not task.cancelled() and task.exception() is None
