// Short sounds, all made here. Nothing sounds before the first click or key, or when sound is off.
import { effect, whenIdle } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { stage } from "./beats.js";
import { settings } from "./settings.js";
import { catalogue, isWanted, kindAt, left, mine, onTable, supply, table } from "./table.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {GainNode | null} */
let volume = null;
/** What has sounded, the last first: for tests, and for who wonders. @type {string[]} */
export const played = [];

/** Browsers let a page sound only once its person has done something. To begin takes a while, so a click does not wait for it. */
function wake() {
  if (!settings.value.sound) return;
  if (!audio) whenIdle(begin);
  else if (audio.state === "suspended") void audio.resume();
}
function begin() {
  if (audio || !("AudioContext" in window)) return;
  audio = new AudioContext();
  volume = new GainNode(audio);
  volume.connect(level(audio));
  prepare(Object.keys(SOUNDS));
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { passive: true });

/** Make sounds before they are wanted, one after the other. @param {string[]} names */
function prepare([name, ...rest]) {
  if (name) whenIdle(() => void make(name).then(() => prepare(rest)));
}

const RATE = 22050; // samples a second
const LENGTH = 2.2; // seconds: the longest sound, and the room after it
/** @type {Map<string, Promise<AudioBuffer>>} */
const made = new Map();

/** A sound is made once; to play it then costs next to nothing.
 * @param {string} name
 * @param {number} [n] */
export function make(name, n = 1) {
  const key = name === "points" ? `${name} ${n}` : name;
  let sound = made.get(key);
  if (!sound) {
    const desk = new OfflineAudioContext(1, RATE * LENGTH, RATE);
    const out = room(desk);
    for (const layer of SOUNDS[name](n)) layer(out);
    made.set(key, (sound = desk.startRendering()));
  }
  return sound;
}

/** Noise. @param {number} length seconds @param {(at: number) => number} loud from its beginning, 0, to its end, 1 */
function hiss(length, loud) {
  const buffer = new AudioBuffer({ length: RATE * length, sampleRate: RATE });
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * loud(i / data.length);
  return buffer;
}

/** Where all layers of a sound go: as they are, and once more from the walls of a small room, so that they are one thing.
 * @param {OfflineAudioContext} desk */
function room(desk) {
  const out = new GainNode(desk);
  const walls = new ConvolverNode(desk, { buffer: hiss(0.5, (at) => (1 - at) ** 4) });
  out.connect(desk.destination);
  out
    .connect(walls)
    .connect(new GainNode(desk, { gain: 0.22 }))
    .connect(desk.destination);
  return out;
}

/** A part of a sound, which plays into a node. @typedef {(out: AudioNode) => void} Layer */
/** When it begins, how long it lasts, how long it takes to be there (all in seconds), how loud it is, where its frequency goes.
 * @typedef {{ at?: number, length: number, attack?: number, gain: number, to?: number }} How */

/** What is loud at once or soon, and dies away. @param {BaseAudioContext} desk @param {How} how */
function dying(desk, { at = 0, length, attack = 0.004, gain }) {
  const loud = new GainNode(desk, { gain: 0 });
  loud.gain.setValueAtTime(0, at);
  loud.gain.linearRampToValueAtTime(gain, at + attack);
  loud.gain.exponentialRampToValueAtTime(gain / 1000, at + length);
  return loud;
}

/** A tone. @param {number} hertz @param {How & { kind?: OscillatorType }} how @returns {Layer} */
const tone = (hertz, { kind = "sine", ...how }) => {
  return (out) => {
    const { at = 0, length, to } = how;
    const source = new OscillatorNode(out.context, { type: kind, frequency: hertz });
    if (to) source.frequency.setValueAtTime(hertz, at).exponentialRampToValueAtTime(to, at + length);
    source.connect(dying(out.context, how)).connect(out);
    source.start(at);
    source.stop(at + length);
  };
};

/** Noise around a frequency. @param {number} hertz @param {How & { sharp?: number }} how @returns {Layer} */
const noise = (hertz, { sharp = 1, ...how }) => {
  return (out) => {
    const { at = 0, length, to } = how;
    const source = new AudioBufferSourceNode(out.context, { buffer: hiss(length, () => 1) });
    const filter = new BiquadFilterNode(out.context, { type: "bandpass", frequency: hertz, Q: sharp });
    if (to) filter.frequency.setValueAtTime(hertz, at).exponentialRampToValueAtTime(to, at + length);
    source.connect(filter).connect(dying(out.context, how)).connect(out);
    source.start(at);
  };
};

/** A skin or a plate that is struck: its partials do not belong to one tone, and the higher ones are over sooner.
 * @param {number} hertz @param {Record<number, number>} partials how loud each is @param {How} how @returns {Layer} */
const struck = (hertz, partials, { to = hertz, ...how }) => {
  return (out) => {
    for (const [ratio, part] of Object.entries(partials)) {
      const times = Number(ratio);
      tone(hertz * times, { ...how, to: to * times, length: how.length / times ** 0.4, gain: how.gain * part })(out);
    }
  };
};
const SKIN = { 1: 0.9, 1.5: 0.6, 1.98: 0.75, 2.44: 0.6, 2.9: 0.45, 3.9: 0.25 };
const BELL = { 1: 1, 2.76: 0.35, 5.4: 0.15 };

/** A brass instrument: two players who are not quite in tune, brighter as they blow, softer as they let go.
 * @param {number} hertz @param {How} how @returns {Layer} */
const brass = (hertz, { at = 0, length, gain }) => {
  return (out) => {
    const desk = out.context;
    const end = at + length;
    const bright = new BiquadFilterNode(desk, { type: "lowpass", frequency: 500 });
    bright.frequency.setValueAtTime(500, at);
    bright.frequency.exponentialRampToValueAtTime(2200, at + 0.09);
    bright.frequency.exponentialRampToValueAtTime(900, end);
    const loud = new GainNode(desk, { gain: 0 });
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(gain, at + 0.06);
    loud.gain.linearRampToValueAtTime(gain * 0.7, Math.max(at + 0.07, end - 0.12));
    loud.gain.linearRampToValueAtTime(0, end);
    bright.connect(loud).connect(out);
    for (const detune of [-6, 6]) {
      const player = new OscillatorNode(desk, { type: "sawtooth", frequency: hertz, detune });
      player.connect(bright);
      player.start(at);
      player.stop(end);
    }
  };
};

/** Each sound and its layers. Small speakers give little below 200 Hz: what is low has something above it as well.
 * @type {Record<string, (n: number) => Layer[]>} */
export const SOUNDS = {
  card: () => [
    noise(2600, { length: 0.09, gain: 0.6, sharp: 0.7 }),
    noise(5200, { at: 0.05, length: 0.06, gain: 0.3 }), // it lies down
  ],
  army: () => [
    tone(90, { to: 55, length: 0.22, gain: 0.36 }),
    tone(390, { to: 220, length: 0.18, gain: 0.36, kind: "triangle" }),
    noise(2000, { length: 0.02, gain: 0.9, attack: 0.001 }),
  ],
  navy: () => [
    tone(80, { to: 50, length: 0.22, gain: 0.3 }),
    tone(290, { to: 160, length: 0.18, gain: 0.24, kind: "triangle" }),
    noise(900, { at: 0.03, to: 500, length: 0.55, gain: 0.5, attack: 0.09 }), // water
  ],
  air: () => [noise(400, { to: 2600, length: 0.6, gain: 0.9, attack: 0.2, sharp: 1.6 })],
  battle: () => [
    noise(900, { to: 250, length: 0.26, gain: 1, attack: 0.002 }),
    noise(700, { at: 0.17, to: 220, length: 0.4, gain: 0.9, attack: 0.002 }),
    tone(60, { at: 0.02, to: 40, length: 0.6, gain: 0.3 }),
  ],
  lost: () => [
    tone(330, { length: 0.3, gain: 0.26, attack: 0.01, kind: "triangle" }),
    tone(220, { at: 0.16, length: 0.55, gain: 0.28, attack: 0.01, kind: "triangle" }),
  ],
  cut: () => [
    noise(1800, { length: 0.04, gain: 0.9, attack: 0.001 }),
    tone(420, { to: 160, at: 0.01, length: 0.22, gain: 0.3, kind: "triangle" }),
    tone(140, { to: 70, at: 0.01, length: 0.2, gain: 0.26 }),
  ],
  points: (n) =>
    Array.from({ length: n }, (_, i) => struck(1047 * 2 ** (i / 12), BELL, { at: i * 0.08, length: 0.45, gain: 0.2 })),
  turn: () => [brass(294, { length: 0.26, gain: 0.18 }), brass(392, { at: 0.2, length: 0.5, gain: 0.18 })],
  tick: () => [struck(1760, { 1: 1, 2.76: 0.5 }, { length: 0.07, gain: 0.2 })], // wood
  near: () =>
    [0, 0.5, 1].flatMap((at) => [
      struck(110, SKIN, { at, to: 104, length: 0.9, gain: 0.18 }),
      noise(800, { at, length: 0.05, gain: 0.3, attack: 0.002 }), // the mallet
    ]),
  won: () => [
    brass(392, { length: 0.2, gain: 0.14 }),
    brass(523, { at: 0.16, length: 0.2, gain: 0.14 }),
    brass(659, { at: 0.32, length: 0.2, gain: 0.14 }),
    ...[392, 523, 784].map((hertz) => brass(hertz, { at: 0.48, length: 1.1, gain: 0.1 })),
  ],
  lostGame: () => [
    brass(392, { length: 0.24, gain: 0.14 }),
    brass(466, { at: 0.2, length: 0.24, gain: 0.14 }),
    brass(392, { at: 0.4, length: 0.24, gain: 0.14 }),
    ...[156, 233, 311].map((hertz) => brass(hertz, { at: 0.6, length: 1.1, gain: 0.1 })),
  ],
};

/** The way out, where several sounds at once do not become too loud.
 * @param {BaseAudioContext} desk */
export function level(desk) {
  const limit = new DynamicsCompressorNode(desk, { threshold: -9, knee: 0, ratio: 12, attack: 0.003, release: 0.1 });
  limit.connect(new GainNode(desk, { gain: 0.85 })).connect(desk.destination); // it lifts what is quiet
  return limit;
}

/** @param {keyof typeof SOUNDS} name
 * @param {number} [n]
 * @param {string | null} [space] where on the map it sounds */
export function sound(name, n = 1, space = null) {
  if (!settings.value.sound || !audio || audio.state === "closed" || document.hidden) return;
  played.unshift(String(name));
  played.length = Math.min(played.length, 50);
  const isTune = TUNES.has(String(name));
  void make(name, Math.min(8, Math.abs(n))).then((buffer) => play(buffer, sideOf(space), isTune));
}

const TUNES = new Set(["lost", "points", "turn", "won", "lostGame"]);
const ASIDE = 0.5; // how far to the left or right the edges of the map sound
const UNLIKE = 0.04; // by how much the pace of a sound differs from one time to the next

/** How far left or right a space lies. @param {string | null} space */
function sideOf(space) {
  const map = catalogue.value?.map;
  const slot = space && map?.spaces[space]?.slots[0];
  return map && slot ? ASIDE * ((2 * slot[0]) / map.box[0] - 1) : 0;
}

/** @param {AudioBuffer} buffer @param {number} side @param {boolean} isTune: it is always of the same pitch */
function play(buffer, side, isTune) {
  if (!audio || !volume) return;
  volume.gain.value = settings.value.volume;
  const playbackRate = isTune ? 1 : 1 + UNLIKE * (2 * Math.random() - 1);
  const source = new AudioBufferSourceNode(audio, { buffer, playbackRate });
  source.connect(new StereoPannerNode(audio, { pan: side })).connect(volume);
  source.start();
}

/** The sound of something in the log. @param {import("./table.js").LogEntry} entry @returns {string | null} */
function soundOf({ what, space }) {
  if (["play", "use", "set"].includes(what)) return "card";
  if (["build", "recruit"].includes(what)) return kindAt(space) === "sea" ? "navy" : "army";
  if (what === "deploy") return "air";
  if (["battle", "eliminate"].includes(what)) return "battle";
  if (["remove", "remove-air"].includes(what)) return "lost";
  return what === "score" ? "points" : null;
}

// What others do sounds as it is shown.
effect(() => {
  const beat = stage.value?.beat;
  const name = beat && soundOf(beat.entry);
  if (beat && name) sound(name, beat.entry.n, beat.entry.space);
});

const NEAR = 20; // points ahead: ten more end the game
/** @type {Set<string>} games whose end was announced */
const announced = new Set();

onTable((before, next, entries) => {
  if (!before?.view || !next.view) return;
  const own = new Set(mine.value.flatMap((seat) => seat.countries));
  // What one does oneself sounds at once; a few sounds are enough.
  const heard = entries
    .filter((entry) => entry.country && own.has(entry.country))
    .map((entry) => ({ name: soundOf(entry), n: entry.n }))
    .filter((one) => one.name);
  heard.slice(0, 3).forEach(({ name, n }, i) => setTimeout(() => sound(String(name), n), i * 180));
  const lead = Math.abs(next.view.score.axis - next.view.score.allies);
  if (lead >= NEAR && next.status === "playing" && !announced.has(next.id)) {
    announced.add(next.id);
    sound("near");
  }
  if (next.status === "over" && before.status === "playing" && next.winner) {
    sound(!own.size || [...own].some((country) => teamOf(country) === next.winner) ? "won" : "lostGame");
  }
});

/** @type {Set<string>} own pieces that had supply when it was last heard of */
let supplied = new Set();
effect(() => {
  const own = new Set(mine.value.flatMap((seat) => seat.countries));
  const all = Object.entries(supply.value)
    .filter(([country]) => own.has(country))
    .flatMap(([country, lines]) => Object.values(lines).map((one) => ({ id: `${country} ${one.space}`, ...one })));
  if (all.some((one) => !one.is_supplied && supplied.has(one.id))) sound("cut");
  supplied = new Set(all.filter((one) => one.is_supplied).map((one) => one.id));
});

let wasWanted = false;
effect(() => {
  const isNow = isWanted.value && table.value?.status === "playing" && stage.value === null;
  if (isNow && !wasWanted) sound("turn");
  wasWanted = isNow;
});

// The last five seconds of a window tick.
setInterval(() => {
  const open = table.value?.window;
  if (!open?.is_yours || open.has_gone_on) return;
  const seconds = left(open.seconds_left, true);
  if (seconds > 0 && seconds <= 5) sound("tick");
}, 1000);
