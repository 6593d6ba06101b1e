/**
 * The time that a person would take for a move, for engines that play at a weak level: these answer
 * at once.  Pure.
 *
 * It depends on the clock and on the position: moves of the opening, moves without a choice and
 * recaptures are quick; with many moves to choose from it takes longer.  The same position always takes
 * the same time.
 */

import type { GameNode } from "../game/tree";

// All times are in milliseconds.
const USUAL = 3000; // without a clock
const MOVES_LEFT = 60; // for which the time on the clock has to last, besides the increment
const INCREMENT_SHARE = 1 / 3;
const MOST_SHARE = 1 / 20; // of the time on the clock
const MOST = 10_000; // of the patience of the user
const OPENING_PLIES = 12;
const OPENING_MOST = 1000;
const USUAL_MOVES = 30; // legal ones in a middle game
const OBVIOUS = 0.3; // of the usual time, for a move without a choice or a recapture

/** Return the time for a move (UCI) in a position, with `left` on the clock; null is no clock. */
export function timeToTake(
  node: GameNode,
  uci: string,
  left: number | null,
  increment: number,
): number {
  const byClock = left === null ? USUAL : left / MOVES_LEFT + increment * INCREMENT_SHARE;
  const usual = Math.min(byClock, node.ply < OPENING_PLIES ? OPENING_MOST : MOST);
  const most = Math.min(MOST, left === null ? MOST : left * MOST_SHARE);
  return Math.min(most, usual * difficultyOf(node, uci) * moodIn(node.fen));
}

/** Return how hard the choice of a move is, where 1 is usual. */
function difficultyOf(node: GameNode, uci: string): number {
  const count = [...node.position().allDests().values()].reduce((sum, to) => sum + to.size(), 0);
  if (count <= 1 || isRecapture(node, uci)) return OBVIOUS;
  return Math.max(0.5, Math.min(1.5, count / USUAL_MOVES));
}

/** Return whether a move takes the piece that has just taken one. */
function isRecapture({ san, uci: last }: GameNode, uci: string): boolean {
  return san.includes("x") && last.slice(2, 4) === uci.slice(2, 4);
}

/** Return a number from 0.6 to 1.4 that looks random, and is the same for the same position. */
function moodIn(fen: string): number {
  let hash = 0;
  for (const letter of fen) hash = (31 * hash + letter.charCodeAt(0)) % 10_007;
  return 0.6 + (0.8 * hash) / 10_006;
}
