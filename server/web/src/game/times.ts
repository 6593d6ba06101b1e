/** The time that each move of a game took, by its clocks, and time trouble.  Pure. */

import { clockAt, timeSpent } from "./annotation";
import type { GameNode, GameTree } from "./tree";

/** A tag `TimeControl`, in seconds: `5400+30`, `40/7200:3600`. */
interface TimeControl {
  readonly base: number;
  readonly increment: number;
  /** The time that later periods add. */
  readonly later: readonly number[];
}

const PERIOD = /^(?:\d+\/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?$/;
const ROUNDING = 1; // s; clocks are written without fractions
const TROUBLE_SHARE = 0.05; // of the time at the start
const TROUBLE_SECONDS = 30; // where the time at the start is unknown

/** Read a tag `TimeControl`; null if it names no clock. */
export function readTimeControl(tag: string): TimeControl | null {
  const periods = tag.split(":").map((period) => PERIOD.exec(period.trim()));
  const [first, ...others] = periods;
  if (!first || others.some((each) => !each)) return null;
  return {
    base: Number(first[1]),
    increment: Number(first[2] ?? 0),
    later: others.map((each) => Number(each?.[1])),
  };
}

/**
 * Return the seconds that each move of the main line took, the first entry for the position before
 * all moves; null where that is unknown.
 *
 * A time that is written in the game counts (`[%emt]`), or else it is the difference of the side's
 * clocks, with the increment.  A clock that has as much as at the start did not run yet.  Without a
 * tag `TimeControl`, and with clocks that gain time, the increment and so the times are unknown.
 */
export function timesOf(tree: GameTree): (number | null)[] {
  const control = controlOf(tree);
  const last: Record<"white" | "black", number | null> = {
    white: control?.base ?? null,
    black: control?.base ?? null,
  };
  let hasGained = false;
  const noted = tree.mainline().map((node) => timeSpent(node));
  const byClock = tree.mainline().map((node) => {
    const color = node.parent?.turn;
    if (!color) return null;
    const [before, after] = [last[color], clockAt(node, color)];
    last[color] = after;
    if (before === null || after === null) return null;
    const isFirst = !node.parent?.parent?.parent;
    if (isFirst && after === before) return 0;
    const used = usedOf(before, after, control);
    hasGained ||= used === null;
    return used;
  });
  const isKnown = control !== null || !hasGained;
  return noted.map((seconds, at) => seconds ?? (isKnown ? (byClock[at] ?? null) : null));
}

/** Return the time between two clocks of a side; null if they gain more than they may. */
function usedOf(before: number, after: number, control: TimeControl | null): number | null {
  const { increment = 0, later = [] } = control ?? {};
  for (const added of [0, ...later]) {
    const used = before + increment + added - after;
    if (used > -ROUNDING) return Math.max(0, used);
  }
  return null;
}

/** Return the time control; a base that the first clock exceeds is in minutes, as some write it. */
function controlOf(tree: GameTree): TimeControl | null {
  const control = readTimeControl(tree.headers.get("TimeControl") ?? "");
  const [first] = tree.root.line();
  const clock = first ? clockAt(first, tree.root.turn) : null;
  if (!control || clock === null || clock <= control.base + control.increment) return control;
  const inSeconds = (minutes: number) => 60 * minutes;
  return { ...control, base: inSeconds(control.base), later: control.later.map(inSeconds) };
}

/** Return the time on a clock, in seconds, below which a side is in time trouble. */
export function troubleLimit(tree: GameTree): number {
  const control = controlOf(tree);
  return control ? TROUBLE_SHARE * control.base : TROUBLE_SECONDS;
}

/** Return whether the side that has made a move was in time trouble after it. */
export function isInTrouble(node: GameNode, limit: number): boolean {
  const clock = node.parent ? clockAt(node, node.parent.turn) : null;
  return clock !== null && clock < limit;
}
