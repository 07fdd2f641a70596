"""Values that a shell completes (`quartermaster --install-completion`)."""

from collections.abc import Callable, Iterable

from quartermaster.bots import BOTS
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE, TEAMS
from quartermaster.speech.say import languages

# The command line's library knows the argument by its name, `incomplete`.
Completion = Callable[[str], list[str]]


def one_of(names: Iterable[str]) -> Completion:
    """
    >>> one_of(["germany", "italy", "japan"])("it")
    ['italy']
    """
    known = list(names)
    return lambda incomplete: [name for name in known if name.startswith(incomplete)]


def some_of(names: Iterable[str]) -> Completion:
    """Several with commas, each once.

    >>> some_of(["germany", "italy", "japan"])("japan,")
    ['japan,germany', 'japan,italy']
    """
    known = list(names)

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        taken = before.split(",")
        return [
            f"{before}{comma}{name}"
            for name in known
            if name.startswith(last) and name not in taken
        ]

    return complete


rule_set = one_of(sorted(RULE_SETS, reverse=True))
rule_sets = some_of(sorted(RULE_SETS, reverse=True))
bot = one_of(BOTS)
bots = some_of(BOTS)
country = one_of(COUNTRIES)
side = some_of((*TEAMS, *COUNTRIES))
card_type = one_of(CARD_TYPES[:RULE])
rule_option = one_of(
    dict.fromkeys(
        f"{option.name}={value}"
        for rule_set in RULE_SETS.values()
        for option in rule_set.options
        for value in ("on", "off")
    )
)
language = one_of(languages())
