/** Values of a tree in words and as chances.  They are White's. */

import { scoreText, winChance } from "../analysis/score";
import { text } from "../language/catalogue";
import type { TreeValue } from "./tree";

type Side = "white" | "black";

/** Return White's chance to win, 0 to 100; `turn` is the side to move, which is mated at 0 moves. */
export function chanceOf({ cp, mate, tablebase }: TreeValue, turn: Side): number {
  if (cp !== undefined) return winChance({ kind: "cp", value: cp });
  const signed = mate ?? tablebase ?? 0;
  const winner = signed || (turn === "white" ? -1 : 1);
  return winChance({ kind: "mate", value: winner });
}

/**
 * Return how much better a chance is for White than another, 0 to 1: 0.5 is as good.  Small
 * differences are large ones here, since most moves of a tree are nearly as good as the best.
 */
export function shadeOf(chance: number, other: number): number {
  return 0.5 + 0.5 * Math.tanh((chance - other) / FULL_SHADE);
}

const FULL_SHADE = 8; // points of chance, at which a difference is nearly as large as can be shown

/** Format a value as players write it; a dash if there is none. */
export function valueText(value: TreeValue | undefined): string {
  if (value?.cp !== undefined) return scoreText({ kind: "cp", value: value.cp });
  if (value?.mate !== undefined) {
    return value.mate ? scoreText({ kind: "mate", value: value.mate }) : "#";
  }
  if (value?.tablebase !== undefined) return value.tablebase > 0 ? "+TB" : "−TB";
  return "–";
}

/** Return what the text of a value does not say; undefined if that is nothing. */
export function valueTitle(value: TreeValue | undefined): string | undefined {
  if (value?.tablebase === undefined) return undefined;
  const plies = Math.abs(value.tablebase);
  return text(value.tablebase > 0 ? "project-table-white" : "project-table-black", { plies });
}

/** Return the points of a line of values over time, from the left to the right of a box. */
export function trendPoints(
  trend: readonly TreeValue[],
  turn: Side,
  { width, height }: { readonly width: number; readonly height: number },
): readonly (readonly [x: number, y: number])[] {
  const chances = trend.map((value) => chanceOf(value, turn));
  // A change of less than so many points is shown as small as it is.
  const middle = (Math.max(...chances) + Math.min(...chances)) / 2;
  const half = Math.max(LEAST_RANGE, Math.max(...chances) - Math.min(...chances)) / 2;
  const step = width / Math.max(1, chances.length - 1);
  return chances.map((chance, at) => {
    const y = height / 2 - ((chance - middle) / half) * (height / 2);
    return [rounded(at * step), rounded(y)];
  });
}

const LEAST_RANGE = 6; // points of chance that have the height of the box at least

function rounded(number: number): number {
  return Math.round(10 * number) / 10;
}
