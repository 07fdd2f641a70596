// The pictures of cards: woodcuts of what a card is about, else of its type.
import { AIR } from "./air.js";
import { HOME } from "./home.js";
import { LAND } from "./land.js";
import { SEA } from "./sea.js";
import { TYPES } from "./types.js";
import { hash, random } from "./strokes.js";

/** @type {Record<string, (r: import("./strokes.js").Chance) => string>} */
const SCENES = { ...TYPES, ...LAND, ...SEA, ...AIR, ...HOME };

// What cards are about, by their ids; a card that two countries have is about the same for both.
const SUBJECTS = {
  armour:
    "afrika-korps blitzkrieg bravado german-aid-in-greece guards patton-advances german-reinforcements-counterattack",
  artillery: "guns-and-butter stavka-forms-artillery-corps volkssturm",
  bombers:
    "b-24-liberator b-26-marauder b-29-superfortress bomber-command bombers flying-fortresses heavy-bombers operation-banquet",
  bread: "keep-calm-and-carry-on rationing",
  capital: "battle-of-moscow defense-of-the-motherland moscow",
  carrier: "aircraft-carriers nagumo-commands-the-first-air-fleet fleet-deployed-to-pearl-harbor",
  cipher: "bletchley-park enigma enigma-code-cracked magic navajo-code-talkers operation-magic",
  clouds: "cloud-cover",
  convoy: "lend-lease murmansk-convoy unimpeded-merchant-shipping regia-marina-closes-shipping-lanes",
  desert: "golden-square-coup italian-east-africa somaliland",
  destroyer: "asw-tactics destroyer-transport destroyers indian-ocean-patrols",
  dive: "dive-bombers ju-87 kamikaze sbd-dauntless surprise-attack tora",
  factory:
    "arsenal-of-democracy flexible-resources production-initiative rosie-the-riveter synthetic-fuel wartime-production",
  fighters:
    "a6m-zero-sen american-volunteer-group-expands jet-fighters macchi-c202 me-109s-attack-airfields p-51-mustang raf regia-aeronautica skilled-pilots",
  fire: "firestorm-bombers firestorm-bombing scorched-earth the-blitz warsaw-uprising",
  flag: "free-france free-french-allies greater-east-asia-co-prosperity-sphere impero-italiano king-peter-enthroned-in-yugoslavia loyal-to-the-crown our-philosophy-of-government",
  fortress: "atlantic-wall defensive-posture fortress-rebuilt singapore",
  front:
    "bias-for-action broad-front china-offensive frontal-assault theater-shift zhukov-drives-west operation-ketsu-go",
  island:
    "dutch-east-indies forward-bases guadalcanal imperial-designs island-fortresses pacific-bases submarines-support-pacific-islands the-pacific-empire truk",
  landing: "amphibious-landings operation-weserubung special-naval-landing-forces",
  mine: "abundant-resources balkan-resources plunder swedish-iron-ore",
  monastery: "monte-cassino",
  parachutes: "ju-52s-airlift-supplies paratroops rangers",
  partisans: "commonwealth-irregulars italy-attacks-communists mao-tse-tung partisans resistance titos-partisans",
  plan: "a-great-sleeping-giant superior-planning tactical-innovations vasilevsky-takes-command-in-the-far-east",
  radar: "radar",
  ranks:
    "asian-reserves australia-forms-the-directorate-of-manpower banzai-charge conscription division-azul forced-conscription increased-commonwealth-support kwantung-army lord-linlithgow-declares-india-to-be-at-war mackenzie-king-drafts-the-national-resources-mobilization-act romanian-reinforcements women-conscripts",
  road: "ledo-and-burma-roads the-autobahn",
  rocket: "v-weapons",
  ruins: "fall-of-singapore leningrad stalingrad",
  sea: "admiral-graf-spee imperial-japanese-navy mare-nostrum mobile-force supermarina the-royal-navy yamamoto-aboard-the-yamato",
  shipyard: "battleship-repair superior-shipyards",
  submarine:
    "decima-flottiglia-mas-frogmen malta-submarines submarines-enforce-blockade submarines-lead-the-battle-of-the-atlantic submarines-of-the-monsoon-group submarines-prey-on-unprotected-shipping submarines-raid-murmansk-convoy submarines-soviet-union submarines-united-kingdom submarines-united-states wolf-packs",
  train: "shverniks-evacuation-council trans-siberian-railroad",
  treaty:
    "anti-communist-sentiment general-smuts-strengthens-ties-to-uk german-soviet-treaty-of-friendship-cooperation-and-demarcation military-dictatorships-in-the-balkans",
  winter: "general-winter rasputitsa",
};
const SUBJECT = new Map(Object.entries(SUBJECTS).flatMap(([name, ids]) => ids.split(" ").map((id) => [id, name])));

/** What the picture of a card shows: its subject, or its type.
 * @param {{ id: string, type: string }} card */
export const subjectOf = ({ id, type }) => SUBJECT.get(id) ?? type;

/** The picture of a card. Its id seeds the rays, hills and clouds, so that no two look the same.
 * @param {{ id: string, type: string, country: string }} card */
export function woodcut(card) {
  const draw = SCENES[subjectOf(card)] ?? SCENES.event;
  return `<svg class="art ${card.country}" viewBox="0 0 224 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><rect class="a-paper" x="-5" y="-5" width="240" height="120"/>${draw(random(hash(card.id + card.country)))}</svg>`;
}
