"""What is heard at the table."""

import re

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import Visitors, start
from servers import Client

pytestmark = needs_chromium


def hear_a_card(page: Page) -> None:
    """Wait until it sounds: that begins when the page has nothing else to do."""
    page.evaluate("""async () => {
      const { played, sound } = await ours("js/state/sound.js");
      for (let i = 0; i < 100 && !played.length; i++) {
        sound("card");
        await new Promise((go) => setTimeout(go, 50));
      }
    }""")


# What is heard of every sound: how loud it is while it lasts, its highest peak, alone and of three
# at once at full volume, and how much of it is above 200 Hz, where small speakers begin.
MEASURED = """async () => {
  const { SOUNDS, level, make } = await ours("js/state/sound.js");
  const energy = (data) => data.reduce((sum, x) => sum + x * x, 0);
  const peak = (data) => data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const rendered = async (buffer, times, way) => {
    const desk = new OfflineAudioContext(1, 2.6 * 48000, 48000);
    const end = way(desk);
    for (let i = 0; i < times; i++) {
      const source = new AudioBufferSourceNode(desk, { buffer });
      source.connect(end);
      source.start(0.2); // the way out is quiet at its own beginning
    }
    return (await desk.startRendering()).getChannelData(0);
  };
  const high = (desk) => {
    const filter = new BiquadFilterNode(desk, { type: "highpass", frequency: 200, Q: -3 });
    filter.connect(desk.destination);
    return filter;
  };
  const plain = (desk) => desk.destination;
  const found = {};
  for (const name of Object.keys(SOUNDS)) {
    const buffer = await make(name, 3);
    const data = buffer.getChannelData(0);
    const loud = peak(data) / 50;
    const heard = data.slice(data.findIndex((x) => Math.abs(x) > loud),
      data.findLastIndex((x) => Math.abs(x) > loud));
    found[name] = {
      rms: 10 * Math.log10(energy(heard) / heard.length),
      peak: peak(data),
      crowd: peak(await rendered(buffer, 3, level)),
      high: energy(await rendered(buffer, 1, high)) / energy(await rendered(buffer, 1, plain)),
    };
  }
  return found;
}"""


def test_every_sound_is_heard_on_small_speakers_and_none_is_too_loud(visitors: Visitors) -> None:
    found = visitors.come("/rules").evaluate(MEASURED)
    assert len(found) > 10
    for name, one in found.items():
        assert -28 < one["rms"] < -15, (name, one)
        assert one["peak"] < 0.9, (name, one)
        assert one["crowd"] < 1, (name, one)
        assert one["high"] > 0.25, (name, one)


def test_a_sound_comes_from_its_side_and_never_twice_the_same(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".fan .card").first.wait_for()
    page.evaluate("""() => {
      window.sides = [];
      window.paces = [];
      window.StereoPannerNode = class extends StereoPannerNode {
        constructor(desk, how) { super(desk, how); sides.push(how.pan); }
      };
      window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
        constructor(desk, how) {
          super(desk, how);
          if (how.playbackRate) paces.push(how.playbackRate);
        }
      };
    }""")
    page.locator("#main").click(position={"x": 5, "y": 300})
    hear_a_card(page)
    page.wait_for_function("() => sides.length > 0")
    sides, paces = page.evaluate("""async () => {
      sides.length = paces.length = 0;
      const { sound } = await ours("js/state/sound.js");
      for (const space of ["eastern-united-states", "italy", "australia", null, null])
        sound("army", 1, space);
      while (sides.length < 5) await new Promise((go) => setTimeout(go, 20));
      return [sides, paces];
    }""")
    assert -0.5 <= sides[0] < -0.2 < sides[1] < 0.2 < sides[2] <= 0.5
    assert sides[3] == 0
    assert len(set(paces)) == 5
    assert all(0.96 <= pace <= 1.04 for pace in paces)


def test_supply_that_is_cut_sounds(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".fan .card").first.wait_for()
    page.locator("#main").click(position={"x": 5, "y": 300})  # a page may sound after a click
    hear_a_card(page)
    sounds = page.evaluate(
        """async () => {
          const { supply } = await ours("js/state/table.js");
          const { played } = await ours("js/state/sound.js");
          const line = (is_supplied) => ({ space: "germany", is_supplied });
          const lines = (is) => ({ germany: { germany: line(is) } });
          supply.value = lines(true);
          const before = played.filter((one) => one === "cut").length;
          supply.value = lines(false);
          supply.value = lines(false);
          return played.filter((one) => one === "cut").length - before;
        }"""
    )
    assert sounds == 1


def test_sound_is_switched_off_for_good(visitors: Visitors) -> None:
    played = 'ours("js/state/sound.js").then(({ played }) => played.length)'
    page = visitors.come("/")
    assert page.evaluate(played) == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name=re.compile("^Sound")).uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()
    page.get_by_role("button", name="Play the Axis").click()
    page.locator(".prompt .sentence").first.wait_for()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(played) == 0
    page.get_by_role("button", name="Sound").click()
    page.locator(".fan .card .face").first.click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    hear_a_card(page)
    assert page.evaluate('ours("js/state/sound.js").then((it) => it.played)') == ["card"]
