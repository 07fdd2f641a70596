"""How many frames a second the page draws while others' turns are shown, and what made some slow.

    python tools/frames.py [--slower 4] [--phone] [--functions] [--slowest 5] [--page DIR]

Opens a table on a server of its own, slows the processor as Chromium's tools do, lets bots play a
round and counts the frames from the first beat to the last; then another round to be traced, for
that slows the page too. Frames a second need a machine that does nothing else; processor times
do not. Two versions of the page are compared by turns on one
machine: `--page` takes the page's files from another folder, as from another checkout.
`--functions` asks V8 which functions held the slow frames up; that slows everything a little.
"""

import argparse
import bisect
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import CHROMIUM  # noqa: E402
from pages import OURS, alone  # noqa: E402
from servers import Server  # noqa: E402

FRAME = 1000 / 60  # milliseconds
LONG = 50.0  # milliseconds: what a browser calls a long task

# The trace tells what was done when; these marks in it tell what the page showed meanwhile.
WATCH = """async () => {
  const { stage } = await ours("js/state/beats.js");
  const { table } = await ours("js/state/table.js");
  const { set } = await ours("js/state/settings.js");
  set({ speed: "normal", notes: false, ends: "asked" });
  await new Promise((done) => setTimeout(done, 500));
  const found = { times: [], beats: 0 };
  stage.subscribe((now) => {
    found.beats += now ? 1 : 0;
    performance.mark(now ? `qm beat ${now.beat.kind}` : "qm still");
  });
  table.subscribe(() => performance.mark("qm table"));
  addEventListener("click", () => performance.mark("qm click"), true);
  const isRecap = (node) => node.classList?.contains("recap");
  new MutationObserver((all) => {
    if (all.some((one) => [...one.addedNodes].some(isRecap))) performance.mark("qm recap");
  }).observe(document.querySelector(".board"), { childList: true });
  let last = 0;
  const frame = (now) => {
    if (stage.value && last) found.times.push(now - last);
    last = stage.value ? now : 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.frames_found = found;
}"""

TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
PROFILER = ["disabled-by-default-v8.cpu_profiler", "disabled-by-default-v8.cpu_profiler.hires"]

KINDS = {
    "FunctionCall": "script",
    "EvaluateScript": "script",
    "EventDispatch": "script",
    "FireAnimationFrame": "script",
    "FireIdleCallback": "script",
    "TimerFire": "script",
    "RunMicrotasks": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "layers",
    "Commit": "layers",
}
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
}

Event = dict[str, Any]


@dataclass
class Work:
    """What the page's main thread did between two frames, in milliseconds of processor time."""

    start: float
    total: float = 0.0
    longest: float = 0.0  # of its tasks
    kinds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    forced: int = 0  # styles and layouts that a script did not leave to the browser
    elements: int = 0  # whose style was found anew
    functions: dict[str, float] = field(default_factory=lambda: defaultdict(float))


class Trace:
    def __init__(self, raw: bytes) -> None:
        events: list[Event] = json.loads(raw)["traceEvents"]
        self.marks = sorted(
            (
                (one["ts"], one["name"].removeprefix("qm "))
                for one in events
                if one["name"][:3] == "qm "
            ),
        )
        [thread] = {(one["pid"], one["tid"]) for one in events if one["name"][:3] == "qm "}
        self._main = sorted(
            (
                e
                for e in events
                if (e["pid"], e["tid"]) == thread and e["ph"] == "X" and "tdur" in e
            ),
            key=lambda one: (one["ts"], -one["dur"]),
        )
        self._samples = list(_samples(one for one in events if one["pid"] == thread[0]))

    @cached_property
    def frames(self) -> list[Work]:
        """The work by frames: a frame ends with its commit."""
        ends = sorted(one["ts"] + one["dur"] for one in self._main if one["name"] == "Commit")
        found = [Work(start) for start in [0.0, *ends]]
        until: dict[str, float] = {}  # what runs within work of its kind is counted with it
        for one in self._main:
            work = found[bisect.bisect_left(ends, one["ts"] + one["dur"] / 2)]
            took = one["tdur"] / 1000
            if one["name"] == "RunTask":
                work.total += took
                work.longest = max(work.longest, took)
                continue
            kind = KINDS.get(one["name"])
            if kind is None or one["ts"] < until.get(kind, 0):
                continue
            until[kind] = one["ts"] + one["dur"]
            work.kinds[kind] += took
            if kind in ("style", "layout") and one["ts"] < until.get("script", 0):
                work.forced += 1
                work.kinds["script"] -= took
            work.elements += one["args"].get("elementCount", 0)
        for at, name, took in self._samples:
            found[bisect.bisect_left(ends, at)].functions[name] += took
        return found

    def shows(self, work: Work) -> str:
        """The beat that was shown when some work ended; nothing where none was."""
        end = self._end(work)
        names = [
            name for at, name in self.marks if at <= end and name.startswith(("beat", "still"))
        ]
        return names[-1] if names and names[-1] != "still" else ""

    def holds(self, work: Work, mark: str) -> bool:
        return any(work.start < at <= self._end(work) and name == mark for at, name in self.marks)

    def _end(self, work: Work) -> float:
        place = bisect.bisect_right([one.start for one in self.frames], work.start)
        return self.frames[place].start if place < len(self.frames) else float("inf")


def _samples(events: Iterable[Event]) -> Iterator[tuple[float, str, float]]:
    """What V8 ran, when, and for how many milliseconds; nothing where it was not asked."""
    names: dict[int, str] = {}
    at = 0.0
    for one in sorted(
        (e for e in events if e["name"] in ("Profile", "ProfileChunk")), key=lambda e: e["ts"]
    ):
        data = one["args"]["data"]
        at = data.get("startTime", at)
        profile = data.get("cpuProfile", {})
        for node in profile.get("nodes", []):
            call = node["callFrame"]
            file = call.get("url", "").rpartition("/static/")[2].partition("/")[2]
            names[node["id"]] = f"{call['functionName'] or '(anonymous)'} {file}"
        for id, took in zip(profile.get("samples", []), data.get("timeDeltas", []), strict=False):
            at += took
            if not names[id].startswith(("(program)", "(idle)", "(root)")):
                yield at, names[id], took / 1000


def serve_from(page: Page, folder: Path) -> None:
    def serve(route: Route) -> None:
        path = folder / route.request.url.partition("/static/")[2].partition("/")[2]
        route.fulfill(body=path.read_bytes(), content_type=TYPES.get(path.suffix, "text/plain"))

    page.route("**/static/**", serve)


def measure(
    slower: float, size: tuple[int, int], folder: Path | None, categories: list[str]
) -> tuple[dict[str, Any], bytes]:
    """A round: the frames that were counted, and the trace if any categories are wanted."""
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        path = Path(kept)
        with Server(f"sqlite:///{path / 'games.db'}", path) as server:
            client = server.client("Ada")
            id = alone(client)  # at the end of Germany's turn
            token = client.http.headers["authorization"].split()[1]
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            width, height = size
            context = browser.new_context(viewport={"width": width, "height": height})
            cookies = {"quartermaster": token, "known": "1"}
            context.add_cookies(
                [{"name": k, "value": v, "url": server.url} for k, v in cookies.items()]
            )
            context.add_init_script(OURS)
            page = context.new_page()
            if folder:
                serve_from(page, folder)
            page.goto(f"{server.url}/games/{id}")
            page.locator(".prompt .confirm").wait_for()
            page.evaluate(WATCH)
            session = context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            if categories:
                browser.start_tracing(page=page, categories=categories)
            page.evaluate("document.querySelector('.prompt .confirm').click()")
            page.locator(".recap").wait_for(timeout=300_000)
            page.wait_for_timeout(500)
            found: dict[str, Any] = page.evaluate("frames_found")
            trace = browser.stop_tracing() if categories else b""
            browser.close()
            client.http.close()
    return found, trace


def most(times: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(times.items(), key=lambda one: -one[1])


def told(work: Work) -> str:
    parts = ", ".join(f"{kind} {ms:.1f}" for kind, ms in most(work.kinds) if ms >= 0.05)
    busy = "; ".join(f"{name} {ms:.1f}" for name, ms in most(work.functions)[:4])
    forced = f", {work.forced} forced" if work.forced else ""
    return f"{work.total:.0f} ms: {parts}; {work.elements} elements{forced}" + (
        busy and f" ({busy})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--slower", type=float, default=4, help="how many times slower")
    parser.add_argument("--phone", action="store_true", help="390 by 844 instead of 1440 by 900")
    parser.add_argument("--page", type=Path, help="a folder with the page's files")
    parser.add_argument("--functions", action="store_true", help="which functions took the time")
    parser.add_argument(
        "--slowest", type=int, default=5, help="how many frames are told one by one"
    )
    wish = parser.parse_args()
    size = (390, 844) if wish.phone else (1440, 900)
    categories = TIMELINE + (PROFILER if wish.functions else [])
    found, _ = measure(wish.slower, size, wish.page, [])
    times = sorted(found["times"])
    in_time = sum(1 for time in times if time < FRAME * 1.1) / len(times)
    print(
        f"{found['beats']} beats, {len(times)} frames in {sum(times) / 1000:.1f} s:"
        f" {1000 * len(times) / sum(times):.1f} a second, {in_time:.0%} of them in time,"
        f" {sum(1 for time in times if time > LONG)} later than {LONG:.0f} ms,"
        f" the latest after {times[-1]:.0f} ms",
        flush=True,
    )

    found, raw = measure(wish.slower, size, wish.page, categories)
    trace = Trace(raw)
    beats = found["beats"]
    all_shown = [one for one in trace.frames if trace.shows(one)]
    # What draws the table after one's own click, and what ends the show, is told by itself.
    shown = [one for one in all_shown[1:] if not trace.holds(one, "click")]
    slow = sorted((one for one in shown if one.total > FRAME), key=lambda one: -one.total)
    held_up = sum(1 for one in shown if one.longest > LONG)
    kinds = {kind: sum(one.kinds[kind] for one in shown) / beats for kind in KINDS.values()}
    parts = ", ".join(f"{kind} {ms:.1f}" for kind, ms in most(kinds))
    print(
        f"Traced, {beats} beats: {len(slow) / beats:.1f} frames a beat took longer than"
        f" {FRAME:.1f} ms of processor time; {held_up} had a task over {LONG:.0f} ms\n"
        f"A beat takes {sum(one.total for one in shown) / beats:.0f} ms: {parts};"
        f" {sum(one.forced for one in shown)} forced styles and layouts in all"
    )
    for one in slow[: wish.slowest]:
        print(f"  {trace.shows(one)}: {told(one)}")
    print(f"The first beat: {told(all_shown[0])}")
    for one in trace.frames:
        if trace.holds(one, "click") or trace.holds(one, "recap"):
            print(f"{'Own click' if trace.holds(one, 'click') else 'The recap'}: {told(one)}")


if __name__ == "__main__":
    main()
