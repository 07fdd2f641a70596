// The rules, to read and to search. What stands where is data; the texts are in the catalogue.
import { cls, field, html, raw, signal, useEffect, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { Prose, hasAll, wordsOf } from "../parts/prose.js";

/** @typedef {{ kind: string, from: number, to: number }} List */
/** @typedef {{ id: string, count: number, list: List | null, hasTable?: boolean }} PartData */
/** @typedef {{ id: string, parts: PartData[] }} SectionData */
/** @typedef {PartData & { numbers: number[], rows: string[] }} FoundPart */
/** @typedef {{ id: string, parts: FoundPart[] }} FoundSection */

/** A part of a section: its id, the number of its paragraphs, and those of them that are a list.
 * @param {string} id
 * @param {number} [count]
 * @param {List | null} [list]
 * @returns {PartData} */
const part = (id, count = 1, list = null) => ({ id, count, list });
/** @param {number} count
 * @param {string} kind */
const all = (count, kind) => ({ kind, from: 1, to: count });

/** @type {SectionData[]} */
const SECTIONS = [
  { id: "aim", parts: [part("goal", 2), part("teams", 2), part("secrets")] },
  { id: "board", parts: [part("spaces", 2), part("pieces", 2), part("removing")] },
  { id: "turn", parts: [part("setup"), part("order"), part("steps", 7, all(7, "ol")), part("reallocate")] },
  { id: "cards", parts: [part("types", 7, all(7, "ul")), part("reading", 3)] },
  {
    id: "supply",
    parts: [
      part("sources"),
      part("chains"),
      part("ports"),
      part("straits", 7, { kind: "ul", from: 2, to: 6 }),
      part("step"),
      part("cards"),
    ],
  },
  { id: "building", parts: [part("build"), part("naming"), part("recruit"), part("anew")] },
  { id: "battle", parts: [part("fight", 2), part("more"), part("eliminate"), part("protect")] },
  { id: "economy", parts: [part("cards", 2), part("statuses")] },
  {
    id: "reactions",
    parts: [part("status", 2), part("response"), part("windows"), part("order", 4, all(4, "ol")), part("limits")],
  },
  { id: "points", parts: [part("stars"), part("home"), part("end", 2)] },
  { id: "discards", parts: [part("pile"), part("costs"), part("empty", 3, all(3, "ul"))] },
  { id: "editions", parts: [{ ...part("table"), hasTable: true }, part("markers")] },
  { id: "air-marshal", parts: [part("what"), part("pieces"), part("step"), part("defence"), part("bolster")] },
  {
    id: "site",
    parts: [part("help"), part("first"), part("windows"), part("orders"), part("undo"), part("clocks"), part("keys")],
  },
];
/** The parts with a figure. @type {Record<string, string>} */
const CAPTIONS = {
  "aim.teams": "figure.teams",
  "board.spaces": "figure.spaces",
  "board.pieces": "figure.pieces",
  "turn.steps": "figure.steps",
  "cards.types": "figure.types",
  "supply.chains": "figure.chain",
  "supply.straits": "figure.strait",
  "supply.step": "figure.cut",
  "building.build": "figure.build",
  "battle.fight": "figure.battle",
  "points.stars": "figure.stars",
  "air-marshal.defence": "figure.air",
};
/** What is drawn in them comes once somebody reads the rules. */
const figures = signal(/** @type {Record<string, () => string>} */ ({}));
const loadFigures = () =>
  import("./figures.js").then(
    ({ FIGURES }) => (figures.value = FIGURES),
    () => {}, // without them the rules can be read as well
  );

const EDITIONS = ["second", "first", "french"];
const ROWS = [
  "cards",
  "board",
  "navies",
  "markers",
  "sudden",
  "lead",
  "reallocate",
  "status",
  "removing",
  "deck",
  "play",
  "score",
];

/** What is left of a part by a search: the numbers of its paragraphs. A part whose heading or
 * section fits is left whole.
 * @param {SectionData} section
 * @param {PartData} part
 * @param {string[]} words */
function found(section, { id, count }, words) {
  const name = `rulebook.${section.id}.${id}`;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const heads = `${t(`rulebook.${section.id}`)} ${t(name)}`;
  if (hasAll(heads, words)) return numbers;
  return numbers.filter((n) => hasAll(`${heads} ${t(`${name}.${n}`)}`, words));
}

/** @param {SectionData} section
 * @param {string[]} words */
function foundRows(section, words) {
  const heads = t(`rulebook.${section.id}`);
  return ROWS.filter((row) =>
    hasAll(
      [heads, t(`rulebook.row.${row}`), ...EDITIONS.map((name) => t(`rulebook.row.${row}.${name}`))].join(" "),
      words,
    ),
  );
}

/** The sections as a search leaves them.
 * @param {string[]} words
 * @returns {FoundSection[]} */
function search(words) {
  return SECTIONS.map((section) => ({
    id: section.id,
    parts: section.parts
      .map((one) => ({
        ...one,
        numbers: found(section, one, words),
        rows: one.hasTable ? foundRows(section, words) : [],
      }))
      .filter((one) => one.numbers.length || one.rows.length),
  })).filter((section) => section.parts.length);
}

/** @param {FoundSection[]} sections */
const size = (sections) =>
  sections.flatMap((s) => s.parts).reduce((n, one) => n + one.numbers.length + one.rows.length, 0);

export function Rules() {
  const text = useSignal("");
  useAnchor(() => (text.value = ""));
  useEffect(() => void loadFigures(), []);
  const words = wordsOf(text.value);
  const sections = search(words);
  return html`
    <div class="rulebook">
      <div class="rulebook-head">
        <h1>${t("rulebook.title")}</h1>
        <form role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
          <span class="dim" role="status">${words.length > 0 && told(size(sections))}</span>
          ${words.length > 0 && html`<button type="button" class="quiet" onClick=${() => (text.value = "")}>${t("rulebook.clear")}</button>`}
          <label>${t("rulebook.search")}<input type="search" value=${text.value}
            onInput=${(/** @type {Event} */ e) => (text.value = field(e).value)} /></label>
        </form>
      </div>
      <p class="lead">${t("rulebook.lead")}</p>
      <div class="rulebook-columns">
        <${Contents} ids=${sections.map(({ id }) => id)} />
        <div>${sections.map((section) => html`<${Section} key=${section.id} section=${section} words=${words} />`)}</div>
      </div>
    </div>`;
}

const READ_AT = 140; // pixels under the upper edge of the window: what has passed it is being read

/** The sections, and which one is being read.
 * @param {{ ids: string[] }} props */
function Contents({ ids }) {
  const now = useSignal("");
  const list = ids.join(" ");
  useEffect(() => {
    const look = () => {
      const passed = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) < READ_AT);
      now.value = passed.at(-1) ?? ids[0] ?? "";
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [list]);
  return html`
    <nav class="rulebook-contents" aria-label=${t("rulebook.contents")}>
      <ul>${ids.map((id) => html`<li key=${id}><a href=${`#${id}`} aria-current=${now.value === id ? "location" : undefined}>${t(`rulebook.${id}`)}</a></li>`)}</ul>
    </nav>`;
}

/** @param {number} n */
const told = (n) => (n === 0 ? t("rulebook.nothing") : n === 1 ? t("rulebook.found-one") : t("rulebook.found", { n }));

/** @param {{ section: FoundSection, words: string[] }} props */
function Section({ section, words }) {
  const title = t(`rulebook.${section.id}`);
  const names = section.parts.map(({ id }) => `${section.id}.${id}`);
  // A figure stands beside its part, and beside those that follow without a figure.
  const room = (/** @type {number} */ i) => {
    const next = names.findIndex((name, k) => k > i && CAPTIONS[name]);
    return `${i + 2} / ${(next < 0 ? names.length : next) + 2}`;
  };
  return html`
    <section class=${cls("panel", names.some((name) => CAPTIONS[name]) && "with-figures")} aria-labelledby=${section.id}>
      <h2 id=${section.id} tabindex="-1"><${Prose} text=${title} words=${words} /><${Anchor} id=${section.id} title=${title} /></h2>
      ${section.parts.map(
        (one, i) => html`
        <${Part} key=${one.id} section=${section.id} part=${one} words=${words} />
        ${CAPTIONS[names[i]] && html`<${Figure} key=${names[i]} name=${names[i]} rows=${room(i)} />`}`,
      )}
    </section>`;
}

/** A drawing, and what it shows in words.
 * @param {{ name: string, rows: string }} props */
const Figure = ({ name, rows }) => html`
  <figure style=${`--rows:${rows}`}>
    <svg viewBox="0 0 360 150" aria-hidden="true" focusable="false" dangerouslySetInnerHTML=${raw(figures.value[name]?.() ?? "")}></svg>
    <figcaption>${t(CAPTIONS[name])}</figcaption>
  </figure>`;

/** @param {{ section: string, part: FoundPart, words: string[] }} props */
function Part({ section, part: { id, numbers, list, rows }, words }) {
  const name = `rulebook.${section}.${id}`;
  const anchor = `${section}-${id}`;
  const isItem = (/** @type {number} */ n) => list !== null && n >= list.from && n <= list.to;
  const items = numbers.filter(isItem);
  const paragraph = (/** @type {number} */ n) =>
    html`<p key=${n}><${Prose} text=${t(`${name}.${n}`)} words=${words} /></p>`;
  return html`
    <div class="rulebook-part">
      <h3 id=${anchor} tabindex="-1"><${Prose} text=${t(name)} words=${words} /><${Anchor} id=${anchor} title=${t(name)} /></h3>
      ${numbers.filter((n) => !isItem(n) && n < (list?.from ?? Infinity)).map(paragraph)}
      ${
        items.length > 0 &&
        html`<${list?.kind}>${items.map(
          (n) => html`
        <li key=${n} value=${list?.kind === "ol" ? n : undefined}><${Prose} text=${t(`${name}.${n}`)} words=${words} /></li>`,
        )}<//>`
      }
      ${numbers.filter((n) => !isItem(n) && n >= (list?.from ?? Infinity)).map(paragraph)}
      ${rows.length > 0 && html`<${Editions} rows=${rows} words=${words} />`}
    </div>`;
}

/** @param {{ id: string, title: string }} props */
const Anchor = ({ id, title }) =>
  html`<a class="anchor" href=${`#${id}`} aria-label=${t("rulebook.link", { title })}>#</a>`;

/** @param {{ rows: string[], words: string[] }} props */
function Editions({ rows, words }) {
  const cell = (/** @type {string} */ id) => html`<${Prose} text=${t(id)} words=${words} />`;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label=${t("rulebook.editions.table")}>
      <table class="compare">
        <thead><tr><td></td>${EDITIONS.map((name) => html`<th scope="col">${t(`rules.${name}`)}</th>`)}</tr></thead>
        <tbody>${rows.map(
          (row) => html`
          <tr key=${row}><th scope="row">${cell(`rulebook.row.${row}`)}</th>
            ${EDITIONS.map((name) => html`<td>${cell(`rulebook.row.${row}.${name}`)}</td>`)}</tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** Go to what the address names: when the page was opened, the texts were not there yet, and a
 * search may have hidden it.
 * @param {() => void} unhide */
function useAnchor(unhide) {
  useEffect(() => {
    const show = (isHidden = true) => {
      const id = decodeURIComponent(location.hash.slice(1));
      const target = document.getElementById(id);
      if (target?.closest(".rulebook")) {
        target.scrollIntoView();
        target.focus({ preventScroll: true });
      } else if (isHidden && SECTIONS.some((section) => section.id === id.split("-")[0] || section.id === id)) {
        unhide();
        requestAnimationFrame(() => show(false));
      }
    };
    const onHash = () => show();
    show();
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
}
