"""A beat draws anew what it changes, and nothing else."""

from typing import Any

from browsers import needs_chromium
from pages import Visitors, start
from servers import Client

pytestmark = needs_chromium

COUNT = """async () => {
  const { options } = await ours("vendor/preact.js");
  const { replayTurns, stage } = await ours("js/state/beats.js");
  const { begun } = await ours("js/state/table.js");
  const { set } = await ours("js/state/settings.js");
  set({ speed: "fast", notes: false });
  await new Promise((done) => setTimeout(done, 300)); // until that is drawn
  const before = options.__r;
  const drawn = {};
  options.__r = (node) => {
    const name = node.type?.name ?? "";
    drawn[name] = (drawn[name] ?? 0) + 1;
    before?.(node);
  };
  const of = { country: "japan", card: "", target: null, space: null, n: 0, text: "It happens." };
  const beats = [
    { ...of, what: "play", card: "build-navy" },
    { ...of, what: "build", space: "east-pacific" },
    { ...of, what: "battle", space: "china" },
    { ...of, what: "score", n: 2 },
  ];
  replayTurns(beats, begun().view);
  const shown = [];
  await new Promise((done) => {
    let began = false;
    stage.subscribe((now) => {
      if (now) began = true;
      if (now) shown.push([now.beat.kind, document.querySelectorAll(".mark").length]);
      else if (began) done();
    });
  });
  options.__r = before;
  return { drawn, kinds: shown.map(([kind]) => kind) };
}"""


def test_the_map_is_not_drawn_anew_with_every_beat(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, reduced_motion="no-preference")
    page.locator(".prompt").wait_for()
    found: dict[str, Any] = page.evaluate(COUNT)
    assert found["kinds"] == ["card", "piece", "battle", "points"]
    drawn = found["drawn"]
    for whole in ("Board", "Drawn", "Playing", "Hand", "Fan"):
        assert drawn.get(whole, 0) == 0, (whole, drawn)
    # One piece came in one space, and went with the end of the show.
    for part in ("Spot", "Tint", "Hit"):
        assert drawn.get(part, 0) <= 3, (part, drawn)
