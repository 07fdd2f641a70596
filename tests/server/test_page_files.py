"""The page's files: each is sent as it is but for comments, whole versions at a time."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from quartermaster.server.edge.files import ASK_FIRST, FOR_EVER, Files, without_comments
from quartermaster.server.folders import PAGE
from servers import Server


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("files")
    with (
        Server(f"sqlite:///{folder}/games.db", folder) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def version(http: httpx.Client) -> str:
    """The one version that the page names."""
    [found] = set(re.findall(r'"/static/([^/"]+)/', http.get("/").text))
    return str(found)


def test_every_file_that_the_page_names_is_there_for_ever(http: httpx.Client) -> None:
    page = http.get("/")
    assert page.headers["cache-control"] == "no-cache"
    named = re.findall(r'"(/static/[^"]+)"', page.text)
    assert len(named) > 80
    for path in named:
        answer = http.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["cache-control"] == FOR_EVER
        source = PAGE / path.split("/", 3)[3]
        if source.name == "all.css":
            continue
        if source.relative_to(PAGE).parts[0] in ("js", "styles"):
            sent, written = answer.text.splitlines(), source.read_text().splitlines()
            assert len(sent) == len(written)
            for line, original in zip(sent, written, strict=True):
                assert line in ("", original, original.lstrip(" "))
            assert not re.search(r"^\s*(//|/\*[^*]|\* @)", answer.text, re.MULTILINE), path
        else:
            assert answer.content == source.read_bytes()
        assert "content-security-policy" in answer.headers


def test_all_styles_are_sent_as_one_in_their_order(http: httpx.Client) -> None:
    names = re.findall(r'@import "(.+)";', (PAGE / "styles/all.css").read_text())
    assert sorted(names) == sorted(
        path.name for path in PAGE.glob("styles/*.css") if path.name != "all.css"
    )
    each = [http.get(f"/static/styles/{name}").text for name in names]
    sent = http.get("/static/styles/all.css").text
    assert "@import" not in sent
    assert sent.split() == "\n".join(each).split()


def test_styles_that_are_written_anew_are_sent_anew(tmp_path: Path) -> None:
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles/all.css").write_text('@import "base.css";\n')
    (tmp_path / "styles/base.css").write_text("a { color: red; }\n")
    files = Files(tmp_path)
    before = files.version()
    (tmp_path / "styles/base.css").write_text("a { color: green; }\n")
    assert files.version() != before
    found = files.find("styles/all.css")
    assert found is not None
    assert b"green" in found[0].content


def test_only_comments_that_have_their_lines_to_themselves_are_left_out() -> None:
    code = [
        "const a = 1; // stays, for what comes before it",
        "/** @type {Box} */ (box).open(); /* and this */",
        "const address = `https://example.org`;",
    ]
    comments = ["// Why.", "/* One", "   of three", "   lines. */", "  /** @param {string} b */"]
    text = "\n".join([comments[0], code[0], *comments[1:4], code[1], comments[4], code[2], ""])
    left = without_comments(text, "js")
    assert left.split("\n") == ["", code[0], "", "", "", code[1], "", code[2], ""]
    assert without_comments(text, "vendor") == text


def test_modules_name_each_other_within_their_version() -> None:
    """By relative paths: an address from the root would lead out of it."""
    for file in [*PAGE.rglob("*.js"), *PAGE.rglob("*.css")]:
        assert "/static/" not in file.read_text(), file


@pytest.mark.parametrize("before", ["", "0123456789ab/"])
def test_without_a_version_a_browser_asks_each_time(http: httpx.Client, before: str) -> None:
    path = f"/static/{before}js/main.js"
    first = http.get(path)
    assert first.headers["cache-control"] == ASK_FIRST
    again = http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = http.get(path, headers={"if-none-match": '"another"'})
    assert other.status_code == 200


def test_text_is_packed_for_who_takes_it(http: httpx.Client, version: str) -> None:
    path, content = f"/static/{version}/map.json", (PAGE / "map.json").read_bytes()
    with http.stream("GET", path, headers={"accept-encoding": "br, gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    assert gzip.decompress(packed) == content
    assert len(packed) < len(content) / 2
    plain = http.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == content
    assert plain.headers["etag"] != answer.headers["etag"]
    picture = http.get(f"/static/{version}/icon-192.png", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in picture.headers


def test_head_has_no_body(http: httpx.Client, version: str) -> None:
    answer = http.head(f"/static/{version}/icon.svg", headers={"accept-encoding": "identity"})
    assert answer.content == b""
    assert int(answer.headers["content-length"]) == (PAGE / "icon.svg").stat().st_size


@pytest.mark.parametrize(
    "path", ["js", "js/", "", "%2e%2e/version.py", "../version.py", "js/../../version.py", "js/no"]
)
def test_only_files_of_the_page_are_found(http: httpx.Client, version: str, path: str) -> None:
    for base in ("/static/", f"/static/{version}/"):
        assert http.get(base + path).status_code == 404
    assert http.post("/static/js/main.js").status_code in (404, 405)


def test_a_file_that_is_written_anew_makes_a_new_version(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").write_text("1")
    (tmp_path / "b.css").write_text("2")
    files = Files(tmp_path)
    first = files.version()
    assert files.version() == first == Files(tmp_path).version()
    (tmp_path / "js" / "a.js").write_text("now longer")
    second = files.version()
    assert second != first
    found = files.find(f"{second}/js/a.js")
    assert found is not None
    assert (found[0].content, found[1]) == (b"now longer", True)
    old = files.find(f"{first}/js/a.js")
    assert old is not None
    assert (old[0].content, old[1]) == (b"now longer", False)
    (tmp_path / "b.css").unlink()
    assert files.version() not in (first, second)
    assert files.find("b.css") is None
