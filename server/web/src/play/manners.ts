/**
 * When the engine takes a draw, and when it offers one, by what it has thought of its own
 * positions.  Scores are its own, in centipawns; null is that it has said none.
 */

import type { Score } from "../uci/line";

const EARLIEST = 20; // plies: before that no draw is agreed
const FAIR = 20; // centipawns: who is better off by more plays on
const OFFERS_FROM = 80; // plies
const LEVEL = 10; // centipawns
const LEVEL_MOVES = 8; // of its own, one after the other

export function takesDraw(scores: readonly (number | null)[], ply: number): boolean {
  const last = scores[scores.length - 1];
  return ply >= EARLIEST && last != null && last <= FAIR;
}

export function offersDraw(scores: readonly (number | null)[], ply: number): boolean {
  const recent = scores.slice(-LEVEL_MOVES);
  const isLevel = recent.every((score) => score !== null && Math.abs(score) <= LEVEL);
  return ply >= OFFERS_FROM && recent.length === LEVEL_MOVES && isLevel;
}

/** A score as one number; a mate is far beyond any other. */
export function centipawns(score: Score): number {
  return score.kind === "cp" ? score.value : Math.sign(score.value || -1) * 100_000;
}
