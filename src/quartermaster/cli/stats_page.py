"""Statistics as a page: one file with its own styles, letters and drawings, in the look of the
game by day and by night; every drawing also as a table."""

from collections.abc import Sequence
from html import escape

from quartermaster.cards.rule_sets import load_rules
from quartermaster.cli.stats_drawings import (
    Mark,
    bars,
    forest,
    lines,
    number,
    percent,
    style,
    with_interval,
)
from quartermaster.forms.notation import country_index
from quartermaster.lab.stats import OPENING_ROUNDS, CardStat, OpeningStat, Stats
from quartermaster.rules.names import COUNTRIES, TEAMS, team_of
from quartermaster.speech.nouns import card_noun, country_noun, team_noun
from quartermaster.speech.say import say, spoken
from quartermaster.version import VERSION

_MOST_OPENINGS = 10  # of a country that are shown
_FEW = 100  # games with which most differences are chance, and the page says so


def stats_page(found: Sequence[Stats]) -> str:
    """The page, in the language spoken; the same games always give the same page."""
    title = say("stats.title")
    parts = [f"<header><h1>{escape(title)}</h1>", _about("stats.intervals"), "</header>", "<main>"]
    for stats in found:
        parts += _section(stats)
    parts += ["</main>", f"<footer>Quartermaster {escape(VERSION)}</footer>"]
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>\n"
        + "\n".join(parts)
        + "\n</html>\n"
    )


def _section(stats: Stats) -> list[str]:
    is_air = stats.options.get("air-marshal", False)
    head = say("stats.rules-air" if is_air else "stats.rules", rules=stats.rules)
    parts = [f"<h2>{escape(head)}</h2>"]
    if stats.games < _FEW:
        parts.append(f'<p class="few">{escape(say("stats.few"))}</p>')
    parts += [_tiles(stats), *_sides(stats), *_rounds(stats)]
    names = _names(stats)
    parts += [f"<h3>{escape(say('stats.openings'))}</h3>"]
    parts.append(_about("stats.openings.about", n=OPENING_ROUNDS))
    parts.append('<div class="countries">')
    for country in COUNTRIES:
        openings = [one for one in stats.openings if one.country == country][:_MOST_OPENINGS]
        parts += _openings(country, openings, names)
    parts += ["</div>", f"<h3>{escape(say('stats.cards'))}</h3>", _about("stats.cards.about")]
    parts.append('<div class="countries">')
    for country in COUNTRIES:
        parts += _cards(country, [one for one in stats.cards if one.country == country], names)
    return [*parts, "</div>"]


def _tiles(stats: Stats) -> str:
    """What is asked for first, in large figures."""
    told = [
        ("stats.games", f"{stats.games:,}"),
        ("stats.axis-wins", percent(stats.wins["axis"])),
        ("stats.rounds", number(stats.rounds)),
        ("stats.decisions", number(stats.decisions)),
    ]
    tiles = []
    for id, text in told:
        value, _, ends = text.partition(" ")
        small = f" <small>{escape(ends)}</small>" if ends else ""
        tiles.append(f'<div class="tile"><b>{escape(value)}</b>{escape(say(id))}{small}</div>')
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _sides(stats: Stats) -> list[str]:
    heads = [*(str(team_noun(team)) for team in TEAMS), say("stats.games"), say("stats.axis-wins")]
    return [
        f"<h3>{escape(say('stats.sides'))}</h3>",
        _about("stats.legend"),
        forest(
            say("stats.wins"),
            [Mark(str(team_noun(team)), stats.wins[team], team) for team in TEAMS],
            0,
            1,
        ),
        _folded(
            [say("stats.team"), say("stats.wins"), say("stats.vp")],
            [
                [str(team_noun(team)), percent(stats.wins[team]), number(stats.vp[team])]
                for team in TEAMS
            ],
        ),
        f"<h3>{escape(say('stats.who'))}</h3>",
        _table(
            heads,
            [
                [axis, allies, str(games), percent(won)]
                for axis, allies, games, won in stats.matches
            ],
            "names",
        ),
    ]


def _rounds(stats: Stats) -> list[str]:
    names = {team: str(team_noun(team)) for team in TEAMS}
    return [
        f"<h3>{escape(say('stats.by-round'))}</h3>",
        _about("stats.by-round.about"),
        lines(stats.vp_by_round, names, say("stats.vp"), say("stats.round")),
        _folded(
            [say("stats.round"), *names.values()],
            [
                [str(each), *(number(stats.vp_by_round[team][each - 1]) for team in TEAMS)]
                for each in range(1, len(stats.vp_by_round["axis"]) + 1)
            ],
        ),
        f"<h3>{escape(say('stats.lengths'))}</h3>",
        bars(stats.lengths, say("stats.games"), say("stats.rounds")),
        _folded(
            [say("stats.round"), say("stats.games")],
            [[str(rounds), str(count)] for rounds, count in stats.lengths.items()],
        ),
    ]


def _heading(country: str) -> str:
    name = escape(str(country_noun(country)))
    return f'<h4><i class="{country}"></i>{name}</h4>'


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
        "<section>",
        _heading(country),
        forest(
            say("stats.won"),
            [
                Mark(label, one.won, team, one.games)
                for label, one in zip(labels, openings, strict=True)
            ],
            0, 1,
        ),
        _folded(
            [say("stats.opening"), say("stats.games"), say("stats.share"), say("stats.won")],
            [
                [label, str(one.games), percent(one.share), percent(one.won)]
                for label, one in zip(labels, openings, strict=True)
            ],
        ),
        "</section>",
    ]  # fmt: skip


def _cards(country: str, cards: list[CardStat], names: dict[tuple[str, str], str]) -> list[str]:
    if not cards:
        return []
    team = _team(country)
    labels = [names.get((country, one.card), one.card) for one in cards]
    heads = ("stats.card", "stats.games", "stats.share", "stats.with", "stats.without")
    return [
        "<section>",
        _heading(country),
        forest(
            say("stats.gain"),
            [
                Mark(label, one.gain, team, one.games)
                for label, one in zip(labels, cards, strict=True)
            ],
            -0.5, 0.5,
        ),
        _folded(
            [*map(say, heads), say("stats.gain")],
            [
                [label, str(one.games), percent(one.share), percent(one.won),
                 percent(one.without), percent(one.gain)]
                for label, one in zip(labels, cards, strict=True)
            ],
        ),
        "</section>",
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


# -- tables --------------------------------------------------------------------------------


def _about(id: str, **parts: object) -> str:
    return f"<p>{escape(say(id, **parts))}</p>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{with_interval(escape(text))}</td>" for text in row) + "</tr>"
        for row in rows
    )
    sort = f' class="{kind}"' if kind else ""
    return f'<div class="scroll"><table{sort}><tr>{head}</tr>{body}</table></div>'


def _folded(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return (
        f"<details><summary>{escape(say('stats.table'))}</summary>{_table(heads, rows)}</details>"
    )
