"""How many frames a second the page draws while others' turns are shown.

    python tools/frames.py [--slower 4] [--phone]

Opens a table on a server of its own, slows the processor as Chromium's tools do, lets bots play a
round and counts the frames until it has been shown, and how long the page's own code held them up.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import CHROMIUM  # noqa: E402
from pages import alone  # noqa: E402
from servers import Server  # noqa: E402

COUNT = """async () => {
  const { stage } = await import("/static/js/state/beats.js");
  const { set } = await import("/static/js/state/settings.js");
  set({ speed: "normal", notes: false, ends: "asked" });
  const found = { times: [], tasks: [], beats: 0 };
  new PerformanceObserver((list) => {
    if (stage.value) for (const one of list.getEntries()) found.tasks.push(one.duration);
  }).observe({ type: "longtask" });
  stage.subscribe((now) => (found.beats += now ? 1 : 0));
  let last = 0;
  const frame = (now) => {
    if (stage.value && last) found.times.push(now - last);
    last = stage.value ? now : 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.frames_found = found;
}"""


WORK = {
    "script": ("FunctionCall", "EvaluateScript", "FireAnimationFrame", "TimerFire"),
    "style and layout": ("UpdateLayoutTree", "Layout"),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
    "raster": ("RasterTask",),
}


def costs(trace: bytes) -> dict[str, float]:
    """Milliseconds of processor time of each kind of work, which other work on the machine does
    not change."""
    events = json.loads(trace)["traceEvents"]
    found = dict.fromkeys(WORK, 0.0)
    ends: dict[tuple[str, int], float] = {}  # what runs within work of its kind is counted with it
    for event in sorted(events, key=lambda one: one.get("tts", 0)):
        kind = next((kind for kind, names in WORK.items() if event["name"] in names), None)
        if kind is None or event["ph"] != "X" or "tdur" not in event:
            continue
        key = (kind, event["tid"])
        if event["tts"] >= ends.get(key, 0):
            found[kind] += event["tdur"] / 1000
            ends[key] = event["tts"] + event["tdur"]
    return found


def measure(slower: float, size: tuple[int, int]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder)
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
            page = context.new_page()
            page.goto(f"{server.url}/games/{id}")
            page.locator(".prompt .confirm").wait_for()
            page.evaluate(COUNT)
            session = context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            browser.start_tracing(page=page, categories=["devtools.timeline"])
            page.locator(".prompt .confirm").click()
            page.wait_for_function(
                "() => document.querySelector('.recap') && frames_found.times.length > 60",
                timeout=300_000,
            )
            found: dict[str, Any] = page.evaluate("frames_found")
            found["costs"] = costs(browser.stop_tracing())
            browser.close()
            client.http.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--slower", type=float, default=4, help="how many times slower")
    parser.add_argument("--phone", action="store_true", help="390 by 844 instead of 1440 by 900")
    wish = parser.parse_args()
    found = measure(wish.slower, (390, 844) if wish.phone else (1440, 900))
    times = sorted(found["times"])
    total = sum(times)
    late = sum(1 for time in times if time > 25)
    print(
        f"{found['beats']} beats, {len(times)} frames in {total / 1000:.1f} s:"
        f" {1000 * len(times) / total:.1f} a second; half within {times[len(times) // 2]:.1f} ms,"
        f" {late} later than 25 ms, the latest {times[-1]:.0f} ms\n"
        f"{len(found['tasks'])} tasks longer than 50 ms, {sum(found['tasks']):.0f} ms in all\n"
        "Processor time a beat: "
        + ", ".join(f"{kind} {ms / found['beats']:.1f} ms" for kind, ms in found["costs"].items())
    )


if __name__ == "__main__":
    main()
