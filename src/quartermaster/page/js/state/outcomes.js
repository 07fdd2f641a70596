// What became of what one was waited for, or waited for oneself: a window that closed unanswered, a proposal that was refused.
// Neither leaves anything on the table by which one could tell, so it is said once.
import { t } from "../base/words.js";
import { answered } from "./choices.js";
import { say } from "./session.js";
import { isCovered, onTable, send } from "./table.js";

const NEAR = 1500; // milliseconds by which a window may close before the clock of this browser says so

let ends = Infinity; // when the window at hand closes by itself
let isWithdrawn = false; // one's own proposal, by oneself

/** Vote on what is proposed; who proposed it and is against it withdraws it.
 * @param {boolean} isFor */
export function vote(isFor) {
  isWithdrawn = !isFor;
  return send("/votes", { is_for: isFor });
}

onTable((before, next) => {
  const closed = before?.window && before.window.action.text !== next.window?.action.text ? before.window : null;
  const wasOpen = closed?.asks.some((ask) => ask.answer === null && !answered.has(`${before?.number} ${ask.number}`));
  if (wasOpen && next.status === "playing" && !isCovered.value && performance.now() > ends - NEAR)
    say(t("window.ran-out"));
  ends = next.window && !next.is_paused ? performance.now() + next.window.seconds_left * 1000 : Infinity;
});

onTable((before, next) => {
  const was = before?.proposal;
  if (!before || !was || next.proposal) return;
  // What was agreed to has happened, and what somebody has gone on without has moved the game.
  const isStill = next.steps === before.steps && next.status === before.status && next.is_paused === before.is_paused;
  const isMoved = Boolean(next.window) !== Boolean(before.window);
  if (was.is_yours && isStill && !isMoved && !isWithdrawn)
    say(was.waits_for.length === 1 ? t("proposal.refused", { name: was.waits_for[0] }) : t("proposal.refused-by-some"));
  isWithdrawn = false;
});
