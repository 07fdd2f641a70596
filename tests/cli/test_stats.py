"""Statistics over games: the numbers against counting by hand, and the page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import play_match
from quartermaster.cli.main import app
from quartermaster.cli.stats_page import stats_page
from quartermaster.lab.games import Row, row_of
from quartermaster.lab.ratings import mean, wilson
from quartermaster.lab.stats import make_stats
from quartermaster.speech.say import languages, speaking

runner = CliRunner()
AXIS = ("germany", "japan", "italy")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    bots = ["random", "rookie"]
    return [row_of(play_match(bots, seed=seed), seed, bots) for seed in range(4)] + [
        row_of(play_match(["random"], seed=seed), seed, ["random"]) for seed in range(4)
    ]


def test_numbers_against_counting_by_hand(rows: list[Row]) -> None:
    [stats] = make_stats(rows)
    won = sum(row["winner"] == "axis" for row in rows)
    assert stats.games == 8
    assert stats.wins["axis"] == wilson(won, 8)
    assert stats.vp["allies"] == pytest.approx(mean([[row["score"]["allies"]] for row in rows]))
    assert stats.rounds.value == sum(row["rounds"] for row in rows) / 8
    assert sum(stats.lengths.values()) == 8
    assert [(axis, allies, games) for axis, allies, games, _ in stats.matches] == [
        ("random", "random", 4),
        ("random", "rookie", 4),
    ]
    for one in stats.cards:
        with_it = [
            row
            for row in rows
            if any(
                (card["country"], card["card"]) == (one.country, one.card)
                for turn in row["turns"]
                for card in turn["cards"]
            )
        ]
        team = "axis" if one.country in AXIS else "allies"
        assert one.games == len(with_it) > 0
        assert one.won == wilson(sum(row["winner"] == team for row in with_it), len(with_it))
    last = stats.vp_by_round["axis"][-1]
    assert last.value == pytest.approx(sum(row["score"]["axis"] for row in rows) / 8)
    halfway = [
        [turn["vp"]["allies"] for turn in row["turns"] if turn["round"] <= 5][-1] for row in rows
    ]
    assert stats.vp_by_round["allies"][4].value == pytest.approx(sum(halfway) / 8)
    for country in (*AXIS, "united-kingdom", "soviet-union", "united-states"):
        assert sum(one.games for one in stats.openings if one.country == country) == 8
    assert make_stats(rows[::-1])[0].to_dict() == stats.to_dict(), "in any order"


def test_rule_sets_are_told_apart(rows: list[Row]) -> None:
    other = row_of(play_match(["random"], "first", seed=1), 0, ["random"])
    assert [(one.rules, one.games) for one in make_stats([*rows, other])] == [
        ("first", 1),
        ("second", 8),
    ]


class Outline(HTMLParser):
    """What a page is made of; every tag is closed in order."""

    void = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attributes if name in ("src", "href")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_stands_alone_and_has_every_drawing_as_a_table(rows: list[Row]) -> None:
    found = make_stats(rows)
    page = stats_page(found)
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert outline.links == []
    assert "http" not in page
    assert "prefers-color-scheme: dark" in page
    assert outline.tags.count("svg") == 1
    assert page.count('class="forest"') == 1 + 12
    assert outline.tags.count("table") == 2 + 2 + 12
    assert "script" not in outline.tags
    assert re.search(r"\d\.\d \[\d+\.\d, \d+\.\d\]", outline.text), "values have their intervals"
    assert "nan" not in outline.text
    assert page == stats_page(make_stats(rows)), "the same games, the same page"
    assert page.count("data:font/woff2;base64,") == 3, "in the letters of the game"
    assert "So few games tell little" in outline.text
    for words in ("Mean victory points", "Rounds a game", "Who played", "its 95% interval"):
        assert words in outline.text, "drawings say what they show"


@pytest.mark.parametrize("language", [name for name in languages() if name != "en"])
def test_the_page_speaks_the_language_of_its_reader(language: str, rows: list[Row]) -> None:
    with speaking(language):
        page = stats_page(make_stats(rows))
    assert f'<html lang="{language}">' in page
    for words in ("in numbers", "Openings", "Games won", "As a table", "Every value", "percentage"):
        assert words not in page


def test_names_in_files_are_shown_and_not_run(rows: list[Row]) -> None:
    row: Row = {**rows[0], "bots": ["<script>alert(1)</script>", "x"]}
    page = stats_page(make_stats([row]))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_command(tmp_path: Path) -> None:
    def run(*arguments: str, code: int = 0) -> str:
        result = runner.invoke(app, list(arguments), env={"COLUMNS": "200"})
        assert result.exit_code == code, result.output
        return result.stdout if code == 0 else result.output

    games = tmp_path / "games"
    games.mkdir()
    run("simulate", "-n", "3", "--out", str(games / "a.jsonl"))
    (games / "b.txt").write_text(play_match(["random"], seed=77).game.record)
    page = tmp_path / "stats.html"
    assert f"4 games; written to {page}" in run("stats", str(games), "--out", str(page))
    assert page.read_text().startswith("<!doctype html>")
    [data] = json.loads(run("stats", str(games), "--json"))
    assert data["games"] == 4
    assert len(data["win_rate"]["axis"]) == 3
    assert "or --json for the numbers" in run("stats", str(games), code=2)
    assert "ends in .html" in run("stats", str(games), "--out", "x.pdf", code=2)
    assert "no such file or folder" in run("stats", str(tmp_path / "no"), "--json", code=2)
    (games / "c.jsonl").write_text('{"rules": "second", "axis": "random"}\n')
    assert "is it a file of simulate?" in run("stats", str(games), "--json", code=2)


def test_a_single_game_and_many_are_shown_as_well(rows: list[Row]) -> None:
    """One game has no interval, many have no warning; no position leaves its drawing."""
    pages = [stats_page(make_stats(rows[:1])), stats_page(make_stats(rows * 13))]
    for page in pages:
        outline = Outline()
        outline.feed(page)
        assert "nan" not in outline.text
        assert "inf" not in outline.text
        for place in re.findall(r"(?:left|width|height|bottom):(-?[\d.]+)%", page):
            assert 0 <= float(place) <= 100
    assert ["So few games" in page for page in pages] == [True, False]
