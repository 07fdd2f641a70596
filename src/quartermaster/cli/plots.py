"""Charts of arena games, with matplotlib if it is there."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quartermaster.errors import QuartermasterError
from quartermaster.lab.ratings import Interval
from quartermaster.lab.standings import PairingReport, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ENDINGS = (".png", ".svg")
# Colours that people who see few colours can tell apart (Okabe and Ito), with a marker each.
_BOT_LOOKS = (
    ("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"),
    ("#E69F00", "v"), ("#56B4E9", "P"), ("#000000", "X"),
)  # fmt: skip
_SIDE_LOOKS = {
    "both sides": ("#000000", "o"), "as Axis": ("#D55E00", "s"), "as Allies": ("#0072B2", "^"),
}  # fmt: skip


def check_plot(path: Path) -> None:
    """Refuse now what would fail after hours of games."""
    if path.suffix.lower() not in _ENDINGS:
        raise QuartermasterError(f"--plot {path}: expected a file that ends in .png or .svg")
    if not path.parent.is_dir():
        raise QuartermasterError(f"--plot {path}: there is no folder {path.parent}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise QuartermasterError(
            "--plot needs matplotlib: pip install 'quartermaster-game[plot]'"
        ) from None


def save_plot(path: Path, reports: Sequence[Report]) -> None:
    """Two panels for each rule set; the same reports always give the same file."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    heights = [max(2.6, 0.9 + 0.75 * len(report.pairings)) for report in reports]
    look: dict[Any, Any] = {
        "svg.hashsalt": "quartermaster",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10,
        "axes.titlesize": 11,
    }
    with rc_context(look):
        figure = Figure(figsize=(11, 1.2 + sum(heights) * 1.25), dpi=150)
        figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.12)
        panels = figure.subplots(len(reports), 2, squeeze=False, height_ratios=heights)
        for row, report in zip(panels, reports, strict=True):
            _draw_rates(row[0], report)
            _draw_points(row[1], report)
        is_svg = path.suffix.lower() == ".svg"
        figure.savefig(path, metadata={"Date": None} if is_svg else None)


def _draw_rates(axes: "Axes", report: Report) -> None:
    for number, pairing in enumerate(report.pairings):
        sides = _sides(pairing)
        for place, (side, won) in enumerate(sides):
            if math.isnan(won.value):
                continue
            colour, marker = _SIDE_LOOKS[side]
            # Each side a little lower than the one before.
            y = number + (place - (len(sides) - 1) / 2) * 0.22
            ends = [[100 * (won.value - won.low)], [100 * (won.high - won.value)]]
            axes.errorbar(
                [100 * won.value], [y], xerr=ends, color=colour, marker=marker, capsize=3,
                markersize=7, linewidth=1.5, label=side if number == 0 else None,
            )  # fmt: skip
    axes.axvline(50, color="0.6", linewidth=1, linestyle="--", zorder=0)
    axes.set_xlim(-2, 102)
    axes.set_ylim(len(report.pairings) - 0.5, -0.7)  # the first on top, below the legend
    axes.set_yticks(range(len(report.pairings)), ["\nv ".join(p.labels) for p in report.pairings])
    axes.set_xlabel("games won, % (95% interval)")
    axes.set_title(f"Win rate of the bot named first, {report.title}")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    if not report.pairings[0].is_self_play:
        axes.legend(loc="upper center", ncols=3, fontsize=9)


def _sides(pairing: PairingReport) -> list[tuple[str, Interval]]:
    sides = [("both sides", pairing.win_rate)]
    if not pairing.is_self_play:
        sides += [("as Axis", pairing.as_axis), ("as Allies", pairing.as_allies)]
    return sides


def _draw_points(axes: "Axes", report: Report) -> None:
    for number, (label, line) in enumerate(report.vp_by_round.items()):
        colour, marker = _BOT_LOOKS[number % len(_BOT_LOOKS)]
        rounds = range(1, len(line) + 1)
        axes.plot(
            rounds, [points.value for points in line], color=colour, marker=marker,
            markersize=4.5, linewidth=1.5, label=label,
        )  # fmt: skip
        if math.isfinite(line[0].low):
            low, high = [points.low for points in line], [points.high for points in line]
            axes.fill_between(rounds, low, high, color=colour, alpha=0.2, linewidth=0)
    last = max(len(line) for line in report.vp_by_round.values())
    axes.set_xticks([1, *range(5, last + 1, 5)])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("round (a game that ended early keeps its last score)")
    axes.set_ylabel("mean VP of the bot's team")
    axes.set_title(f"VP after each round, {report.games} games")
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", fontsize=9)
