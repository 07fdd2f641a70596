"""What is being carried out: the frames of a state's stack, and the occasions they answer.

Both are plain numbers, so that a state can be copied, compared, hashed and saved at every decision.
"""

from typing import Any

from mypy_extensions import i64, mypyc_attr

from quartermaster.rules.names import NOBODY


# Neither a state nor its frames and occasions refer to what refers to them: Python's search for
# such circles need not look at them (`acyclic`). They come and go all the time, so the memory of
# the one freed last is used again (`free_list_len`).
@mypyc_attr(acyclic=True, free_list_len=1)
class Occasion:
    """Something that happens in play and that cards may answer. Never changed once made.

    `by` is the country that caused it (`NOBODY` for the game itself), `whose` the owner of
    the piece concerned, `depth` the place in the stack of the frame that raised it.
    """

    def __init__(
        self,
        kind: i64,
        by: i64,
        space: i64 = -1,
        whose: i64 = NOBODY,
        card: i64 = -1,
        cause: i64 = -1,
        is_supplied: i64 = 0,
        depth: i64 = 0,
    ) -> None:
        self.kind = kind
        self.by = by
        self.space = space
        self.whose = whose
        self.card = card
        self.cause = cause
        self.is_supplied = is_supplied
        self.depth = depth

    def __repr__(self) -> str:
        return f"Occasion{self.data()}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Compiled classes do not pickle by themselves."""
        return Occasion, self.data()

    def data(self) -> tuple[int, int, int, int, int, int, int, int]:
        return (
            self.kind, self.by, self.space, self.whose,
            self.card, self.cause, self.is_supplied, self.depth,
        )  # fmt: skip


@mypyc_attr(acyclic=True, free_list_len=1)
class Frame:
    """One program being carried out: `pc` is the op at hand, `because` the occasion that it
    answers or carries out, if there is one.

    What it remembers is plain numbers, so that every program's frame is copied and saved alike:
    `word` and `memory` for the program, `progress` for the op at hand, cleared when that is done.
    What a program keeps in its word has a name below, of a property or in its module:

    | program | its word |
    | --- | --- |
    | of a card | `target`, or `shown` for a card whose cost is to show one; -1 before |
    | `TURN` | `marshaled` in the air step, `is_saved` in the supply step |
    | `WINDOW` | whose chance it is and who is out, in bits that `rules/window.py` reads |
    | `REMOVAL` | `is_saved`; `was_supplied` is in its progress |
    | `PAYMENT` | `owed` |
    | `SETUP`, `BATTLE`, `DRAW_ONE` | nothing |
    """

    def __init__(
        self,
        program: i64,
        pc: i64,
        country: i64,
        card: i64,
        because: Occasion | None,
        word: i64 = 0,
        progress: i64 = 0,
        memory: tuple[int, ...] = (),
    ) -> None:
        self.program = program
        self.pc = pc
        self.country = country
        self.card = card
        self.because = because
        self.word = word
        self.progress = progress
        self.memory = memory

    def __repr__(self) -> str:
        return (
            f"Frame({self.program}, {self.pc}, {self.country}, {self.card}, {self.because!r},"
            f" {self.word}, {self.progress}, {self.memory})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Frame, (
            self.program, self.pc, self.country, self.card, self.because,
            self.word, self.progress, self.memory,
        )  # fmt: skip

    def copy(self) -> "Frame":
        return Frame(
            self.program, self.pc, self.country, self.card, self.because,
            self.word, self.progress, self.memory,
        )  # fmt: skip

    def next(self) -> None:
        self.pc += 1
        self.progress = 0

    def occasion(self) -> Occasion:
        """What its program answers or carries out, for programs that always have an occasion:
        windows, removals, battles and the cards used as reactions."""
        because = self.because
        assert because is not None
        return because

    @property
    def target(self) -> int:
        """Of a card: the country it is about, once named; else -1."""
        return self.word

    @target.setter
    def target(self, country: int) -> None:
        self.word = country

    @property
    def shown(self) -> int:
        """Of a card: the card shown from hand for it; else -1."""
        return self.word

    @shown.setter
    def shown(self, card: int) -> None:
        self.word = card

    @property
    def owed(self) -> int:
        """Of a payment: how many cards are still to be discarded."""
        return self.word

    @owed.setter
    def owed(self, cards: int) -> None:
        self.word = cards

    @property
    def marshaled(self) -> int:
        """Of a turn: the space of the air force that is to move."""
        return self.word

    @marshaled.setter
    def marshaled(self, space: int) -> None:
        self.word = space

    @property
    def is_saved(self) -> bool:
        """Of a removal: whether the piece was saved meanwhile, or left the board otherwise."""
        return self.word == 1

    @is_saved.setter
    def is_saved(self, value: bool) -> None:
        self.word = 1 if value else 0

    @property
    def was_supplied(self) -> int:
        """Of a removal: 1 if the piece was in supply before."""
        return self.progress

    @was_supplied.setter
    def was_supplied(self, value: int) -> None:
        self.progress = value
