"""Statistics as a page: one file with its own styles and drawings, by day and by night, every
drawing also as a table."""

import math
from collections.abc import Sequence
from html import escape

from quartermaster.cards.rule_sets import load_rules
from quartermaster.forms.notation import country_index
from quartermaster.lab.ratings import Interval
from quartermaster.lab.stats import OPENING_ROUNDS, CardStat, OpeningStat, Stats
from quartermaster.rules.names import COUNTRIES, TEAMS, team_of
from quartermaster.speech.nouns import card_noun, country_noun, team_noun
from quartermaster.speech.say import say, spoken

_MOST_OPENINGS = 10  # of a country that are shown
_STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf7; --ink: #23272b; --faint: #6b7076;
  --line: #d9d6cf; --axis: #a63d2b; --allies: #2a63a5; }
@media (prefers-color-scheme: dark) { :root { --ground: #16191c; --ink: #e6e4df; --faint: #9aa0a6;
  --line: #363b40; --axis: #ee8571; --allies: #7fb2ee; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 2rem 0 .5rem; }
p.about, caption { color: var(--faint); text-align: left; max-width: 45rem; }
svg { width: 100%; height: auto; max-width: 50rem; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .faint { fill: var(--faint); }
svg .grid { stroke: var(--line); } svg .zero { stroke: var(--faint); stroke-dasharray: 4 3; }
svg .axis { stroke: var(--axis); fill: var(--axis); }
svg .allies { stroke: var(--allies); fill: var(--allies); }
svg path.axis, svg path.allies { fill: none; stroke-width: 2; }
svg .band { opacity: .2; stroke: none; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; } td { font-variant-numeric: tabular-nums; }
summary { cursor: pointer; color: var(--faint); }
"""


def stats_page(found: Sequence[Stats]) -> str:
    """The page, in the language spoken; the same games always give the same page."""
    title = say("stats.title", n=sum(stats.games for stats in found))
    parts = [f"<h1>{escape(title)}</h1>", _about("stats.intervals")]
    for stats in found:
        parts += _section(stats)
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</html>\n"
    )


def _section(stats: Stats) -> list[str]:
    is_air = stats.options.get("air-marshal", False)
    head = say("stats.rules-air" if is_air else "stats.rules", rules=stats.rules, n=stats.games)
    parts = [f"<h2>{escape(head)}</h2>", f"<h3>{escape(say('stats.sides'))}</h3>"]
    parts.append(
        _forest(
            say("stats.wins"),
            [(str(team_noun(team)), stats.wins[team], team) for team in TEAMS],
            0, 1, 0.5,
        )
    )  # fmt: skip
    parts.append(
        _table(
            [say("stats.team"), say("stats.wins"), say("stats.vp")],
            [
                [str(team_noun(team)), _percent(stats.wins[team]), _number(stats.vp[team])]
                for team in TEAMS
            ],
        )
    )
    parts.append(
        _table(
            [say("stats.who"), say("stats.games"), say("stats.axis-wins")],
            [
                [f"{axis} - {allies}", str(games), _percent(won)]
                for axis, allies, games, won in stats.matches
            ],
        )
    )
    lengths = [say("stats.rounds"), say("stats.decisions")]
    parts.append(_table(lengths, [[_number(stats.rounds), _number(stats.decisions)]]))
    parts += [f"<h3>{escape(say('stats.by-round'))}</h3>", _about("stats.by-round.about")]
    parts.append(_lines(stats))
    parts.append(
        _folded(
            [say("stats.round"), *(str(team_noun(team)) for team in TEAMS)],
            [
                [str(number), *(_number(stats.vp_by_round[team][number - 1]) for team in TEAMS)]
                for number in range(1, len(stats.vp_by_round["axis"]) + 1)
            ],
        )
    )
    parts += [f"<h3>{escape(say('stats.lengths'))}</h3>", _bars(stats.lengths)]
    parts.append(
        _folded(
            [say("stats.round"), say("stats.games")],
            [[str(rounds), str(count)] for rounds, count in stats.lengths.items()],
        )
    )
    names = _names(stats)
    parts += [f"<h3>{escape(say('stats.openings'))}</h3>"]
    parts.append(_about("stats.openings.about", n=OPENING_ROUNDS))
    for country in COUNTRIES:
        openings = [one for one in stats.openings if one.country == country][:_MOST_OPENINGS]
        parts += _openings(country, openings, names)
    parts += [f"<h3>{escape(say('stats.cards'))}</h3>", _about("stats.cards.about")]
    for country in COUNTRIES:
        parts += _cards(country, [one for one in stats.cards if one.country == country], names)
    return parts


def _openings(
    country: str, openings: list[OpeningStat], names: dict[tuple[str, str], str]
) -> list[str]:
    if not openings:
        return []
    labels = [
        ", ".join(names.get((country, card), card) for card in one.cards) or say("stats.none")
        for one in openings
    ]
    team = _team(country)
    return [
        f"<h4>{escape(str(country_noun(country)))}</h4>",
        _forest(
            say("stats.won"),
            [(label, one.won, team) for label, one in zip(labels, openings, strict=True)],
            0, 1, 0.5,
        ),
        _folded(
            [say("stats.opening"), say("stats.games"), say("stats.share"), say("stats.won")],
            [
                [label, str(one.games), _percent(one.share), _percent(one.won)]
                for label, one in zip(labels, openings, strict=True)
            ],
        ),
    ]  # fmt: skip


def _cards(country: str, cards: list[CardStat], names: dict[tuple[str, str], str]) -> list[str]:
    if not cards:
        return []
    team = _team(country)
    labels = [names.get((country, one.card), one.card) for one in cards]
    heads = ("stats.card", "stats.games", "stats.share", "stats.with", "stats.without")
    return [
        f"<h4>{escape(str(country_noun(country)))}</h4>",
        _forest(
            say("stats.gain"),
            [(label, one.gain, team) for label, one in zip(labels, cards, strict=True)],
            -0.5, 0.5, 0,
        ),
        _folded(
            [*map(say, heads), say("stats.gain")],
            [
                [label, str(one.games), _percent(one.share), _percent(one.won),
                 _percent(one.without), _percent(one.gain)]
                for label, one in zip(labels, cards, strict=True)
            ],
        ),
    ]  # fmt: skip


def _names(stats: Stats) -> dict[tuple[str, str], str]:
    """What cards are called, by country and id; those of sets that are not there have their ids."""
    rules = load_rules(stats.rules, stats.options)
    return {
        (country, card.id): str(card_noun(card.id, card.name))
        for card in rules.cards
        for country in COUNTRIES
        if card.country in (country_index(country), -1)
    }


def _team(country: str) -> str:
    return TEAMS[team_of(country_index(country))]


# -- drawings ------------------------------------------------------------------------------

_WIDTH, _LABEL, _ROW = 760, 290, 20


def _forest(
    what: str, rows: Sequence[tuple[str, Interval, str]], low: float, high: float, middle: float
) -> str:
    """Values with their intervals, one below the other, in percent."""
    height = _ROW * len(rows) + 40

    def x(value: float) -> float:
        part = (min(max(value, low), high) - low) / (high - low)
        return round(_LABEL + part * (_WIDTH - _LABEL - 20), 1)

    lines = []
    for step in range(5):
        mark = low + (high - low) * step / 4
        kind = "zero" if abs(mark - middle) < 1e-9 else "grid"
        lines.append(f'<line class="{kind}" x1="{x(mark)}" x2="{x(mark)}" y1="4"'
                     f' y2="{height - 34}"/>')  # fmt: skip
        lines.append(f'<text class="faint" text-anchor="middle" x="{x(mark)}"'
                     f' y="{height - 20}">{100 * mark:.0f}</text>')  # fmt: skip
    lines.append(f'<text class="faint" text-anchor="middle" x="{x((low + high) / 2)}"'
                 f' y="{height - 4}">{escape(what)}</text>')  # fmt: skip
    for place, (label, value, team) in enumerate(rows):
        y = _ROW * place + 16
        lines.append(f'<text text-anchor="end" x="{_LABEL - 12}" y="{y + 4}">{escape(_cut(label))}'
                     f"<title>{escape(label)}</title></text>")  # fmt: skip
        if math.isnan(value.value):
            continue
        lines.append(f'<line class="{team}" x1="{x(value.low)}" x2="{x(value.high)}" y1="{y}"'
                     f' y2="{y}" stroke-width="2"/>')  # fmt: skip
        lines.append(f'<circle class="{team}" cx="{x(value.value)}" cy="{y}" r="4">'
                     f"<title>{escape(label)}: {_percent(value)}</title></circle>")  # fmt: skip
    return _svg(what, height, lines)


def _lines(stats: Stats) -> str:
    """Points of both teams after each round."""
    height, left, bottom = 260, 50, 40
    rounds = len(stats.vp_by_round["axis"])
    if not rounds:
        return ""
    values = [value.value for line in stats.vp_by_round.values() for value in line]
    top = max(20.0, math.ceil(max(values) / 20) * 20.0)

    def x(number: int) -> float:
        return round(left + (_WIDTH - left - 90) * (number / max(1, rounds - 1)), 1)

    def y(points: float) -> float:
        share = min(max(points, 0.0), top) / top
        return round(height - bottom - (height - bottom - 10) * share, 1)

    lines = []
    for step in range(5):
        at = y(top * step / 4)
        lines.append(f'<line class="grid" x1="{left}" x2="{_WIDTH - 90}" y1="{at}" y2="{at}"/>')
        lines.append(f'<text class="faint" text-anchor="end" x="{left - 6}" y="{at + 4}">'
                     f"{top * step / 4:.0f}</text>")  # fmt: skip
    for number in range(0, rounds, max(1, rounds // 10)):
        lines.append(f'<text class="faint" text-anchor="middle" x="{x(number)}"'
                     f' y="{height - bottom + 16}">{number + 1}</text>')  # fmt: skip
    lines.append(f'<text class="faint" text-anchor="middle" x="{_WIDTH / 2}" y="{height - 6}">'
                 f"{escape(say('stats.round'))}</text>")  # fmt: skip
    for team, line in stats.vp_by_round.items():
        if all(math.isfinite(value.low) for value in line):
            over = [f"{x(i)},{y(value.high)}" for i, value in enumerate(line)]
            under = [f"{x(i)},{y(value.low)}" for i, value in enumerate(line)][::-1]
            lines.append(f'<polygon class="{team} band" points="{" ".join(over + under)}"/>')
        path = " L".join(f"{x(i)} {y(value.value)}" for i, value in enumerate(line))
        lines.append(f'<path class="{team}" d="M{path}"/>')
        lines.append(f'<text x="{_WIDTH - 84}" y="{y(line[-1].value) + 4}">'
                     f"{escape(str(team_noun(team)))}</text>")  # fmt: skip
    return _svg(say("stats.by-round"), height, lines)


def _bars(lengths: dict[int, int]) -> str:
    """Games by their number of rounds."""
    height, left, bottom = 180, 50, 40
    first, last = min(lengths), max(lengths)
    most = max(lengths.values())
    step = (_WIDTH - left - 20) / (last - first + 1)
    lines = []
    for rounds in range(first, last + 1):
        count = lengths.get(rounds, 0)
        size = (height - bottom - 20) * count / most
        at = left + step * (rounds - first)
        lines.append(f'<rect class="allies" x="{at + 1:.1f}" width="{max(1.0, step - 2):.1f}"'
                     f' y="{height - bottom - size:.1f}" height="{size:.1f}">'
                     f"<title>{rounds}: {count}</title></rect>")  # fmt: skip
        lines.append(f'<text class="faint" text-anchor="middle" x="{at + step / 2:.1f}"'
                     f' y="{height - bottom + 16}">{rounds}</text>')  # fmt: skip
    lines.append(f'<text class="faint" text-anchor="end" x="{left - 6}" y="24">{most}</text>')
    lines.append(f'<text class="faint" text-anchor="middle" x="{_WIDTH / 2}" y="{height - 6}">'
                 f"{escape(say('stats.rounds'))}</text>")  # fmt: skip
    return _svg(say("stats.lengths"), height, lines)


def _svg(what: str, height: int, lines: list[str]) -> str:
    body = "".join(lines)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(what)}">{body}</svg>'
    )


def _cut(label: str, most: int = 42) -> str:
    return label if len(label) <= most else label[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


# -- tables --------------------------------------------------------------------------------


def _about(id: str, **parts: object) -> str:
    return f'<p class="about">{escape(say(id, **parts))}</p>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _folded(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return (
        f"<details><summary>{escape(say('stats.table'))}</summary>{_table(heads, rows)}</details>"
    )


def _percent(value: Interval) -> str:
    return _number(Interval(*(100 * number for number in value)))


def _number(value: Interval) -> str:
    """
    >>> _number(Interval(1.25, 1, 2)), _number(Interval(3, -math.inf, math.inf))
    ('1.2 [1.0, 2.0]', '3.0')
    """
    if math.isnan(value.value):
        return "-"
    text = f"{value.value:.1f}"
    if not math.isfinite(value.high - value.low):
        return text
    return f"{text} [{value.low:.1f}, {value.high:.1f}]"
