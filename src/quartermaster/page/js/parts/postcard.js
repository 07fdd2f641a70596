// A picture of a result for others: drawn from what the result shows, and handed on. It is fetched when somebody wants one.
import { countryName, t } from "../base/words.js";
import { COUNTRIES, countriesOf, TEAMS } from "../base/countries.js";
import { say } from "../state/session.js";
import { standing } from "../state/beats.js";
import { fullest } from "./board.js";

/** @typedef {{ round: number, value: number }} Point */
/** @typedef {[number, number, number, number]} Box left, top, width, height */

const [W, H] = [1200, 630]; // what links show of a page
const MAP_H = 320;
const NEAR = 1.15; // how large the map is
const SIDE = 56;
const NAME = "quartermaster.png";

// What drawings get from the styles of the page, which a picture does not know. All but the last are handed down.
const INHERITED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
];

/** Write into a copy what the styles say of a drawing, as far as it is not handed down.
 * @param {Element} from
 * @param {Element} to */
function dress(from, to) {
  const own = getComputedStyle(from);
  const above = from.parentElement instanceof SVGElement ? getComputedStyle(from.parentElement) : null;
  for (const name of INHERITED) {
    const value = own.getPropertyValue(name);
    if (value !== above?.getPropertyValue(name) && !value.startsWith("url")) to.setAttribute(name, value);
  }
  if (own.opacity !== "1") to.setAttribute("opacity", own.opacity);
  for (let i = 0; i < from.children.length; i++) dress(from.children[i], to.children[i]);
}

/** A drawing of the page as a picture by itself, without its letters: a picture has no fonts of the page.
 * @param {SVGElement} drawing
 * @param {number} width
 * @param {number} height
 * @param {string} [box] the part of it */
async function pictureOf(drawing, width, height, box) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  dress(drawing, copy);
  const defs = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  const named = new Set([...copy.outerHTML.matchAll(/(?:href="#|url\(#)([\w-]+)/g)].map(([, id]) => id));
  for (const id of named) {
    const one = document.getElementById(id);
    const another = one?.cloneNode(true);
    if (!one || !(another instanceof Element)) continue;
    dress(one, another);
    defs.append(another);
  }
  copy.prepend(defs);
  for (const letters of copy.querySelectorAll("text")) letters.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  if (box) copy.setAttribute("viewBox", box);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

/** @param {Element} sheet @param {string} selector */
const textOf = (sheet, selector) => sheet.querySelector(selector)?.textContent?.trim() ?? "";
/** @param {Element} sheet @param {string} selector */
const colourOf = (sheet, selector) => getComputedStyle(sheet.querySelector(selector) ?? sheet).color;

/** Letters, made smaller until they fit.
 * @param {CanvasRenderingContext2D} on
 * @param {string} text
 * @param {[number, number]} at
 * @param {{ weight?: number, size: number, family?: string, most?: number, colour: string, align?: CanvasTextAlign }} how
 * @returns {number} how wide they are */
function write(
  on,
  text,
  [x, y],
  { weight = 700, size, family = "Barlow Condensed", most = W, colour, align = "left" },
) {
  on.fillStyle = colour;
  on.textAlign = align;
  on.font = `${weight} ${size}px "${family}"`;
  const fits = Math.min(1, most / on.measureText(text).width);
  on.font = `${weight} ${size * fits}px "${family}"`;
  on.fillText(text, x, y);
  return on.measureText(text).width;
}

/** The map at the end across the head, with the letters of its pieces, becoming the paper.
 * @param {CanvasRenderingContext2D} on
 * @param {SVGElement} drawing
 * @param {string} paper its colour, "rgb(1, 2, 3)" */
async function drawMap(on, drawing, paper) {
  const [left, top, w, h] = fullest(standing.value, W / NEAR, MAP_H / NEAR);
  on.save();
  on.beginPath();
  on.rect(0, 0, W, MAP_H);
  on.clip();
  on.drawImage(await pictureOf(drawing, W, MAP_H, `${left} ${top} ${w} ${h}`), 0, 0);
  for (const code of drawing.querySelectorAll(".tk-code")) {
    const [x, y] = ["x", "y"].map((name) => Number(code.getAttribute(name)));
    const at = /** @type {[number, number]} */ ([(x - left) * NEAR, (y - top) * NEAR]);
    write(on, code.textContent ?? "", at, { size: 10.5 * NEAR, colour: getComputedStyle(code).fill, align: "center" });
  }
  on.restore();
  const fade = on.createLinearGradient(0, MAP_H * 0.37, 0, MAP_H * 0.65);
  fade.addColorStop(0, paper.replace("rgb(", "rgba(").replace(")", ", 0)"));
  fade.addColorStop(1, paper);
  on.fillStyle = fade;
  on.fillRect(0, 0, W, MAP_H + 1);
}

/** The curve of the lead, up for the Allies.
 * @param {CanvasRenderingContext2D} on
 * @param {Point[]} points
 * @param {Box} box
 * @param {Record<string, string>} colours */
function drawCurve(on, points, [left, top, w, h], colours) {
  const most = Math.max(12, ...points.map(({ value }) => Math.abs(value)));
  const zero = top + h / 2;
  const spots = points.map(({ value }, i) => [
    left + (i / Math.max(1, points.length - 1)) * w,
    zero - (value / most) * (h / 2),
  ]);
  const line = () => {
    on.beginPath();
    for (const [x, y] of spots) on.lineTo(x, y);
  };
  for (const team of TEAMS) {
    on.save();
    on.beginPath();
    on.rect(left, team === "allies" ? top : zero, w, h / 2);
    on.clip();
    line();
    on.lineTo(left + w, zero);
    on.lineTo(left, zero);
    on.globalAlpha = 0.68;
    on.fillStyle = colours[team];
    on.fill();
    on.restore();
  }
  on.lineJoin = "round";
  on.lineWidth = 1.5;
  on.strokeStyle = colours.line;
  on.strokeRect(left, zero, w, 0);
  on.lineWidth = 4;
  on.strokeStyle = colours.ink;
  line();
  on.stroke();
  const isLate = Math.abs(points[0].value) > Math.abs(points[points.length - 1].value);
  const [x, align] = /** @type {[number, CanvasTextAlign]} */ (isLate ? [left + w, "right"] : [left, "left"]);
  write(on, t("result.allies-ahead"), [x, top + 12], { size: 17, colour: colours.soft, align });
  write(on, t("result.axis-ahead"), [x, top + h], { size: 17, colour: colours.soft, align });
}

/** What each country earned, a team in each column.
 * @param {CanvasRenderingContext2D} on
 * @param {HTMLElement} sheet
 * @param {Record<string, number>} earned
 * @param {Record<string, string>} colours */
async function drawCountries(on, sheet, earned, colours) {
  for (const country of COUNTRIES) {
    const team = TEAMS.findIndex((one) => countriesOf(one).includes(country));
    const [x, y] = [760 + team * 206, 396 + countriesOf(TEAMS[team]).indexOf(country) * 62];
    const emblem = sheet.querySelector(`.deeds .${country} .roundel`);
    if (emblem instanceof SVGElement) on.drawImage(await pictureOf(emblem, 52, 52), x, y);
    write(on, String(earned[country]), [x + 64, y + 30], { size: 34, colour: colours.ink });
    write(on, countryName(country), [x + 64, y + 50], { weight: 500, size: 19, most: 124, colour: colours.soft });
  }
}

/** @param {{ sheet: HTMLElement, points: Point[], earned: Record<string, number> }} result */
async function postcard({ sheet, points, earned }) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [W, H];
  const on = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const fonts = ['700 20px "Barlow Condensed"', '500 20px "Barlow Condensed"', "400 20px Vollkorn"];
  await Promise.all(fonts.map((font) => document.fonts.load(font)));
  const paper = [...getComputedStyle(sheet).backgroundImage.matchAll(/rgb\([^)]*\)/g)].map(String);
  const colours = {
    axis: colourOf(sheet, ".final .axis"),
    allies: colourOf(sheet, ".final .allies"),
    ink: colourOf(sheet, "h1"),
    soft: colourOf(sheet, ".kicker"),
    line: getComputedStyle(sheet).getPropertyValue("--card-line"),
  };
  const ground = on.createLinearGradient(0, MAP_H, 0, H);
  ground.addColorStop(0, paper[0]);
  ground.addColorStop(1, paper[1]);
  on.fillStyle = ground;
  on.fillRect(0, 0, W, H);
  const map = sheet.querySelector(".board-part");
  if (map instanceof SVGElement) await drawMap(on, map, paper[0]);

  const wreath = sheet.querySelector(".wreath");
  const x = wreath ? 262 : SIDE;
  if (wreath instanceof SVGElement) on.drawImage(await pictureOf(wreath, 188, 176), SIDE - 6, 164);
  const most = W - SIDE - x;
  on.letterSpacing = "2.4px";
  write(on, textOf(sheet, ".kicker").toLocaleUpperCase(), [x, 206], { size: 20, most, colour: colours.soft });
  on.letterSpacing = "0px";
  write(on, textOf(sheet, "h1"), [x - 2, 272], { size: 76, most, colour: colours.ink });
  let at = x;
  for (const team of TEAMS) {
    at += write(on, `${t(`team.${team}`)} `, [at, 322], { weight: 500, size: 32, colour: colours[team] });
    at += write(on, textOf(sheet, `.final .${team} b`), [at, 322], { size: 44, colour: colours[team] }) + 32;
  }
  const why = { weight: 400, size: 23, family: "Vollkorn", colour: colours.ink };
  write(on, textOf(sheet, ".why"), [x, 360], { ...why, most });

  if (points.length > 1) drawCurve(on, points, [SIDE, 396, 640, 174], colours);
  await drawCountries(on, sheet, earned, colours);
  write(on, "Quartermaster", [W - SIDE, 610], { size: 20, colour: colours.soft, align: "right" });
  return canvas;
}

/** Draw the picture, and hand it on where the browser can, else keep it.
 * @param {{ sheet: HTMLElement, points: Point[], earned: Record<string, number> }} result */
export async function sharePostcard(result) {
  const canvas = await postcard(result);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done));
  if (!blob) throw new Error("no picture");
  const files = [new File([blob], NAME, { type: blob.type })];
  if (navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files, title: textOf(result.sheet, "h1") });
      say(t("result.shared"));
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return; // they thought better of it
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say(t("result.saved"));
}
