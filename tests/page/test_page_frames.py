"""What a frame has to draw while beats play, counted: the time depends on the machine."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import quartermaster
from browsers import needs_chromium
from pages import Visitors, start
from servers import Client

STYLES = Path(quartermaster.__file__).parent / "page" / "styles"

BEATS = """
  const none = { card: "", target: null, space: null, n: 0 };
  const of = (country, what, more) =>
    ({ ...none, country, what, text: `${country} ${what}.`, ...more });
  const turn = (country, card, space, n) => [
    of(country, "turn"),
    of(country, "play", { card }),
    of(country, "build", { space }),
    of(country, "score", { n }),
  ];
  const beats = [
    ...turn("japan", "build-navy", "east-pacific", 2),
    ...turn("italy", "bravado", "middle-east", 1),
  ];
"""
SHOW = """
  const { replayTurns, stage } = await ours("js/state/beats.js");
  const { begun } = await ours("js/state/table.js");
  const { set } = await ours("js/state/settings.js");
  set({ speed: "normal", notes: false });
  const show = () => new Promise((done) => {
    let began = false;
    const end = stage.subscribe((now) => {
      if (now) began = true;
      else if (began) setTimeout(() => done(end()), 300);
    });
    replayTurns(beats, begun().view);
  });
"""
DRAWN = """
  const { options } = await ours("vendor/preact.js");
  const drawn = {};
  const before = options.__r;
  const count = () => {
    for (const name of Object.keys(drawn)) delete drawn[name];
    options.__r = (node) => {
      const name = node.type?.name ?? "";
      drawn[name] = (drawn[name] ?? 0) + 1;
      before?.(node);
    };
  };
"""


@pytest.fixture
def page(visitors: Visitors, anna: Client) -> Page:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, reduced_motion="no-preference")
    page.locator(".prompt.yours").wait_for()
    page.wait_for_timeout(300)
    return page


@needs_chromium
def test_only_what_a_beat_changes_is_drawn(page: Page) -> None:
    found: dict[str, Any] = page.evaluate(f"""async () => {{ {BEATS} {SHOW} {DRAWN}
      const panel = document.querySelector(".beat-panel");
      await show();
      let looks = 0; // at sizes: each lets the browser lay out what was changed
      for (const name of ["scrollHeight", "clientHeight", "clientWidth"]) {{
        const own = Object.getOwnPropertyDescriptor(Element.prototype, name);
        Object.defineProperty(Element.prototype, name, {{ ...own, get() {{
          looks += 1;
          return own.get.call(this);
        }} }});
      }}
      const measure = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function () {{
        looks += 1;
        return measure.call(this);
      }};
      count();
      await show();
      options.__r = before;
      return {{ drawn, looks, isSame: panel === document.querySelector(".beat-panel") }};
    }}""")
    drawn = found["drawn"]
    turns, beats = 2, 8
    assert found["isSame"]  # the panel stays, and moves
    # A card was fitted when it was shown first; nothing is laid out by force after that.
    assert found["looks"] == 0, found["looks"]
    assert drawn["StagePanel"] <= 3 * turns + 2, drawn  # a turn, its card, and the next card
    assert drawn["Card"] <= 3 * turns, drawn  # without picture, with picture
    assert drawn["Header"] <= 2 * turns + 2, drawn  # another turn, another score
    assert drawn["Waiting"] <= beats + 1, drawn
    assert drawn.get("Recap", 0) <= 2, drawn


# The browser draws a frame when it has time; here it does when the test says so.
BY_FRAMES = """
  const { stage } = await ours("js/state/beats.js");
  const { begun } = await ours("js/state/table.js");
  const asked = new Map();
  let n = 0;
  window.requestAnimationFrame = (act) => (asked.set(++n, act), n);
  window.cancelAnimationFrame = (one) => asked.delete(one);
  const drawn = () => new Promise((done) => setTimeout(done, 20));
  const frame = () => {
    const acts = [...asked.values()];
    asked.clear();
    for (const act of acts) act(performance.now());
    return drawn();
  };
  const { score } = begun().view;
  const show = (i) => {
    const entry = { what: "play", country: ["japan", "italy", "germany"][i % 3], card: "build-navy",
      text: `Beat ${i}.`, target: null, space: null, n: 0 };
    stage.value = { beat: { kind: "card", entry, country: entry.country }, card: entry,
      who: entry.country, turn: entry.country, left: 9 - i, at: null, mover: null,
      pieces: { "east-pacific": [{ country: entry.country, kind: "navy" }] },
      score: { ...score, axis: i } };
    return drawn();
  };
  await show(1); // whatever begins begins for all at once
  const parts = { map: ".layer.live", panel: ".beat-place", bar: ".prompt", header: ".top" };
  let changed = new Set();
  for (const [name, where] of Object.entries(parts)) {
    const watch = new MutationObserver(() => changed.add(name));
    const what = { childList: true, subtree: true, characterData: true, attributes: true };
    watch.observe(document.querySelector(where), what);
  }
  const now = () => {
    const names = [...changed];
    changed = new Set();
    return names;
  };
"""


@needs_chromium
def test_map_panel_bar_and_header_share_no_frame(page: Page) -> None:
    seen: list[list[str]] = page.evaluate(f"""async () => {{ {BY_FRAMES}
      await show(2);
      const frames = [now()];
      for (let i = 0; i < 6; i++) {{
        await frame();
        frames.push(now());
      }}
      return frames;
    }}""")
    assert [frame for frame in seen if frame] == [["map"], ["panel"], ["bar"], ["header"]]


@needs_chromium
def test_beats_that_come_faster_than_frames_are_shown_everywhere(page: Page) -> None:
    """A slow machine draws a frame or two a beat: a value that is always overtaken would never come
    to the header."""
    seen: list[list[str]] = page.evaluate(f"""async () => {{ {BY_FRAMES}
      const frames = [];
      for (let i = 2; i < 8; i++) {{
        await show(i);
        await frame();
        frames.push(now());
      }}
      return frames;
    }}""")
    assert {name for frame in seen for name in frame} == {"map", "panel", "bar", "header"}


KEEP_STREAMS = """window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...all) { super(...all); window.streams.push(this); }
};"""


@needs_chromium
def test_tables_that_come_in_a_bunch_are_drawn_as_one(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/cards", anna, reduced_motion="no-preference")
    page.add_init_script(KEEP_STREAMS)
    page.goto(f"/games/{start(anna)['id']}")
    page.locator(".prompt.yours").wait_for()
    page.wait_for_timeout(500)
    found: dict[str, Any] = page.evaluate(f"""async () => {{ {DRAWN}
      const {{ table }} = await ours("js/state/table.js");
      const before_it = table.value;
      const [a, b] = before_it.version.split(".").map(Number);
      count();
      for (let i = 1; i <= 12; i++) {{
        const next = JSON.parse(JSON.stringify(before_it));
        next.version = `${{a}}.${{b + i}}`;
        next.view.countries.japan.deck_size = 40 - i;
        next.log = {{ start: next.log.start + next.log.entries.length, entries: [] }};
        streams.at(-1).dispatchEvent(new MessageEvent("table", {{ data: JSON.stringify(next) }}));
      }}
      await new Promise((done) => setTimeout(done, 400));
      options.__r = before;
      const {{ japan, italy, germany }} = table.value.view.countries;
      const old = before_it.view.countries;
      const kept = [italy === old.italy, germany === old.germany, japan === old.japan];
      return {{ drawn, deck: japan.deck_size, kept }};
    }}""")
    drawn = found["drawn"]
    assert found["deck"] == 40 - 12  # the last one counts
    assert found["kept"] == [True, True, False]  # what says the same is the same object
    assert drawn["Playing"] == 1, drawn
    assert drawn["Plaque"] == 1, drawn  # Japan's
    for part in ("Board", "Spot", "Tint", "Hit"):
        assert drawn.get(part, 0) == 0, (part, drawn)


@needs_chromium
def test_drawings_have_few_planes(page: Page) -> None:
    """Whatever has an opacity, a transform or a clip of its own is sorted in anew by the browser
    whenever something begins to move."""
    planes: list[str] = (
        page.evaluate("""() => [...document.querySelectorAll("body *")].flatMap((el) => {
      const s = getComputedStyle(el);
      const usual = { opacity: "1", transform: "none", clipPath: "none", filter: "none" };
      const within = el.parentElement.closest("[class]")?.getAttribute("class");
      const has = Object.keys(usual).filter((what) => s[what] !== usual[what]);
      return has.map((what) => `${what}: ${within} > ${el.getAttribute("class")}`);
    })""")
    )
    assert [one for one in planes if re.search(r"\b(tk|rd-|source|piece)", one)] == []
    assert len(planes) < 110, planes


def test_no_rule_looks_for_what_lies_deep_inside() -> None:
    """Such a rule lets the browser look through the whole page whenever anything is added to it."""
    deep = [
        f"{path.name}: {has}"
        for path in STYLES.glob("*.css")
        for has in re.findall(r":has\((?:[^()]|\([^()]*\))*\)", path.read_text())
        if not re.match(r":has\(\s*[>+~]", has)
        and "focus-visible" not in has
        and "decided" not in has
    ]
    assert deep == []
