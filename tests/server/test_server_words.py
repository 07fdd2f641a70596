"""What the server says to people: each in their own language, and each refusal with its code.

There is only English yet, so a server of these tests has it in « » and calls that French.
"""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, sync_playwright

import quartermaster.server
from browsers import CHROMIUM, needs_chromium
from quartermaster import Game
from quartermaster.server.edge.languages import wished_languages
from quartermaster.server.folders import PAGE
from quartermaster.speech import say as words
from servers import ALLIES, AXIS, ApiError, Client, Server, two_seats
from webhooks import receiver, wait_for

FRENCH = {"accept-language": "fr-CH, fr;q=0.9, en;q=0.5"}
NO_GAME = "/api/games/nosuchgame"


class FrenchServer(Server):
    module = "french"
    is_forked = False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("french")
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, paths))
    url = f"sqlite:///{folder}/games.db"
    with FrenchServer(url, folder, PYTHONPATH=path, QUARTERMASTER_PRIVATE_WEBHOOKS="1") as one:
        yield one


@pytest.fixture
def anna(server: Server) -> Iterator[Client]:
    """She speaks English."""
    with server.client("Anna") as one:
        yield one


@pytest.fixture
def bruno(server: Server) -> Iterator[Client]:
    """He speaks French."""
    with server.client("Bruno") as one:
        one.http.headers.update(FRENCH)
        yield one


@pytest.fixture
def cora(server: Server) -> Iterator[Client]:
    """She speaks English, and only looks on."""
    with server.client("Cora") as one:
        yield one


# Refusals.


def test_a_refusal_tells_its_code_and_its_sentence(anna: Client, bruno: Client) -> None:
    answer = anna.http.get(NO_GAME)
    assert answer.status_code == 404
    assert answer.json() == {"code": "no-such-game", "error": "there is no game 'nosuchgame'"}
    assert bruno.http.get(NO_GAME).json() == {
        "code": "no-such-game", "error": "« there is no game 'nosuchgame' »",
    }  # fmt: skip


def test_what_the_library_refuses_has_a_code_too(anna: Client) -> None:
    table = anna.post("/api/games", {"seats": two_seats(), "start": True})
    number, game = table["number"], f"/api/games/{table['id']}"
    illegal = {"number": number, "country": "germany", "text": "play nothing"}
    for path, body, status, code in (
        (f"{game}/moves", illegal, 422, "illegal-action"),
        ("/api/games", {"rules": "third"}, 422, "unknown-name"),
        ("/api/games", {"record": "x"}, 422, "broken-file"),
        ("/api/games", {"seats": "all"}, 400, "malformed"),
    ):
        with pytest.raises(ApiError) as refused:
            anna.post(path, body)
        assert (refused.value.status, refused.value.code) == (status, code)


def test_what_the_library_refuses_is_said_first_in_the_readers_language(bruno: Client) -> None:
    """Then in full, as who wrote the file or program needs it."""
    for body, opening in (
        ({"record": "x"}, "« this file cannot be read"),
        ({"rules": "third"}, "« this cannot be done"),
    ):
        answer = bruno.http.post("/api/games", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith(opening)
        assert "expected" in answer.json()["error"]


@pytest.mark.parametrize(
    ("query", "headers", "language"),
    [
        ("", {}, "en"),
        ("", FRENCH, "fr"),
        ("", {"accept-language": "de, en;q=0.8, fr;q=0.2"}, "en"),
        ("", {"accept-language": "tlh"}, "en"),
        ("", {"cookie": "theme=dark; language=fr"}, "fr"),
        ("", {"cookie": "language=en"} | FRENCH, "en"),
        ("", {"cookie": "language=tlh"} | FRENCH, "fr"),
        ("?language=fr", {"cookie": "language=en"}, "fr"),
        ("?lang=fr", {"cookie": "language=en"}, "fr"),
        ("?lang=tlh", FRENCH, "fr"),
        ("?language=../fr", {}, "en"),
    ],
)
def test_the_language_is_asked_for_or_kept_or_the_browsers(
    server: Server, query: str, headers: dict[str, str], language: str
) -> None:
    answer = httpx.get(f"{server.url}{NO_GAME}{query}", headers=headers)
    assert answer.headers["content-language"] == language
    assert "accept-language" in answer.headers["vary"]
    assert answer.json()["error"].startswith("«") == (language == "fr")


def test_all_that_stands_before_the_handlers_speaks_it_too(server: Server) -> None:
    foreign = FRENCH | {"origin": "https://evil.example"}
    for answer in (
        httpx.get(f"{server.url}/nowhere", headers=FRENCH),
        httpx.delete(f"{server.url}/api/me", headers=FRENCH),
        httpx.get(f"{server.url}/api/me", headers=FRENCH),
        httpx.post(f"{server.url}/api/me", headers=foreign, json={"name": "Eve"}),
        httpx.post(f"{server.url}/api/me", headers=FRENCH, content=b"x" * 70_000),
        httpx.post(f"{server.url}/api/me", headers=FRENCH, json={"name": ""}),
    ):
        assert answer.json()["error"].startswith("« ")
        assert answer.headers["content-language"] == "fr"


def test_preferences_of_a_browser() -> None:
    assert wished_languages("") == []
    assert wished_languages("de;q=0.5,fr-CH , en; q=0.8,*;q=0.1,it;q=0") == ["fr-CH", "en", "de"]
    assert wished_languages("fr;q=x, en;q=2, ;;, de;q=1.") == ["de"]
    assert words.known_language(["tlh"]) is None
    assert words.known_language(["tlh", "EN-gb"]) == "en"
    assert words.known_language([]) is None


# Tables.


def at_a_table(host: Client, other: Client, record: str) -> Any:
    wish = {"seats": two_seats("me", "open"), "record": record, "window": 600, "has_hints": True}
    table = host.post("/api/games", wish | {"deal": "as-recorded"})
    other.post(f"/api/games/{table['id']}/seats/1/take")
    other.post(f"/api/games/{table['id']}/ready", {"agrees": True})
    return host.post(f"/api/games/{table['id']}/start")


def test_people_at_one_table_are_each_told_in_their_language(
    anna: Client, bruno: Client, cora: Client
) -> None:
    """Japan discards a card that others may not know of, and a window opens."""
    position = {
        "turn": "japan",
        "hand": {"japan": ["truk", "kamikaze", "build-navy"]},
        "set": {"japan": ["battleship-repair"]},
    }
    game = Game.from_position(position, rules="first", seats=[AXIS, ALLIES])
    table = at_a_table(anna, bruno, game.record)
    streams = {who.name: who.events(table["id"]) for who in (anna, bruno, cora)}
    for events in streams.values():
        assert next(events)["data"]["window"] is None
    [discard] = [a for a in table["actions"] if a["text"] == "discard kamikaze"]
    anna.move(table, discard)
    told = {name: next(events)["data"]["window"]["action"] for name, events in streams.items()}
    assert told["Anna"]["card"] == "kamikaze"
    assert told["Bruno"]["phrase"] == "« Discard a card »"
    assert told["Cora"]["phrase"] == "Discard a card"
    for who in (cora, bruno, cora):
        seen = who.get(f"/api/games/{table['id']}")["window"]["action"]["phrase"]
        assert seen == told[who.name]["phrase"]


def test_the_words_of_the_game_are_in_the_language_of_who_reads_them(
    anna: Client, bruno: Client, cora: Client
) -> None:
    """Anna attacks, so that Bruno is asked; what he is asked is kept since her request."""
    position = {
        "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
        "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
        "set": {"soviet-union": ["stalingrad"]},
    }
    game = Game.from_position(position, seats=[AXIS, ALLIES])
    game.apply("play land-battle")
    table = at_a_table(anna, bruno, game.record)
    assert not table["decision"]["prompt"].startswith("«")
    [battle] = [a for a in table["actions"] if a["text"] == "battle ukraine soviet-union"]
    anna.move(table, battle)
    asked = next(bruno.events(table["id"]))["data"]
    [ask] = asked["window"]["asks"]
    assert ask["decision"]["prompt"].startswith("«")
    assert all(action["phrase"].startswith("«") for action in ask["actions"])
    assert asked["window"]["action"]["phrase"].startswith("«")
    assert all(entry["text"].startswith("«") for entry in asked["log"]["entries"])
    for hint in bruno.get(f"/api/games/{table['id']}/hints"):  # of another process
        assert "«" in hint["reason"]
    seen = cora.get(f"/api/games/{table['id']}")
    assert "«" not in str(seen)
    for client, name in ((cora, "Build Army"), (bruno, "« Build Army »"), (cora, "Build Army")):
        assert client.get("/api/rules/second/cards")[0]["name"] == name


# What is kept with a person.


def test_a_language_is_kept_with_the_person(server: Server, anna: Client) -> None:
    """From the request by which they came; then as they choose, on every device."""
    assert anna.get("/api/me")["language"] == "en"
    answer = anna.http.patch("/api/me", json={"language": "fr"})
    assert (answer.json()["language"], answer.cookies["language"]) == ("fr", "fr")
    assert anna.get("/api/me")["language"] == "fr"
    wrong = anna.http.patch("/api/me", json={"language": "tlh"}, headers={"cookie": "language=en"})
    assert wrong.status_code == 422
    assert wrong.json()["error"] == "no words in 'tlh'; expected en or fr"
    assert anna.get("/api/me")["language"] == "fr"
    name = anna.http.patch("/api/me", json={"name": "Anna of Tours"}).json()["name"]
    anna.post("/api/me/password", {"password": "a long enough one"})
    with httpx.Client(base_url=server.url, headers={"accept-language": "en"}) as elsewhere:
        assert elsewhere.get("/api/words").headers["content-language"] == "en"
        elsewhere.post("/api/sign-in", json={"name": name, "password": "a long enough one"})
        assert elsewhere.get("/api/words").headers["content-language"] == "fr"
    with httpx.Client(base_url=server.url, headers=FRENCH) as guest:
        assert guest.post("/api/me", json={"name": "Guy"}).json()["me"]["language"] == "fr"


def test_a_notice_is_in_the_language_of_who_gets_it(
    server: Server, anna: Client, bruno: Client
) -> None:
    """Whoever's move it was that brought it about."""
    for host, other, language, opening in (
        (bruno, anna, "en", "A game waits for your decision (United Kingdom"),
        (anna, bruno, "fr", "« A game waits for your decision (« United Kingdom »"),
    ):
        with receiver() as (url, told):
            change = {"webhook": url, "language": language}
            other.http.patch("/api/me", json=change).raise_for_status()
            game = Game.from_position({"hand": {"germany": ["build-army"]}}, seats=[AXIS, ALLIES])
            table = at_a_table(host, other, game.record)
            while table["waiting_for"] in AXIS or table["window"] is not None:
                if table["window"] is None:
                    host.move(table, table["actions"][0])
                table = host.get(f"/api/games/{table['id']}")
            wait_for(told, 1)
            assert told[0].startswith(opening), told
            other.http.patch("/api/me", json={"webhook": ""}).raise_for_status()


def test_the_languages_there_are(anna: Client) -> None:
    found = {one["language"]: one for one in anna.get("/api/languages")}
    assert found["en"] == {"language": "en", "name": "English"}
    assert found["fr"]["name"] == "« English »"


# The page.


def test_the_words_of_the_page(anna: Client, bruno: Client) -> None:
    answer = bruno.http.get("/api/words")
    assert answer.headers["content-language"] == "fr"
    assert answer.json()["nav.play"] == "« Play »"
    assert anna.get("/api/words")["nav.play"] == "Play"
    other = bruno.http.get("/api/words/en")
    assert (other.headers["content-language"], other.json()) == ("en", anna.get("/api/words"))
    with pytest.raises(ApiError, match="404: no words in 'tlh'; expected en or fr"):
        anna.get("/api/words/tlh")


def test_what_is_there_before_the_page_is(server: Server) -> None:
    for path in ("/", "/learn", "/nowhere"):
        headers = FRENCH | {"accept": "text/html"}
        text = httpx.get(f"{server.url}{path}", headers=headers).text
        assert '<html lang="fr">' in text
        assert '<noscript><p class="loading">« This page needs JavaScript. »</p></noscript>' in text
        assert 'content="« Quartermaster: the Second World War' in text
    english = httpx.get(f"{server.url}/", headers={"accept-language": "en"})
    unversioned = re.sub(r'"/static/[0-9a-f]{12}/', '"/static/', english.text)
    assert unversioned == (PAGE / "index.html").read_text("utf-8")
    assert "accept-language" in english.headers["vary"]
    manifest = httpx.get(f"{server.url}/manifest.webmanifest", headers=FRENCH).json()
    assert manifest["lang"] == "fr"
    assert manifest["description"].startswith("« Quartermaster")


@needs_chromium
@pytest.mark.parametrize(("locale", "language", "play"), [
    ("fr-CA", "fr", "« Play »"), ("en-GB", "en", "Play"), ("de-DE", "en", "Play"),
])  # fmt: skip
def test_the_page_speaks_as_its_visitor(
    server: Server, locale: str, language: str, play: str
) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page(locale=locale)
        page.goto(server.url)
        page.get_by_role("link", name=play, exact=True).wait_for()
        assert page.locator("html").get_attribute("lang") == language
        browser.close()


def spoken_on(page: Page, language: str) -> None:
    page.locator(f"html[lang={language}]").wait_for(state="attached")


@needs_chromium
def test_a_language_is_picked_on_every_screen_and_the_game_goes_on(server: Server) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page(locale="en-GB")
        page.goto(f"{server.url}/rules")
        page.get_by_label("Language").select_option("fr")
        spoken_on(page, "fr")
        page.get_by_role("heading", name="« Rules »", exact=True).wait_for()
        page.reload()  # it is kept, though nobody is known here
        page.get_by_role("link", name="« Play »", exact=True).wait_for()
        body = {"name": "Dora"}
        assert page.request.post(f"{server.url}/api/me", data=body).json()["me"]["language"] == "fr"
        page.evaluate("document.cookie = 'known=1; path=/'")
        wish = {"seats": two_seats(), "start": True}
        own = {"origin": server.url}
        made = page.request.post(f"{server.url}/api/games", data=wish, headers=own)
        assert made.ok, made.text()
        game = made.json()["id"]
        page.goto(f"{server.url}/games/{game}?lang=en")  # as a link from someone else
        spoken_on(page, "en")
        page.wait_for_url(f"{server.url}/games/{game}")
        hand = page.locator(".hand .card")
        hand.first.wait_for()
        dealt = hand.count()
        assert page.request.get(f"{server.url}/api/me").json()["language"] == "en"
        page.get_by_role("button", name="Menu").first.click()
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("dialog").get_by_label("Language").select_option("fr")
        spoken_on(page, "fr")
        assert page.url == f"{server.url}/games/{game}"
        hand.first.wait_for()
        assert hand.count() == dealt
        assert page.request.get(f"{server.url}/api/me").json()["language"] == "fr"
        browser.close()


# The catalogue.


def nodes(folder: Path) -> Iterator[tuple[ast.AST, str]]:
    """All of the sources in a folder, and where it stands."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            yield node, f"{path.name}, line {getattr(node, 'lineno', 0)}"


def calls(folder: Path, name: str) -> Iterator[tuple[ast.Call, str]]:
    for node, where in nodes(folder):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
            yield node, where


def refusals(folder: Path) -> Iterator[tuple[ast.Call, str]]:
    for call, where in calls(folder, "Refused"):
        assert isinstance(call.args[1], ast.Constant), f"{where}: no id"
        yield call, where


def id_of(call: ast.Call) -> str:
    return f"refuse.{ast.literal_eval(call.args[1])}"


def ids_said(folder: Path) -> set[str]:
    """The ids of all texts in the sources of the server: of refusals, what is said, and what
    stands in tables of texts to say."""
    found = {id_of(call) for call, _ in refusals(folder)}
    for call, _ in calls(folder, "say"):
        found |= {str(one.value) for one in call.args if isinstance(one, ast.Constant)}
    for node, _ in nodes(folder):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"(covered|notice|server)\.[a-z-]+", node.value):
                found.add(node.value)
    return found


def test_the_catalogue_has_all_that_is_said_and_nothing_else() -> None:
    assert ids_said(Path(quartermaster.server.__path__[0])) == set(words.catalogue("server", "en"))


def test_the_check_of_the_catalogue_finds_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('raise Refused(409, "late", by=3)\nsay("hi")\nx = "notice.y"')
    assert ids_said(tmp_path) == {"refuse.late", "hi", "notice.y"}
    (tmp_path / "b.py").write_text("raise Refused(409, text)")
    with pytest.raises(AssertionError, match=r"b\.py, line 1"):
        ids_said(tmp_path)


def test_ids_are_in_order() -> None:
    ids = list(words.catalogue("server", "en"))
    assert ids == sorted(ids)


def test_refusals_fill_in_what_stands_in_braces() -> None:
    texts = words.catalogue("server", "en")
    for call, _ in refusals(Path(quartermaster.server.__path__[0])):
        given = {one.arg for one in call.keywords} - {"headers", "offers"}
        fields = {name for _, name, _, _ in Formatter().parse(texts[id_of(call)]) if name}
        wanted = {name.partition(".")[0] for name in fields}  # whatever the form
        assert given == wanted, ast.unparse(call)
