"""Bots that fail, in a module that other processes can import too."""

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from quartermaster import Action
from quartermaster.sight.look import Look


class First:
    """Plays well enough."""

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return actions[0]


class Raises:
    """Tells its hand to whoever reads the message."""

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        (side,) = (s for s in look.view.countries.values() if s.hand is not None)
        raise ValueError(f"I hold {', '.join(side.hand or ())}")


class AnswersNothing:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return None  # type: ignore[return-value]


class AnswersText:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return str(actions[0])  # type: ignore[return-value]


class AnswersIllegally:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return replace(actions[0], text="play atlantis", code=10**6)


class AnswersForAnother:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return replace(actions[0], country="italy" if actions[0].country != "italy" else "japan")


class AddsItsOwn:
    """Makes its answer legal, as it believes."""

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        answer = AnswersIllegally().decide(look, actions)
        actions.clear()  # type: ignore[attr-defined]
        actions.append(answer)  # type: ignore[attr-defined]
        return answer


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class RaisesUnspeakably:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        raise Unspeakable


class AnswersUnspeakably:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return Unspeakable()  # type: ignore[return-value]


class Sleeps:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        time.sleep(1000)
        return actions[0]


class Loops:
    """Cannot be asked politely either."""

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            pass


class Dies:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        os._exit(7)


class Quits:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        raise SystemExit(3)


class CannotBeMade:
    """Pickles, but does not come out of it."""

    def __setstate__(self, state: object) -> None:
        raise ValueError("lost on the way")

    def __getstate__(self) -> dict[str, int]:
        return {"answer": 42}

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return actions[0]


class StartsSlowly:
    """Takes its time before it is asked, not while it thinks."""

    def __getstate__(self) -> dict[str, float]:
        return {"wait": 1.5}

    def __setstate__(self, state: dict[str, float]) -> None:
        time.sleep(state["wait"])

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return actions[0]


@dataclass
class Counts:
    """Remembers how often it was asked: answers so many places down."""

    asked: int = -1

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        self.asked += 1
        return actions[self.asked % len(actions)]


@dataclass
class Sometimes:
    """Raises at every decision but one in so many."""

    good: int
    asked: int = 0

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        self.asked += 1
        if self.asked % self.good:
            raise KeyError("not now")
        return actions[0]
