"""Drawings of a page of statistics, which stretch with the page while their words keep their
size; and its styles, those of the game."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from quartermaster.lab.ratings import Interval
from quartermaster.rules.names import COUNTRIES, TEAMS

_FONTS = (
    ("Barlow Condensed", 500, "barlow-condensed-500"),
    ("Barlow Condensed", 700, "barlow-condensed-700"),
    ("Vollkorn", 400, "vollkorn-400"),
)
_COLOURS = {  # as on the page of the game, by day and by night
    "germany": "#2b2a33", "united-kingdom": "#4a37cc", "japan": "#f3ba22",
    "soviet-union": "#b3301d", "italy": "#0f8270", "united-states": "#bcd9e7",
}  # fmt: skip
_STYLE = """
:root { color-scheme: light dark; --ground: #faf3e2; --panel: #fffaf0; --ink: #221d14;
  --soft: #5d5340; --line: #dccfae; --even: #8a7a57; --axis: #b5651d; --allies: #2f7fb5;
  --desk: #26312d; --desk-text: #f3ead6; --desk-soft: #b9c2b6; --brass: #e0ac3f; }
@media (prefers-color-scheme: dark) { :root { --ground: #14191a; --panel: #1c2324; --ink: #efe6d2;
  --soft: #a7afa6; --line: #333d3d; --even: #8f845f; --axis: #f0b27a; --allies: #9fd0f2;
  --desk: #0c1011; --desk-text: #efe6d2; --desk-soft: #a7afa6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 17px/1.45 Vollkorn, Georgia, serif; }
h1, h2, h3, h4, th, summary, .tile, .row, .axes, .key, footer {
  font-family: "Barlow Condensed", "Arial Narrow", system-ui, sans-serif; font-weight: 500; }
header { background: var(--desk); color: var(--desk-text); border-bottom: 3px solid var(--brass);
  padding: 28px 0 20px; }
header p { color: var(--desk-soft); margin: 8px 0 0; max-width: 46rem; }
header, main, footer { padding-left: max(16px, calc(50vw - 34rem));
  padding-right: max(16px, calc(50vw - 34rem)); }
h1, h2, h3, h4 { line-height: 1.15; font-weight: 700; }
h1 { font-size: 40px; margin: 0; }
h2 { font-size: 30px; margin: 32px 0 12px; }
h3 { font-size: 24px; margin: 36px 0 4px; padding-top: 12px; border-top: 1px solid var(--line); }
h4 { font-size: 19px; margin: 20px 0 6px; }
h4 i { display: inline-block; width: .7em; height: .7em; margin-right: .4em; border-radius: 2px;
  border: 1px solid var(--even); }
p { margin: 4px 0 12px; max-width: 46rem; color: var(--soft); }
.few { border-left: 3px solid var(--brass); padding: 2px 0 2px 12px; color: var(--ink); }
.tiles, .countries { display: grid; gap: 12px; }
.tiles { grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); }
.countries { grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  column-gap: 40px; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: 10px 14px; color: var(--soft); font-size: 15px; }
.tile b { display: block; font-size: 30px; line-height: 1.1; color: var(--ink); }
.row { display: grid; grid-template-columns: minmax(6rem, 12.5rem) minmax(6rem, 1fr) 8rem;
  align-items: center; gap: 0 14px; font-size: 16px; line-height: 1.25; min-height: 26px; }
.row small, .tile small { color: var(--soft); font-size: .85em; }
.row .name { text-align: right; overflow-wrap: anywhere; }
.row .value { font-variant-numeric: tabular-nums; white-space: nowrap; }
.track { position: relative; align-self: stretch; min-height: 18px; --g: var(--line);
  background: linear-gradient(var(--g), var(--g)) 0 0 / 1px 100%,
  linear-gradient(var(--g), var(--g)) 25% 0 / 1px 100%,
  linear-gradient(var(--even), var(--even)) 50% 0 / 1px 100%,
  linear-gradient(var(--g), var(--g)) 75% 0 / 1px 100%,
  linear-gradient(var(--g), var(--g)) 100% 0 / 1px 100%; background-repeat: no-repeat; }
.track i { position: absolute; top: 50%; background: currentColor; }
.track .reach { height: 3px; margin-top: -1.5px; border-radius: 2px; opacity: .75; }
.track .dot { width: 11px; height: 11px; margin: -5.5px; border-radius: 50%;
  border: 1.5px solid var(--ground); }
.ticks .track { background: none; }
.track span, .axes span { position: absolute; transform: translateX(-50%); }
.ticks { color: var(--soft); font-size: 13px; }
.axis { color: var(--axis); } .allies { color: var(--allies); } .all { color: var(--brass); }
.key { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 15px; }
.key i { display: inline-block; width: 18px; height: 4px; margin: 0 6px 4px 0; border-radius: 2px;
  background: currentColor; }
.key span span { color: var(--ink); }
.axes { position: relative; height: 260px; margin: 34px 12px 44px 44px; font-size: 13px;
  color: var(--soft); border-bottom: 1px solid var(--even); }
.axes svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.axes line { stroke: var(--line); } .axes line, .axes path { vector-effect: non-scaling-stroke; }
.axes path { fill: none; stroke: currentColor; stroke-width: 2.5; }
.axes polygon { fill: currentColor; opacity: .2; }
.axes .up { right: calc(100% + 8px); transform: translateY(50%); }
.axes .along { top: calc(100% + 4px); }
.axes .what { top: calc(100% + 22px); left: 50%; white-space: nowrap; }
.axes .what-up { bottom: calc(100% + 12px); left: -38px; transform: none; white-space: nowrap; }
.bars { height: 180px; }
.bars i { position: absolute; bottom: 0; background: var(--brass); border-radius: 2px 2px 0 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: 6px 0 14px;
  font-size: 15px; font-family: "Barlow Condensed", "Arial Narrow", system-ui, sans-serif; }
th, td { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); text-align: right; }
th { font-weight: 700; vertical-align: bottom; } td { font-variant-numeric: tabular-nums; }
th:first-child, td:first-child, .names td:nth-child(2), .names th:nth-child(2) {
  text-align: left; }
summary { cursor: pointer; color: var(--soft); font-size: 15px; padding: 8px 0; }
footer { color: var(--soft); font-size: 14px; padding-top: 24px; padding-bottom: 40px; }
@media (max-width: 40rem) {
  h1 { font-size: 32px; }
  .row { grid-template-columns: 1fr auto; padding: 3px 0 5px; }
  .row .name { text-align: left; } .row .track { grid-column: 1 / -1; grid-row: 2; }
  .ticks .name { display: none; } .ticks .value { grid-row: 1; grid-column: 1 / -1; }
}
@media print { header { background: none; color: var(--ink); } summary { display: none; } }
"""


def style() -> str:
    """The styles of the page, its letters included: it is one file."""
    folder = files("quartermaster") / "page" / "fonts"
    faces = []
    for family, weight, name in _FONTS:
        data = b64encode((folder / f"{name}.woff2").read_bytes()).decode()
        faces.append(
            f'@font-face {{ font-family: "{family}"; font-weight: {weight};'
            f' src: url(data:font/woff2;base64,{data}) format("woff2"); }}'
        )
    chips = [f"h4 .{country} {{ background: {_COLOURS[country]}; }}" for country in COUNTRIES]
    return "\n".join([*faces, _STYLE, *chips, ""])


@dataclass(frozen=True)
class Mark:
    """A value with its interval, as a share of 1; and of how many games, if that is told."""

    name: str
    value: Interval
    team: str
    games: int | None = None


def forest(what: str, marks: Sequence[Mark], low: float, high: float) -> str:
    """Values with their intervals, one below the other, in percent; the line in the middle is
    where nobody is better."""

    def at(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / (high - low), 1)

    rows = []
    for mark in marks:
        name = escape(mark.name)
        if mark.games is not None:
            name += f" <small>({mark.games})</small>"
        drawn = ""
        if not math.isnan(mark.value.value):
            left, right = at(mark.value.low), at(mark.value.high)
            drawn = (
                f'<i class="reach" style="left:{left}%;width:{round(right - left, 1)}%"></i>'
                f'<i class="dot" style="left:{at(mark.value.value)}%"></i>'
            )
        rows.append(
            f'<div class="row"><span class="name">{name}</span>'
            f'<span class="track {mark.team}" aria-hidden="true">{drawn}</span>'
            f'<span class="value">{with_interval(percent(mark.value))}</span></div>'
        )
    ticks = "".join(
        f'<span style="left:{25 * step}%">{100 * (low + (high - low) * step / 4):.0f}</span>'
        for step in range(5)
    )
    rows.append(
        f'<div class="row ticks"><span class="name"></span><span class="track" aria-hidden="true">'
        f'{ticks}</span><span class="value">{escape(what)}</span></div>'
    )
    return f'<div class="forest" role="group" aria-label="{escape(what)}">{"".join(rows)}</div>'


def lines(
    curves: Mapping[str, Sequence[Interval]], names: Mapping[str, str], what: str, along: str
) -> str:
    """A curve for each team over the rounds, with a band that is its interval."""
    rounds = len(curves[TEAMS[0]])
    highest = max(
        value.high if math.isfinite(value.high) else value.value
        for curve in curves.values()
        for value in curve
    )
    top = max(20.0, math.ceil(highest / 20) * 20.0)

    def x(place: int) -> float:
        return round(100 * place / max(1, rounds - 1), 2)

    def y(points: float) -> float:
        return round(100 - 100 * min(max(points, 0.0), top) / top, 2)

    drawn, words = [], []
    for step in range(5):
        height = top * step / 4
        drawn.append(f'<line x1="0" x2="100" y1="{y(height)}" y2="{y(height)}"/>')
        words.append(f'<span class="up" style="bottom:{25 * step}%">{height:.0f}</span>')
    for place in range(0, rounds, max(1, rounds // 10)):
        words.append(f'<span class="along" style="left:{x(place)}%">{place + 1}</span>')
    key = []
    for team, curve in curves.items():
        if all(math.isfinite(value.low) for value in curve):
            over = [f"{x(i)},{y(value.high)}" for i, value in enumerate(curve)]
            under = [f"{x(i)},{y(value.low)}" for i, value in enumerate(curve)][::-1]
            drawn.append(f'<polygon class="{team}" points="{" ".join(over + under)}"/>')
        path = " L".join(f"{x(i)} {y(value.value)}" for i, value in enumerate(curve))
        drawn.append(f'<path class="{team}" d="M{path}"/>')
        last = with_interval(number(curve[-1]))
        key.append(f'<span class="{team}"><i></i><span>{escape(names[team])} {last}</span></span>')
    body = "".join(drawn)
    return (
        f'<div class="key">{"".join(key)}</div><div class="axes" role="img"'
        f' aria-label="{escape(what)}"><svg viewBox="0 0 100 100" preserveAspectRatio="none">'
        f"{body}</svg>{''.join(words)}{_titles(what, along)}</div>"
    )


def bars(counts: Mapping[int, int], what: str, along: str) -> str:
    """How often there was each number, from the least to the greatest."""
    first, last = min(counts), max(counts)
    most = max(counts.values())
    width = min(8.0, 100 / (last - first + 1))
    drawn = []
    for each in range(first, last + 1):
        count = counts.get(each, 0)
        left, height = width * (each - first), round(100 * count / most, 1)
        middle = f"left:{left + width / 2:.2f}%"
        drawn.append(
            f'<i style="left:{left + width * 0.1:.2f}%;width:{width * 0.8:.2f}%;'
            f'height:{height}%"></i><span class="along" style="{middle}">{each}</span>'
        )
        if count:
            drawn.append(f'<span style="{middle};bottom:{height}%">{count}</span>')
    return (
        f'<div class="axes bars" role="img" aria-label="{escape(what)}">'
        f"{''.join(drawn)}{_titles(what, along)}</div>"
    )


def _titles(what: str, along: str) -> str:
    return f'<span class="what-up">{escape(what)}</span><span class="what">{escape(along)}</span>'


def with_interval(text: str) -> str:
    """A value as it is written, what stands in brackets smaller.

    >>> with_interval("1.2 [1.0, 2.0]"), with_interval("3.0")
    ('1.2 <small>[1.0, 2.0]</small>', '3.0')
    """
    value, bracket, ends = text.partition(" [")
    return f"{value} <small>[{ends}</small>" if bracket else value


def percent(value: Interval) -> str:
    """A share of 1 in percent."""
    return number(Interval(*(100 * one for one in value)))


def number(value: Interval) -> str:
    """
    >>> number(Interval(1.25, 1, 2)), number(Interval(3, -math.inf, math.inf))
    ('1.2 [1.0, 2.0]', '3.0')
    """
    if math.isnan(value.value):
        return "-"
    text = f"{value.value:.1f}"
    if not math.isfinite(value.high - value.low):
        return text
    return f"{text} [{value.low:.1f}, {value.high:.1f}]"
