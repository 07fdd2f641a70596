"""What was taken back is not shown."""

from playwright.sync_api import expect

from browsers import needs_chromium
from pages import LATE, Table, Visitors, record_of
from servers import Client, two_seats

pytestmark = needs_chromium

# A stream that says what a test wants, in one bunch.
STREAM = """window.EventSource = class extends EventTarget {
  constructor() { super(); window.stream = this; }
  close() {}
};"""
HEAR = """async (tables) => {
  const { stage } = await ours("js/state/beats.js");
  const { set } = await ours("js/state/settings.js");
  set({ speed: "slow" });
  window.shown ??= [];
  window.watch ??= stage.subscribe((now) => now && window.shown.push(now.beat.entry.text));
  for (const table of tables)
    window.stream.dispatchEvent(new MessageEvent("table", { data: JSON.stringify(table) }));
}"""
NUMBER = "ours('js/state/table.js').then(({ table }) => table.value.number)"


def do_and_undo(anna: Client, ben: Client, path: str) -> list[Table]:
    """What Anna is told while Ben plays a card and takes it back."""
    table = ben.get(path)
    [play] = [a for a in table["actions"] if a["text"] == "play plunder"]
    ben.move(table, play)
    played = anna.get(path)
    if ben.post(f"{path}/undo", {})["proposal"] is not None:
        anna.post(f"{path}/votes", {"is_for": True})
    return [played, anna.get(path)]


def test_a_move_and_its_undo_in_one_bunch_show_nothing(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    wish = {"seats": two_seats("me", "open"), "record": record_of(LATE, "pass")}
    table = ben.post("/api/games", wish | {"deal": "as-recorded"})
    path = f"/api/games/{table['id']}"
    anna.post(f"{path}/seats/1/take")
    anna.post(f"{path}/ready", {"agrees": True})
    ben.post(f"{path}/start")
    page = visitors.come("/", anna, reduced_motion="no-preference")
    page.add_init_script(STREAM)
    page.goto(path.removeprefix("/api"))
    page.locator(".prompt").wait_for()
    # One after the other: the beat begins, and ends with the undo.
    played, undone = do_and_undo(anna, ben, path)
    page.evaluate(HEAR, [played])
    expect(page.locator(".beat")).to_contain_text("Plunder")
    page.evaluate(HEAR, [undone])
    expect(page.locator(".beat")).to_have_count(0, timeout=1500)  # it would have lasted longer
    assert page.evaluate("window.shown") == ["Germany plays Plunder"]
    # In one bunch there is nothing to be seen.
    tables = do_and_undo(anna, ben, path)
    page.evaluate(HEAR, tables)
    page.wait_for_timeout(500)
    assert page.evaluate(NUMBER) == tables[1]["number"]
    assert page.evaluate("window.shown") == ["Germany plays Plunder"]
