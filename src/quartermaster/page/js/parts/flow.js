// Cards on their way: from the deck into the hand, along in it, and out of it, to the board or to the discards.
import { useLayoutEffect, useRef } from "../base/html.js";
import { asked } from "../state/choices.js";
import { pace } from "../state/settings.js";
import { begun, log } from "../state/table.js";

const COMES = 300; // milliseconds
const GOES = 340;
const MOVES = 260;
const APART = 55; // from one card to the next
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";
const LATELY = 14; // entries of the log in which one finds what has become of a card

/** Where a card lies, and its size. @typedef {{ card: HTMLElement, x: number, left: number, top: number, width: number, height: number }} Place */

/** Hands that were seen when they were dealt. @type {Set<string>} */
const dealt = new Set();

/** Lets the cards of a hand move to where they belong when the hand changes.
 * @param {{ current: HTMLElement | null }} fan
 * @param {string} country
 * @param {string[]} cards */
export function useFlow(fan, country, cards) {
  const text = cards.join(" ");
  const last = useRef(text);
  const before = useRef(/** @type {Map<string, Place>} */ (new Map()));
  // They lie as before until this is drawn.
  if (fan.current && last.current !== text) before.current = places(fan.current);
  useLayoutEffect(() => {
    const hand = `${begun().id} ${country}`;
    const isDeal = asked.value?.decision.kind === "setup" && !dealt.has(hand);
    dealt.add(hand);
    if (fan.current && pace() > 0 && !document.hidden && (isDeal || last.current !== text))
      flow(fan.current, country, isDeal ? new Map() : before.current);
    last.current = text;
  }, [text]);
}

/** @param {HTMLElement} fan */
const cardsOf = (fan) => /** @type {HTMLElement[]} */ ([...fan.querySelectorAll(".card[data-key]")]);

/** @param {HTMLElement} fan
 * @returns {Map<string, Place>} */
const places = (fan) =>
  new Map(
    cardsOf(fan).map((card) => {
      const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = card;
      return [String(card.dataset.key), { card, x: left + width / 2, left, top, width, height }];
    }),
  );

/** @param {HTMLElement} fan
 * @param {string} country
 * @param {Map<string, Place>} before */
function flow(fan, country, before) {
  // All is measured before anything moves: each look after that would let the browser lay out everything once more.
  const now = places(fan);
  const wayTo = ways(fan);
  const [deck, board, down] = [".piles .back", ".board", ".pile.down"].map((one) => document.querySelector(one));
  const came = [...now].filter(([key]) => !before.has(key)).map(([, place]) => ({ place, from: wayTo(place, deck) }));
  const gone = [...before]
    .filter(([key]) => !now.has(key))
    .map(([key, place]) => {
      const isPlayed = wasPlayed(country, key.split(" ")[0]);
      return { place, isPlayed, to: wayTo(place, isPlayed ? board : down) };
    });
  for (const [key, { card, x }] of now) {
    const old = before.get(key);
    if (old && Math.abs(old.x - x) > 1)
      card.animate([{ translate: `${old.x - x}px` }, { translate: "0" }], { duration: MOVES, easing: EASE });
  }
  came.forEach(({ place, from }, i) => arrive(place.card, from ?? [160, 0], i));
  gone.forEach(({ place, isPlayed, to }, i) => depart(fan, place, isPlayed, to ?? [0, -60], i));
}

/** How far it is from the middle of a card's place in a fan to that of something else, if that is shown.
 * @param {HTMLElement} fan */
function ways(fan) {
  const a = fan.getBoundingClientRect();
  const scale = a.width / fan.offsetWidth || 1; // very large screens enlarge everything
  return (/** @type {Place} */ { left, top, width, height }, /** @type {Element | null} */ to) => {
    const b = to?.getBoundingClientRect();
    if (!b?.width) return null;
    return [
      (b.left + b.width / 2 - a.left) / scale - (left - fan.scrollLeft + width / 2),
      (b.top + b.height / 2 - a.top) / scale - (top + height / 2),
    ];
  };
}

/** Whether a card that has left the hand was played, and not discarded.
 * @param {string} country
 * @param {string} id */
const wasPlayed = (country, id) =>
  log.value
    .slice(-LATELY)
    .some((entry) => ["play", "set"].includes(entry.what) && entry.country === country && entry.card === id);

/** From the deck, or where none is shown from the right.
 * @param {HTMLElement} card
 * @param {number[]} from
 * @param {number} i */
function arrive(card, [x, y], i) {
  card.animate(
    [
      { translate: `${x}px ${y}px`, rotate: "8deg", scale: 0.5, opacity: 0 },
      { opacity: 1, offset: 0.3 },
      { translate: "0 0", rotate: "0deg", scale: 1, opacity: 1 },
    ],
    { duration: COMES, delay: i * APART, fill: "backwards", easing: EASE },
  );
}

/** What was played goes to the board, what was not to the discards.
 * @param {HTMLElement} fan
 * @param {Place} place
 * @param {boolean} isPlayed
 * @param {number[]} to
 * @param {number} i */
function depart(fan, { card, left, top, width, height }, isPlayed, [x, y], i) {
  const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
  ghost.removeAttribute("data-key");
  ghost.removeAttribute("role");
  ghost.inert = true;
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  fan.append(ghost);
  ghost
    .animate(
      isPlayed
        ? [
            { translate: "0 0", scale: 1, opacity: 1 },
            { translate: `${x * 0.9}px ${y * 0.9}px`, scale: 1, opacity: 1, offset: 0.7 },
            { translate: `${x}px ${y}px`, scale: 0.9, opacity: 0 },
          ]
        : [
            { translate: "0 0", scale: 1, opacity: 1 },
            { translate: `${x}px ${y}px`, rotate: "8deg", scale: 0.35, opacity: 0.2 },
          ],
      { duration: isPlayed ? GOES * 1.3 : GOES, delay: isPlayed ? 0 : i * APART, fill: "both", easing: EASE },
    )
    .finished.finally(() => ghost.remove());
}
