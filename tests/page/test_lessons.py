"""The lessons of the page: their positions can be set up, and what each asks for can be done.

What a learner does is played over the API at a real server, with the bots that the lesson has; the
page's own module tells which steps are done.
"""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as BrowserPage

from browsers import needs_chromium
from quartermaster.forms.record import parse_record
from quartermaster.server.api.pages import page_words
from quartermaster.server.folders import PAGE
from servers import Client, Server

Table = dict[str, Any]
Lesson = dict[str, Any]

LESSONS: list[Lesson] = json.loads((PAGE / "lessons.json").read_text(encoding="utf-8"))
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=[one["id"] for one in LESSONS])


@pytest.fixture
def learner(server: Server) -> Iterator[Client]:
    with server.client("Learner") as one:
        yield one


def begin(learner: Client, lesson: Lesson) -> Table:
    """A table as the page makes it, but with bots that do not dawdle."""
    table: Table = learner.post(
        "/api/games",
        {
            "record": "\n".join(lesson["record"]) + "\n",
            "seats": lesson["seats"],
            "title": f"Lesson: {lesson['id']}",
            "has_spectators": False,
            "has_hints": False,
            "pause": 0,
            "start": True,
        },
    )
    return table


def look(learner: Client, table: Table) -> Table:
    found: Table = learner.get(f"/api/games/{table['id']}")
    return found


def play(learner: Client, table: Table, move: str) -> Table:
    """Do a move as soon as the learner may, in the game or in a window."""
    country, _, text = move.partition(": ")
    until = time.monotonic() + 30
    while not table["your_turn"] and time.monotonic() < until:
        time.sleep(0.05)
        table = look(learner, table)
    if table["window"] is None:
        choices = [action for action in table["actions"] if action["country"] == country]
        assert text in [action["text"] for action in choices], f"{move} is not legal"
        done: Table = learner.move(table, {"country": country, "text": text})
        return done
    for number, ask in enumerate(table["window"]["asks"]):
        if text in [action["text"] for action in ask["actions"]]:
            body = {"number": table["number"], "ask": number, "text": text}
            learner.post(f"/api/games/{table['id']}/answers", body)
            return settled(learner, table)
    raise AssertionError(f"{move} is not asked for")


def settled(learner: Client, table: Table) -> Table:
    """The table once its window has closed."""
    until = time.monotonic() + 30
    number = table["number"]
    while table["number"] == number and time.monotonic() < until:
        time.sleep(0.05)
        table = look(learner, table)
    return table


class Page:
    """The page's own module of lessons, asked whether conditions hold. What only the page knows,
    such as whose supply is shown, it is told not to be so."""

    def __init__(self, page: BrowserPage) -> None:
        self.page = page

    def holds(self, condition: dict[str, Any], table: Table) -> bool:
        now = {"view": table["view"], "log": table["log"]["entries"], "shown": None}
        script = """async ([condition, now]) => {
          const { holds } = await import("/static/js/state/lessons.js");
          return holds(condition, now);
        }"""
        return bool(self.page.evaluate(script, [condition, now]))


@pytest.fixture(scope="module")
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    one = chromium.new_page()
    one.goto(f"{server.url}/learn")
    yield Page(one)
    one.close()


def steps_done(page: Page, lesson: Lesson, table: Table) -> int:
    """How many steps are done, in their order."""
    done = 0
    for step in lesson["steps"]:
        if not page.holds(step["done"], table):
            break
        done += 1
    return done


@needs_chromium
@each_lesson
def test_a_lesson_can_be_played_as_it_says(page: Page, learner: Client, lesson: Lesson) -> None:
    table = look(learner, begin(learner, lesson))
    assert table["status"] == "playing"
    assert table["your_turn"]
    assert steps_done(page, lesson, table) == 0
    counts = []
    for move in lesson["solution"]:
        table = look(learner, play(learner, table, move))
        counts.append(steps_done(page, lesson, table))
    assert counts == sorted(counts), "a step came undone"
    assert counts[-1] == len(lesson["steps"])
    assert len(set(counts)) == len(counts), "each move brings the lesson on"
    for condition in lesson["end"]:
        assert page.holds(condition, table), condition


@each_lesson
def test_a_wrong_move_can_be_taken_back(learner: Client, lesson: Lesson) -> None:
    table = look(learner, begin(learner, lesson))
    before = table["view"]["countries"]
    right = lesson["solution"][0].partition(": ")[2]
    wrong = next(
        action
        for action in table["actions"]
        if action["verb"] == "discard" and action["text"].split()[1] != right.split()[1]
    )
    learner.move(table, wrong)
    table = learner.post(f"/api/games/{table['id']}/undo")
    assert table["view"]["countries"] == before
    assert look(learner, table)["log"]["entries"] == []


@each_lesson
def test_a_lesson_that_is_left_ends_for_good(learner: Client, lesson: Lesson) -> None:
    table = begin(learner, lesson)
    learner.post(f"/api/games/{table['id']}/proposals", {"what": "end"})
    assert look(learner, table)["status"] == "over"


def test_the_bots_of_the_response_lesson_attack_every_time(learner: Client) -> None:
    lesson = next(one for one in LESSONS if one["id"] == "response")
    for _ in range(5):
        table = begin(learner, lesson)
        for move in lesson["solution"]:
            table = play(learner, table, move)
        assert "ukraine" in table["view"]["countries"]["soviet-union"]["armies"]


# The texts.


@each_lesson
def test_every_step_has_its_text(lesson: Lesson) -> None:
    words = page_words("en")
    id = f"lesson.{lesson['id']}"
    wanted = [f"{id}.title", f"{id}.teaches", f"{id}.done"]
    wanted += [f"{id}.{step['id']}" for step in lesson["steps"]]
    assert [one for one in wanted if one not in words] == []
    assert 2 <= len(lesson["steps"]) <= 5
    assert len(f"Lesson 1: {words[f'{id}.title']}") <= 60  # as long as a table's title may be


@each_lesson
def test_what_is_pointed_at_is_there(lesson: Lesson) -> None:
    """Cards are in the learner's hand, spaces and actions those of the solution."""
    position = parse_record("\n".join(lesson["record"])).position
    assert position is not None
    mine = next(seat["countries"] for seat in lesson["seats"] if seat["who"] == "me")
    cards = {card for country in mine for card in position["hand"][country]}
    moves = {move.partition(": ")[2] for move in lesson["solution"]}
    for step in lesson["steps"]:
        point = step["point"]
        assert set(point.get("cards", [])) <= cards
        assert set(point.get("actions", [])) <= moves
        if "card" in step.get("turn", {}):
            assert step["turn"]["card"] in cards


def test_the_rulebook_has_all_its_texts() -> None:
    """Everything that rules.js names is in the catalogue, and the other way round."""
    words = {id for id in page_words("en") if id.startswith("rulebook.")}
    source = (PAGE / "js/screens/rules.js").read_text(encoding="utf-8")
    named = set(re.findall(r't\("(rulebook\.[a-z.-]+)"', source))
    sections = source[source.index("const SECTIONS") : source.index("const EDITIONS")]
    for block in re.split(r"\{\s*id: ", sections)[1:]:
        section = re.match(r'"([a-z-]+)"', block)
        assert section is not None
        named.add(f"rulebook.{section[1]}")
        for id, count in re.findall(r'part\("([a-z-]+)"(?:, (\d))?', block):
            named.add(f"rulebook.{section[1]}.{id}")
            numbers = range(1, int(count or 1) + 1)
            named |= {f"rulebook.{section[1]}.{id}.{n}" for n in numbers}
    rows = re.search(r"const ROWS = \[(.*?)\]", source, re.DOTALL)
    assert rows is not None
    for row in re.findall(r'"([a-z]+)"', rows[1]):
        named.add(f"rulebook.row.{row}")
        named |= {f"rulebook.row.{row}.{edition}" for edition in ("first", "french", "second")}
    assert named == words


def test_lessons_lead_to_places_in_the_rules() -> None:
    words = page_words("en")
    for lesson in LESSONS:
        section, _, part = lesson["rules"].partition("-")
        assert f"rulebook.{section}" in words
        assert not part or f"rulebook.{section}.{part}" in words


def test_files_are_where_the_page_looks(server: Server) -> None:
    modules = ("/static/js/state/lessons.js", "/static/js/screens/learn.js")
    for path in ("/static/lessons.json", *modules, "/learn"):
        assert httpx.get(server.url + path).status_code == 200
    styles = re.findall(
        r'href="(/static/[0-9a-f]+/styles/[a-z]+\.css)"', httpx.get(server.url + "/learn").text
    )
    assert styles
    assert all(httpx.get(server.url + path).status_code == 200 for path in styles)
