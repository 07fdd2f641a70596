// What there is to know of a space, and to choose in it.
import { cls, html, useEffect, useLayoutEffect, useRef, useSignal } from "../base/html.js";
import { listed, noun, t } from "../base/words.js";
import { get } from "../base/api.js";
import { CODES } from "../base/countries.js";
import { attempt } from "../state/session.js";
import { begun, game, spaceName, straitTeam, supply, world } from "../state/table.js";
import { asked, lit, pick, picked } from "../state/choices.js";

const GAP = 60; // pixels between a space's middle and what is told of it

/** Put what is told of a space beside it, where the eye is already: at the side where more of the map is.
 * @param {HTMLElement} told
 * @param {string} space */
function standBeside(told, space) {
  const board = told.parentElement?.getBoundingClientRect();
  const at = document.querySelector(`.space[data-space="${space}"]`)?.getBoundingClientRect();
  if (!board || !at) return;
  const scale = board.width / (told.parentElement?.clientWidth || board.width); // very large screens enlarge everything
  const [x, y] = [(at.left + at.width / 2 - board.left) / scale, (at.top + at.height / 2 - board.top) / scale];
  const [w, h] = [board.width / scale, board.height / scale];
  const { offsetWidth: wide, offsetHeight: high } = told;
  const left = x < w / 2 ? x + GAP : x - GAP - wide;
  told.style.left = `${Math.max(12, Math.min(w - wide - 12, left))}px`;
  told.style.top = `${Math.max(12, Math.min(h - high - 80, y - high / 2))}px`;
}

export function SpaceInfo() {
  const id = /** @type {string} */ (picked.value);
  const now = begun();
  const q = asked.value;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const there = Object.values(now.view.countries).filter((side) => [...side.armies, ...side.navies].includes(id));
  const actions = lit.value.get(id) ?? [];
  const { supply: isSource, home_of: home } = world().board[id];
  const facts = [
    isSource && t("space.source"),
    home && t("space.home", { country: noun(`country.${home}`) }),
    ...world()
      .map.straits.filter((one) => one.land === id)
      .map(() => t(`map.strait-${straitTeam(now.view, id)}`, { land: spaceName(id) })),
  ].filter(Boolean);
  const removable = now.removals.filter((one) => one.space === id);
  const whatIf = useSignal(/** @type {string | null} */ (null));
  useLayoutEffect(() => {
    if (box.current && innerWidth > 700 && innerHeight > 480) standBeside(box.current, id);
  }, [id]);
  useEffect(() => {
    whatIf.value = null;
    if (actions.length) box.current?.querySelector("button")?.focus();
  }, [id]);
  const fall = async (/** @type {string} */ country) => {
    const after = await attempt(() => get(`${game()}/supply?without=${country}:${id}`));
    if (!after) return;
    const lost = Object.entries(after).flatMap(([who, pieces]) =>
      Object.values(/** @type {Record<string, import("../api").Supply>} */ (pieces))
        .filter((piece) => !piece.is_supplied && supply.value[who]?.[piece.space]?.is_supplied)
        .map((piece) => `${CODES[who]} ${spaceName(piece.space)}`),
    );
    whatIf.value = lost.length ? t("space.would-starve", { list: listed(lost) }) : t("space.nobody-starves");
  };
  return html`
    <div class="space-info" role="region" aria-label=${spaceName(id)} ref=${box}>
      <h3>${spaceName(id)}</h3>
      ${facts.length > 0 && html`<p class="dim">${facts.join(" ")}</p>`}
      ${q && actions.length > 0 && html`<div class="choices">${actions.map((/** @type {import("../state/table.js").Choice} */ action) => html`<button class="main" onClick=${() => pick(q, action)}>${action.phrase}</button>`)}</div>`}
      ${there.map((side) => {
        const state = supply.value[side.country]?.[id];
        return html`<p key=${side.country}><span class=${cls("pip", side.country, side.team)}>${CODES[side.country]}</span>
          ${" "}${
            state &&
            (state.is_supplied
              ? state.by_card
                ? t("space.by-card")
                : t("space.supplied", { path: state.path.map(spaceName).join(" – ") })
              : t("space.cut", { reason: state.missing }))
          }
          ${" "}<button class="link" onClick=${() => fall(side.country)}>${t("space.what-if")}</button></p>`;
      })}
      ${there.length === 0 && html`<p class="dim">${t("space.empty")}</p>`}
      ${whatIf.value && html`<p role="status">${whatIf.value}</p>`}
      ${q && removable.length > 0 && html`<div class="choices removals">${removable.map((action) => html`<button class="link" onClick=${() => pick(q, action)}>${action.phrase}</button>`)}</div>`}
      <button class="close" onClick=${() => (picked.value = null)}>${t("close")}</button>
    </div>`;
}
