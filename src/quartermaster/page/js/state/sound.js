// Short sounds, all made here. Nothing sounds before the first click or key, or when sound is off.
import { effect, whenIdle } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { foreign } from "./beats.js";
import { settings } from "./settings.js";
import { isWanted, kindAt, left, mine, onTable, supply, table } from "./table.js";

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
  volume.connect(audio.destination);
  prepare(Object.keys(SOUNDS));
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { passive: true });

/** Make sounds before they are wanted, one after the other. @param {string[]} names */
function prepare([name, ...rest]) {
  if (name) whenIdle(() => void make(name).then(() => prepare(rest)));
}

const RATE = 22050; // samples a second
const LENGTH = 1.6; // seconds: the longest sound
/** @type {Map<string, Promise<AudioBuffer>>} */
const made = new Map();

/** A sound is made once; to play it then costs next to nothing.
 * @param {string} name
 * @param {number} [n] */
function make(name, n = 1) {
  const key = name === "points" ? `${name} ${n}` : name;
  let sound = made.get(key);
  if (!sound) {
    const desk = new OfflineAudioContext(1, RATE * LENGTH, RATE);
    SOUNDS[name](desk, n);
    made.set(key, (sound = desk.startRendering()));
  }
  return sound;
}

/** @typedef {OfflineAudioContext} Desk where a sound is made */

/** A tone that dies away. @param {Desk} desk @param {number} hertz @param {number} from @param {number} length @param {{ to?: number, gain?: number, kind?: OscillatorType }} [how] */
function tone(desk, hertz, from, length, { to, gain = 0.3, kind = "sine" } = {}) {
  const source = new OscillatorNode(desk, { type: kind, frequency: hertz });
  if (to) source.frequency.exponentialRampToValueAtTime(to, from + length);
  const loud = new GainNode(desk, { gain: 0 });
  loud.gain.setValueAtTime(0, from);
  loud.gain.linearRampToValueAtTime(gain, from + Math.min(0.02, length / 4));
  loud.gain.exponentialRampToValueAtTime(0.0001, from + length);
  source.connect(loud).connect(desk.destination);
  source.start(from);
  source.stop(from + length + 0.02);
}

/** @type {AudioBuffer | null} */
let hiss = null;
/** Filtered noise. @param {Desk} desk @param {number} from @param {number} length @param {number} hertz @param {{ to?: number, gain?: number, kind?: BiquadFilterType }} [how] */
function noise(desk, from, length, hertz, { to, gain = 0.25, kind = "lowpass" } = {}) {
  if (!hiss) {
    hiss = new AudioBuffer({ length: RATE, sampleRate: RATE });
    const data = hiss.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(desk, { buffer: hiss });
  const filter = new BiquadFilterNode(desk, { type: kind, frequency: hertz });
  if (to) filter.frequency.exponentialRampToValueAtTime(to, from + length);
  const loud = new GainNode(desk, { gain: 0 });
  loud.gain.setValueAtTime(gain, from);
  loud.gain.exponentialRampToValueAtTime(0.0001, from + length);
  source.connect(filter).connect(loud).connect(desk.destination);
  source.start(from, Math.random() * 0.4, length);
}

/** @type {Record<string, (desk: Desk, n: number) => void>} */
const SOUNDS = {
  card: (desk) => noise(desk, 0, 0.06, 2600, { kind: "bandpass", gain: 0.3 }),
  army: (desk) => tone(desk, 90, 0, 0.18, { to: 55, gain: 0.5 }),
  navy: (desk) => {
    tone(desk, 80, 0, 0.16, { to: 50, gain: 0.4 });
    noise(desk, 0.03, 0.3, 700, { gain: 0.16 });
  },
  air: (desk) => noise(desk, 0, 0.4, 400, { to: 2600, kind: "bandpass", gain: 0.22 }),
  battle: (desk) => {
    noise(desk, 0, 0.14, 1200, { gain: 0.4 });
    noise(desk, 0.16, 0.2, 900, { gain: 0.4 });
    tone(desk, 60, 0.02, 0.5, { to: 40, gain: 0.4 });
  },
  lost: (desk) => {
    tone(desk, 330, 0, 0.2, { gain: 0.2, kind: "triangle" });
    tone(desk, 220, 0.16, 0.34, { gain: 0.2, kind: "triangle" });
  },
  cut: (desk) => {
    noise(desk, 0, 0.05, 500, { gain: 0.5 });
    tone(desk, 140, 0.01, 0.12, { to: 70, gain: 0.3, kind: "triangle" });
  },
  points: (desk, n) => {
    for (let i = 0; i < n; i++) tone(desk, 1320, i * 0.08, 0.16, { gain: 0.1 });
  },
  turn: (desk) => {
    tone(desk, 294, 0, 0.28, { gain: 0.14, kind: "sawtooth" });
    tone(desk, 392, 0.18, 0.42, { gain: 0.14, kind: "sawtooth" });
  },
  tick: (desk) => tone(desk, 880, 0, 0.05, { gain: 0.14, kind: "square" }),
  near: (desk) => [0, 0.5, 1].forEach((at) => tone(desk, 74, at, 0.5, { to: 60, gain: 0.45 })),
  won: (desk) =>
    [392, 523, 659, 784].forEach((hertz, i) =>
      tone(desk, hertz, i * 0.16, i === 3 ? 0.8 : 0.22, { gain: 0.16, kind: "sawtooth" }),
    ),
  lostGame: (desk) =>
    [392, 466, 392, 311].forEach((hertz, i) =>
      tone(desk, hertz, i * 0.2, i === 3 ? 0.9 : 0.26, { gain: 0.14, kind: "sawtooth" }),
    ),
};

/** @param {keyof typeof SOUNDS} name
 * @param {number} [n] */
export function sound(name, n = 1) {
  if (!settings.value.sound || !audio || audio.state === "closed" || document.hidden) return;
  played.unshift(String(name));
  played.length = Math.min(played.length, 50);
  void make(name, Math.min(8, Math.abs(n))).then(play);
}

/** @param {AudioBuffer} buffer */
function play(buffer) {
  if (!audio || !volume) return;
  volume.gain.value = settings.value.volume;
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(volume);
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
  const beat = foreign.value?.beat;
  const name = beat && soundOf(beat.entry);
  if (beat && name) sound(name, beat.entry.n);
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
  const isNow = isWanted.value && table.value?.status === "playing" && foreign.value === null;
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
