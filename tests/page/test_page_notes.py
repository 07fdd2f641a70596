"""The notes of a first game: each once, when it matters, and never many in a row of turns."""

from playwright.sync_api import expect

from browsers import needs_chromium
from pages import Visitors, start
from servers import Client

pytestmark = needs_chromium

PACE = """async (turns) => {
  const { hasRoom } = await ours("js/state/notes.js");
  const noted = [];
  for (let n = 1; n <= turns; n++) if (hasRoom(noted, String, n)) noted.push(String(n));
  return noted.map(Number);
}"""

ALL = "Object.keys((await ours('js/state/notes.js')).WORTH)"


def test_after_two_turns_with_a_note_one_comes_without(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/learn", anna)
    assert page.evaluate(PACE, 8) == [1, 2, 4, 5, 7, 8]
    assert len(page.evaluate(f"(async () => {ALL})()")) == 6


def test_a_note_is_read_once_and_another_waits_for_another_turn(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, color_scheme="light")
    note = page.locator(".note")
    note.get_by_role("button", name="Got it").click()
    expect(note).to_have_count(0)
    page.reload()
    page.locator(".prompt.yours").wait_for()
    expect(note).to_have_count(0)  # in this turn one was read, which a new page knows
    kept = page.evaluate("JSON.parse(localStorage['quartermaster.settings'])")
    assert len(kept["seen"]) == len(kept["noted"]) == 1


def test_notes_are_switched_off(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, color_scheme="light")
    note = page.locator(".note")
    note.get_by_role("button", name="No more notes").click()
    expect(note).to_have_count(0)
    page.goto(f"/games/{start(anna)['id']}")
    page.locator(".prompt.yours").wait_for()
    expect(note).to_have_count(0)


def test_every_note_leaves_the_table_as_it_is(visitors: Visitors, anna: Client) -> None:
    """A note is called by what it is about, which may be the name of something else."""
    page = visitors.come(f"/games/{start(anna)['id']}", anna, color_scheme="light")
    show = """async (id) => {
      const { WORTH } = await ours("js/state/notes.js");
      const { set } = await ours("js/state/settings.js");
      WORTH[id] = () => true;
      set({ seen: Object.keys(WORTH).filter((one) => one !== id), noted: [] });
    }"""
    box = "document.querySelector('.board').getBoundingClientRect().toJSON()"
    page.locator(".note").wait_for()
    board = page.evaluate(box)
    for id in page.evaluate(f"(async () => {ALL})()"):
        page.evaluate(show, id)
        note = page.locator(f".note.about-{id}")
        expect(note).to_be_in_viewport(ratio=1)
        assert page.evaluate(box) == board, id
        size = note.bounding_box()
        assert size is not None
        assert size["height"] < 320, id
