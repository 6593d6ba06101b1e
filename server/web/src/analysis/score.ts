/**
 * The value of a score, always for White.
 *
 * The chance to win is lichess' curve, fitted to games of its members: 50 % at 0, about 75 % at
 * +3.0.  Judgements of moves and the accuracy are lichess' formulas, too; server/web/README.md
 * explains them.
 */

import type { Score } from "../uci/line";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** The names of judgements in the catalogue. */
export const JUDGEMENTS: Readonly<Record<Judgement, string>> = {
  inaccuracy: "judgement-inaccuracy",
  mistake: "judgement-mistake",
  blunder: "judgement-blunder",
};

const STEEPNESS = -0.00368208;
const CEILING = 1000; // centipawns; a mate is worth as much

/** Return White's chance to win, 0 to 100. */
export function winChance(score: Score): number {
  const cp = score.kind === "cp" ? score.value : Math.sign(score.value) * CEILING;
  const bounded = Math.max(-CEILING, Math.min(CEILING, cp));
  return 50 + 50 * (2 / (1 + Math.exp(STEEPNESS * bounded)) - 1);
}

/** Return the points of win chance that a move lost for its side; never below 0. */
export function winChanceLoss(before: Score, after: Score, mover: "white" | "black"): number {
  const lost = winChance(before) - winChance(after);
  return Math.max(0, mover === "white" ? lost : -lost);
}

/** Judge a move by the points that it lost; null if it is good enough. */
export function judgeLoss(points: number): Judgement | null {
  if (points >= 15) return "blunder";
  if (points >= 10) return "mistake";
  return points >= 5 ? "inaccuracy" : null;
}

/** Return the accuracy of a move by the points that it lost, 0 to 100. */
export function accuracy(points: number): number {
  const value = 103.1668100711649 * Math.exp(-0.04354415386753951 * points) - 3.166924740191411;
  return Math.max(0, Math.min(100, value));
}

export const NAG_OF: Readonly<Record<Judgement, number>> = {
  mistake: 2,
  blunder: 4,
  inaccuracy: 6,
};

/** Format a score as players write it: `+0.3`, `−1.2`, `#5`, `#−3`. */
export function scoreText(score: Score): string {
  if (score.kind === "mate") return `#${score.value < 0 ? "−" : ""}${Math.abs(score.value)}`;
  const pawns = Math.abs(score.value) / 100;
  const text = pawns >= 10 ? pawns.toFixed(1) : pawns.toFixed(2);
  return score.value === 0 ? "0.00" : `${score.value > 0 ? "+" : "−"}${text}`;
}

/** Format a score in few characters, for the evaluation bar. */
export function shortScore(score: Score): string {
  if (score.kind === "mate") return `#${Math.abs(score.value)}`;
  const pawns = Math.abs(score.value) / 100;
  return pawns >= 10 ? pawns.toFixed(0) : pawns.toFixed(1);
}
