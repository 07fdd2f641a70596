// The six countries, in the order of their turns.
export const COUNTRIES = ["germany", "united-kingdom", "japan", "soviet-union", "italy", "united-states"];

/** The letters on pieces: colours alone would not do for every eye.
 * @type {Record<string, string>} */
export const CODES = {
  germany: "DE",
  "united-kingdom": "UK",
  japan: "JP",
  "soviet-union": "SU",
  italy: "IT",
  "united-states": "US",
};

/** @param {string} country
 * @returns {"axis" | "allies"} */
export const teamOf = (country) => (COUNTRIES.indexOf(country) % 2 ? "allies" : "axis");

export const TEAMS = /** @type {const} */ (["axis", "allies"]);

/** @param {string} team */
export const countriesOf = (team) => COUNTRIES.filter((country) => teamOf(country) === team);

/** Seats with one person's countries together, if there are any, and a bot for each other.
 * @param {string[]} own
 * @param {string} bot */
export function seatsAgainstBots(own, bot) {
  const others = COUNTRIES.filter((country) => !own.includes(country));
  const mine = own.length ? [{ countries: own, who: "me" }] : [];
  return [...mine, ...others.map((c) => ({ countries: [c], who: "bot", bot }))];
}
