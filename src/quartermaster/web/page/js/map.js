// The map: spaces, pieces, lines of supply. Pan and zoom by mouse, touch and keys.
import { html, cls, signal, CODES, useEffect, useRef, useSignal, COUNTRIES, teamOf } from "./lib.js";
import { Icon } from "./icons.js";
import { countryName, t } from "./words.js";
import { catalogue, spaceName, supply } from "./table.js";
import { pointed } from "./guide.js";

export const shownSupply = signal(null); // the country whose lines are drawn
export const picked = signal(null); // a space that was clicked

const perEdition = (value, edition) => (typeof value === "object" && !Array.isArray(value) ? value[edition] : value);

/** Everything that stands in each space: {space: [{country, kind}]}. */
export function piecesOf(view) {
  const found = {};
  for (const country of COUNTRIES) {
    const side = view.countries[country];
    for (const space of side.armies) (found[space] ??= []).push({ country, kind: "army" });
    for (const space of side.navies) (found[space] ??= []).push({ country, kind: "navy" });
    for (const space of side.air_forces) {
      const carrier = found[space]?.find((piece) => piece.country === country);
      if (carrier) carrier.air = true;
      else (found[space] ??= []).push({ country, kind: "air-force" });
    }
  }
  return found;
}

/** To whom a strait is open: to the Axis while an Axis army holds its land, else to the Allies. */
export function straitTeam(view, land) {
  const isHeld = COUNTRIES.some((country) => teamOf(country) === "axis" && view.countries[country].armies.includes(land));
  return isHeld ? "axis" : "allies";
}

export function Map({ view, legal, led, onSpace }) {
  const { map, edition } = catalogue.value;
  const frame = useRef(null);
  const [w, h] = map.box;
  const at = useSignal({ x: 0, y: 0, w });
  useMapGestures(frame, at, w, h);
  const shown = useShownSize(frame, at, w, h);
  // Letters and pieces keep their size on the screen, as far as the spaces have room for them.
  const unit = Math.min(shown.value.w / at.value.w, (shown.value.h * w) / (at.value.w * h)) || 0.5;
  const letter = Math.min(19, Math.max(10, 10.5 / unit));
  const marker = Math.min(13, Math.max(9, 9.5 / unit));
  const pieces = view ? piecesOf(view) : {};
  const lines = shownSupply.value ? supply.value[shownSupply.value] ?? {} : {};
  const place = (x) => perEdition(map.spaces[x].slots, edition);
  const height = (at.value.w * h) / w;
  const spaces = Object.entries(map.spaces);
  const unsupplied = (country, space) => supply.value[country]?.[space]?.is_supplied === false;
  return html`
    <div class="map" ref=${frame}>
      <svg viewBox=${`${at.value.x} ${at.value.y} ${at.value.w} ${height}`} role="group"
        aria-label=${t("map.label")} preserveAspectRatio="xMidYMid meet">
        <rect class="deep" width=${w} height=${h} />
        ${map.scenery && html`<path class="scenery" d=${map.scenery} fill-rule="evenodd" />`}
        ${["sea", "land"].map((kind) => spaces.filter(([, s]) => s.kind === kind).map(([id, s]) => {
          const isLegal = legal.has(id);
          return html`<path key=${id} d=${perEdition(s.path, edition)} fill-rule="evenodd"
            class=${cls("space", s.kind, isLegal && "legal", led.has(id) && "led", pointed.value.spaces.includes(id) && "pointed",
              picked.value === id && "picked", catalogue.value.board[id]?.home_of && `home ${catalogue.value.board[id].home_of}`)}
            role=${isLegal ? "button" : undefined} tabindex=${isLegal ? 0 : undefined}
            aria-label=${isLegal ? describe(id, pieces[id], legal.get(id)) : undefined}
            onClick=${() => onSpace(id)}
            onKeyDown=${(e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), onSpace(id))}>
            <title>${describe(id, pieces[id], legal.get(id))}</title></path>`;
        }))}
        ${Object.entries(map.stars ?? {}).map(([id, spot]) => {
          const [x, y] = perEdition(spot, edition);
          return html`<path key=${id} class="star" d=${star(x, y, 11)} />`;
        })}
        ${map.straits.map((strait) => {
          const team = view && straitTeam(view, strait.land);
          return html`<g class=${cls("strait", team)} key=${strait.land} data-land=${strait.land}>
            ${strait.arrows.map(([a, b]) => html`<line x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]} />`)}
            <circle cx=${strait.at[0]} cy=${strait.at[1]} r="10" />
            <path transform=${`translate(${strait.at[0] - 6} ${strait.at[1] - 6}) scale(.75)`} d="M8 3v11M5 6h6M2 9c0 3 3 5 6 5s6-2 6-5M8 1.500a1.500 1.500 0 1 0 .01 0" />
            <title>${t(`map.strait-${team ?? "allies"}`, { land: spaceName(strait.land) })}</title></g>`;
        })}
        ${map.pointers.map((pointer) => html`<${EdgePointer} pointer=${pointer} letter=${letter} isNamed=${at.value.w < w / 1.5} />`)}
        ${spaces.map(([id, s]) => {
          const [x, y] = perEdition(s.label, edition);
          const lines = broken(spaceName(id));
          return html`<text key=${id} class=${cls("label", s.kind)} y=${y - (lines.length - 1) * letter * 0.5} font-size=${letter}
            text-anchor=${x < 90 ? "start" : x > w - 90 ? "end" : "middle"}>
            ${lines.map((line, i) => html`<tspan x=${x < 90 ? 16 : x > w - 90 ? w - 16 : x} dy=${i ? letter : 0}>${line}</tspan>`)}</text>`;
        })}
        ${Object.values(lines).map((line) => html`
          <polyline class=${cls("supply-line", shownSupply.value)} points=${line.path.map((space) => place(space)[0].join(",")).join(" ")} />`)}
        ${Object.entries(pieces).map(([space, standing]) => standing.map((piece, i) => {
          const slots = place(space);
          const [x, y] = slots[i % slots.length];
          const isCut = piece.kind !== "air-force" && unsupplied(piece.country, space);
          return html`<${Piece} key=${`${space} ${piece.country} ${piece.kind}`} x=${x} y=${y} piece=${piece} isCut=${isCut}
            reason=${isCut ? supply.value[piece.country][space].missing : ""}
            size=${marker * (map.spaces[space].size ?? 1) * (standing.length === 1 ? 1.55 : 1.1)} dim=${shownSupply.value && shownSupply.value !== piece.country} />`;
        }))}
      </svg>
      <div class="map-tools">
        <button onClick=${() => zoom(at, w, h, 0.7)} aria-label=${t("map.in")}>+</button>
        <button onClick=${() => zoom(at, w, h, 1.43)} aria-label=${t("map.out")}>−</button>
        <button onClick=${() => (at.value = { x: 0, y: 0, w })} aria-label=${t("map.fit")}><${Icon} name="fit" /></button>
        <select aria-label=${t("map.supply")} value=${shownSupply.value ?? ""}
          onChange=${(e) => (shownSupply.value = e.target.value || null)}>
          <option value="">${t("map.no-supply")}</option>
          ${COUNTRIES.map((c) => html`<option value=${c}>${t("map.supply-of", { country: countryName(c) })}</option>`)}
        </select>
      </div>
    </div>`;
}

/** A long name in two lines, as even as may be. */
function broken(name) {
  const words = name.split(" ");
  if (name.length < 10 || words.length < 2) return [name];
  const halves = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  return halves.sort((a, b) => Math.abs(a[0].length - a[1].length) - Math.abs(b[0].length - b[1].length))[0];
}

function describe(id, pieces, actions) {
  const who = (pieces ?? []).map((p) => `${countryName(p.country)} ${t(`piece.${p.kind}`)}`).join(", ");
  const doable = actions?.map((action) => action.phrase).join("; ");
  return [spaceName(id), who, doable].filter(Boolean).join(": ");
}

/** Where the map goes on at its other edge: an arrow, and from near the name of what lies there. */
function EdgePointer({ pointer, letter, isNamed }) {
  const [x, y] = pointer.at;
  const way = pointer.side === "left" ? 1 : -1;
  const name = spaceName(pointer.to);
  return html`<g class=${cls("pointer", pointer.side)}>
    <path d=${`M${x} ${y - 7}v14l${-9 * way} -7z`} />
    ${isNamed && html`<text x=${x + 5 * way} y=${y + letter * 0.25} font-size=${letter * 0.8}>${name}</text>`}
    <title>${t("map.goes-on", { space: name })}</title></g>`;
}

function Piece({ x, y, piece, isCut, reason, size, dim }) {
  const s = size;
  const name = `${countryName(piece.country)}: ${t(`piece.${piece.kind}`)}`;
  return html`
    <g class=${cls("piece", piece.kind, piece.country, isCut && "cut", dim && "dim")} transform=${`translate(${x} ${y})`}>
      ${piece.kind === "army" && html`<rect x=${-s} y=${-s * 0.82} width=${2 * s} height=${1.64 * s} rx="3" />`}
      ${piece.kind === "navy" && html`<path d=${`M${-s * 1.15} ${-s * 0.75}H${s * 1.15}L${s * 0.7} ${s * 0.8}H${-s * 0.7}Z`} />`}
      ${piece.kind === "air-force" && html`<path d=${plane(s)} />`}
      <text y=${s * 0.38} font-size=${s * 1.05}>${CODES[piece.country]}</text>
      ${piece.air && html`<g class="wing" transform=${`translate(${s * 0.95} ${-s * 0.95})`}><path d=${plane(s * 0.62)} /></g>`}
      ${isCut && html`<g class="mark" transform=${`translate(${-s} ${-s})`}><circle r="6" /><text y="4" font-size="10">!</text></g>`}
      <title>${isCut ? t("map.unsupplied", { piece: name, reason }) : name}</title>
    </g>`;
}

const plane = (s) => `M0 ${-s}L${s} ${s * 0.6}L0 ${s * 0.2}L${-s} ${s * 0.6}Z`;

function star(x, y, r) {
  const points = [];
  for (let i = 0; i < 10; i++) {
    const radius = i % 2 ? r * 0.45 : r;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    points.push(`${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`);
  }
  return `M${points.join("L")}Z`;
}

function clamp(at, w, h) {
  const width = Math.min(w, Math.max(w / 8, at.w));
  const height = (width * h) / w;
  return {
    w: width,
    x: Math.min(w - width, Math.max(0, at.x)),
    y: Math.min(h - height, Math.max(0, at.y)),
  };
}

function zoom(at, w, h, factor, fx = 0.5, fy = 0.5) {
  const { x, y, w: width } = at.value;
  const next = Math.min(w, Math.max(w / 8, width * factor));
  const gone = width - next;
  at.value = clamp({ x: x + gone * fx, y: y + (gone * h * fy) / w, w: next }, w, h);
}

/** The size of the map on the screen; a small one begins with Europe, where most happens. */
function useShownSize(frame, at, w, h) {
  const size = useSignal({ w: 1000, h: 540 });
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      size.value = { w: entry.contentRect.width, h: entry.contentRect.height };
    });
    watch.observe(frame.current);
    if (frame.current.clientWidth < 600) at.value = clamp({ x: w * 0.2, y: h * 0.06, w: w / 2.4 }, w, h);
    return () => watch.disconnect();
  }, []);
  return size;
}

function useMapGestures(frame, at, w, h) {
  useEffect(() => {
    const box = frame.current;
    const fingers = new globalThis.Map();
    let moved = 0;
    const scale = () => at.value.w / box.clientWidth;
    const onWheel = (e) => {
      if (!e.ctrlKey && !e.metaKey && at.value.w >= w && e.deltaY > 0) return; // let the page scroll
      e.preventDefault();
      const r = box.getBoundingClientRect();
      zoom(at, w, h, e.deltaY > 0 ? 1.18 : 0.85, (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
    };
    const onDown = (e) => {
      if (e.target.closest(".map-tools")) return;
      fingers.set(e.pointerId, e);
      moved = 0;
    };
    const onMove = (e) => {
      const before = fingers.get(e.pointerId);
      if (!before) return;
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()];
        const other = a.pointerId === e.pointerId ? b : a;
        const old = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
        const now = Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
        if (old > 0 && now > 0) zoom(at, w, h, old / now);
      } else if (at.value.w < w) {
        const s = scale();
        at.value = clamp({ ...at.value, x: at.value.x - (e.clientX - before.clientX) * s, y: at.value.y - (e.clientY - before.clientY) * s }, w, h);
      }
      moved += Math.abs(e.clientX - before.clientX) + Math.abs(e.clientY - before.clientY);
      fingers.set(e.pointerId, e);
    };
    const onUp = (e) => fingers.delete(e.pointerId);
    // What was a drag is no click.
    const onClick = (e) => {
      if (moved > 8) {
        e.stopPropagation();
        e.preventDefault();
      }
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    box.addEventListener("pointerdown", onDown);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    addEventListener("pointercancel", onUp);
    box.addEventListener("click", onClick, true);
    return () => {
      box.removeEventListener("wheel", onWheel);
      box.removeEventListener("pointerdown", onDown);
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      removeEventListener("pointercancel", onUp);
      box.removeEventListener("click", onClick, true);
    };
  }, []);
}
