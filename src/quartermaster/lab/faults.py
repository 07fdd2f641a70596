"""Why bots failed, over many games: told with the numbers, for a bot that always fails plays as
well as its stand-in, and nobody would notice."""

from collections.abc import Iterable, Mapping

from quartermaster.bots import Fault

_MOST = 5  # different reasons that are kept
_LONGEST = 160  # characters of one

Reasons = dict[str, int]  # how often each


def reasons_of(faults: Iterable[Fault]) -> Reasons:
    """The reasons of some faults, with the bot's name, and how often each.

    >>> fault = Fault("italy", "Dreamer", "answered 'x', which is not legal", "rookie", "illegal")
    >>> reasons_of([fault, fault])
    {"Dreamer: answered 'x', which is not legal": 2}
    """
    found: Reasons = {}
    for fault in faults:
        reason = fault.reason.partition("; not asked again")[0]
        add_reasons(found, {f"{fault.bot}: {reason}"[:_LONGEST]: 1})
    return found


def add_reasons(reasons: Reasons, others: Mapping[str, int]) -> None:
    """Add reasons to those there are; the first few of them are kept."""
    for reason, count in others.items():
        if reason in reasons or len(reasons) < _MOST:
            reasons[reason] = reasons.get(reason, 0) + count


def told(reasons: Mapping[str, int]) -> list[str]:
    """A line for each reason, the most frequent first.

    >>> told({"Dreamer: took longer than 1 second": 1, "Dreamer: raised ValueError: x": 7})
    ['7x Dreamer: raised ValueError: x', '1x Dreamer: took longer than 1 second']
    """
    ranked = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count}x {reason}" for reason, count in ranked]
