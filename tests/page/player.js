// Plays games as a person does at the page: by its own questions, one click after the other, and counts them.
// Nothing is drawn; what would be clicked goes to the same functions the cards, the map and the bar call.
import * as tables from "/static/js/state/table.js";
import * as choices from "/static/js/state/choices.js";
import { ending, endTurn } from "/static/js/state/ending.js";
import { set } from "/static/js/state/settings.js";
import { beSomeone } from "/static/js/state/session.js";
import { loadWords } from "/static/js/base/words.js";
import { get, post } from "/static/js/base/api.js";
import { seatsAgainstBots } from "/static/js/base/countries.js";

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function chanceOf(seed) {
  let at = seed * 2654435761 + 12345;
  return () => {
    at = (Math.imul(at ^ (at >>> 15), 2246822519) + 3266489917) >>> 0;
    return at / 4294967296;
  };
}

/** One game of the Axis against bots. */
async function play(seed, bot, hastens) {
  const chance = chanceOf(seed);
  const any = (list) => list[Math.floor(chance() * list.length)];
  const count = { clicks: 0, decisions: 0, passes: 0, turns: [], moves: 0, movePasses: 0 };
  const first = await post("/api/games", { seats: seatsAgainstBots(["germany", "japan", "italy"], bot), pause: 0, start: true });
  tables.table.value = null;
  tables.log.value = [];
  await tables.loadCatalogue(first.settings);
  tables.take(first);
  let turn = { key: "", clicks: 0, isNormal: true };
  const click = (n = 1) => {
    count.clicks += n;
    turn.clicks += n;
  };
  const poll = async () => tables.take(await get(`/api/games/${first.id}?since=${tables.table.value.number}`));
  const settle = async () => {
    for (let i = 0; i < 2000 && (choices.isBusy.value || choices.doubt.value); i++) {
      if (choices.doubt.value) {
        const { act } = choices.doubt.value;
        choices.doubt.value = null;
        click();
        act();
      }
      await pause(3);
      if (choices.isBusy.value && i % 20 === 19) await poll();
    }
  };
  const decide = (q) => {
    count.decisions += 1;
    const hand = tables.table.value.view.countries[q.decision.country].hand ?? [];
    if (q.ticks) {
      const isEnd = q.decision.kind === "discard-step";
      const n = isEnd ? (chance() < 0.25 ? 1 : 0) : q.ticks.count;
      for (let place = 0; place < Math.min(n, hand.length); place++) {
        choices.pickCard(q, hand[place], place);
        click();
      }
      if (isEnd && !n && !hastens && ending.value) {
        // Who has nothing to discard waits a moment: nothing is clicked, nothing decided.
        count.decisions -= 1;
        return endTurn();
      }
      if (isEnd && !n) count.passes += 1;
      else turn.isNormal = false;
      click();
      return choices.confirmTicks(q);
    }
    if (q.extras.length && chance() < 0.15) {
      turn.isNormal = false;
      click();
      return choices.pick(q, any(q.extras));
    }
    const playable = [...q.byCard].filter(([, actions]) => actions.some((a) => a.verb === "play" && !choices.emptiness(a)));
    if (q.byCard.size) {
      const [card] = any(playable.length ? playable : [...q.byCard]);
      choices.pickCard(q, card, hand.indexOf(card));
      click();
      const spaces = [...choices.lit.value.keys()];
      click();
      return spaces.length ? choices.pickSpace(any(spaces)) : choices.pick(q, choices.playOf(q) ?? choices.discardOf(q));
    }
    if (q.decision.kind === "react") turn.isNormal = false;
    if (q.pass && (chance() < 0.25 && q.decision.kind === "react")) {
      count.passes += 1;
      click();
      return choices.pick(q, q.pass);
    }
    if (q.bySpace.size) {
      const space = any([...q.bySpace.keys()]);
      click();
      const actions = q.bySpace.get(space);
      if (actions.length === 1) return choices.pickSpace(space);
      click();
      return choices.pick(q, any(actions));
    }
    turn.isNormal = false;
    const action = any(q.loose) ?? q.pass;
    if (action === q.pass) count.passes += 1;
    click();
    return choices.pick(q, action);
  };
  const real = window.fetch;
  window.fetch = (path, wish) => {
    if (String(path).endsWith("/moves") || String(path).endsWith("/answers")) {
      count.moves += 1;
      if (JSON.parse(wish.body).text === "pass") count.movePasses += 1;
    }
    return real(path, wish);
  };
  let still = 0;
  while (tables.table.value.status === "playing" && still < 4000) {
    const { view } = tables.table.value;
    const q = choices.asked.value;
    if (!q) {
      await pause(10);
      still += 1;
      await poll();
      continue;
    }
    still = 0;
    const key = `${view.round} ${view.turn}`;
    if (key !== turn.key) {
      if (turn.key && turn.clicks) count.turns.push(turn);
      turn = { key, clicks: 0, isNormal: view.turn === q.decision.country && q.decision.kind !== "setup" };
    }
    const { number } = tables.table.value;
    await decide(q);
    await settle();
    await pause(0);
    // A page hears by its stream of what happened meanwhile; whoever plays here has to ask.
    if (tables.table.value.number === number) await poll();
  }
  window.fetch = real;
  return { ...count, status: tables.table.value.status };
}

/** `hastens`: whoever plays ends each turn by a click, and does not wait until it ends by itself. */
export async function playAll(seeds, { hastens = false, bot = "rookie" } = {}) {
  await loadWords();
  set({ speed: "off" });
  await beSomeone("Ada");
  const found = [];
  for (const seed of seeds) found.push(await play(seed, bot, hastens));
  return found;
}
