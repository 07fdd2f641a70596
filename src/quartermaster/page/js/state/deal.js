// Fair cards: this browser adds chance of its own to every deal, notes what it was promised, and checks
// afterwards that the promise was kept. docs/fairness.md tells how the cards come about.
import { post } from "../base/api.js";

/** @typedef {import("../api").DealProof} Proof */
/** @typedef {import("../api").TableView} TableView */
/** What was noted before the game. @typedef {{ commitment: string, added?: string }} Note */
/** One thing that was checked: right, wrong, or nothing to compare with. @typedef {{ id: string, is: "right" | "wrong" | "unknown" }} Finding */

const KEY = "quartermaster.deals";
const MOST = 200; // tables to remember

/** @returns {Record<string, Note>} */
function notes() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // nothing can be kept, or what was kept is broken
  }
}

/** What this browser noted of a table before its game.
 * @param {string} id
 * @returns {Note | undefined} */
export const noteOf = (id) => notes()[id];

/** @param {string} id
 * @param {Note} note */
function keep(id, note) {
  const all = Object.entries({ ...notes(), [id]: note }).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Without storage there is nothing to compare with later; the check says so.
  }
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Note the commitment of a table before its game, and add 32 random bytes once. The first note
 * stays: a server that shows another commitment later is found out.
 * @param {TableView} table
 * @returns {Promise<TableView | null>} the table with what was added, if something was */
export async function addChance(table) {
  const { commitment, can_contribute: can } = table.deal;
  if (!commitment || table.status !== "lobby") return null;
  const note = noteOf(table.id) ?? { commitment };
  if (!noteOf(table.id)) keep(table.id, note);
  if (!can) return null;
  const added = hex(crypto.getRandomValues(new Uint8Array(32)));
  const next = await post(`/api/games/${table.id}/contribution`, { added }).catch(() => null); // the game does not depend on it
  if (next) keep(table.id, { ...note, added });
  return next;
}

/** Whether this browser can work out hashes: it does so only for addresses that are secure. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/** @param {Uint8Array} key
 * @returns {Promise<(text: string) => Promise<Uint8Array>>} HMAC-SHA-256 with this key */
async function keyed(key) {
  const made = await crypto.subtle.importKey(
    "raw",
    /** @type {BufferSource} */ (key),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", made, new TextEncoder().encode(text)));
}

/** The cards of a shuffle: in alphabetical order, then exchanged by chance from the last place on.
 * @param {(text: string) => Promise<Uint8Array>} chance
 * @param {number} number
 * @param {string[]} cards */
async function shuffled(chance, number, cards) {
  const list = [...cards].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  let block = 0;
  /** @type {number[]} */
  let words = [];
  const next = async () => {
    if (!words.length) {
      const view = new DataView((await chance(`shuffle ${number} ${block++}`)).buffer);
      words = Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4));
    }
    return /** @type {number} */ (words.shift());
  };
  for (let i = list.length - 1; i > 0; i--) {
    let word = await next();
    while (word >= Math.floor(2 ** 32 / (i + 1)) * (i + 1)) word = await next();
    const j = word % (i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** @param {string[]} a
 * @param {string[]} b */
const same = (a, b) => a.length === b.length && a.every((card, i) => card === b[i]);
/** @param {string[]} cards */
const sorted = (cards) => [...cards].sort();

/** Whether every shuffle is the one that the seed gives, and whatever came off a deck lay on its top.
 * @param {Proof} proof
 * @param {Uint8Array} seed */
async function checkSteps(proof, seed) {
  const chance = await keyed(seed);
  /** @type {Record<string, string[]>} */
  const decks = {};
  let number = 0,
    shuffles = true,
    draws = true;
  for (const { what, country, cards } of proof.steps) {
    if (what === "shuffle" || what === "pick" || what === "deal") {
      shuffles &&= same(await shuffled(chance, number++, cards), cards);
      if (what === "shuffle") decks[country] = cards;
    } else if (what === "deck") decks[country] = cards;
    else {
      const deck = decks[country] ?? [];
      draws &&= same(sorted(deck.slice(deck.length - cards.length)), sorted(cards));
      decks[country] = deck.slice(0, deck.length - cards.length);
    }
  }
  return { shuffles: shuffles && number > 0, draws, number };
}

/** Check a deal with what this browser noted before the game.
 * @param {Proof} proof
 * @param {Note | undefined} note
 * @returns {Promise<{ isFair: boolean, findings: Finding[], shuffles: number }>} */
export async function check(proof, note) {
  const is = (/** @type {boolean} */ right) =>
    right ? /** @type {const} */ ("right") : /** @type {const} */ ("wrong");
  const secret = bytesOf(proof.secret);
  const commitment = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", secret)));
  const lines = proof.contributions.map(([seat, added]) => `${seat} ${added}\n`);
  const seed = await (await keyed(secret))(`quartermaster deal 1\n${lines.join("")}`);
  const steps = await checkSteps(proof, seed);
  /** @type {Finding[]} */
  const findings = [
    { id: "secret", is: is(commitment === proof.commitment) },
    { id: "promise", is: note ? is(note.commitment === commitment) : "unknown" },
    { id: "own", is: note?.added ? is(proof.contributions.some(([, added]) => added === note.added)) : "unknown" },
    // Each seat adds once, in their order: who could add more could try until the cards suit them.
    {
      id: "seed",
      is: is(
        hex(seed) === proof.seed &&
          proof.contributions.every(([seat], n, all) => seat > (n ? all[n - 1][0] : -1) && seat < 6),
      ),
    },
    { id: "shuffles", is: is(steps.shuffles) },
    { id: "draws", is: is(steps.draws) },
  ];
  return { isFair: findings.every((one) => one.is !== "wrong"), findings, shuffles: steps.number };
}
