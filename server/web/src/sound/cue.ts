/** Which sound belongs to what has happened on the board.  Pure. */

import type { GameNode } from "../game/tree";

export type Cue = "move" | "capture" | "check" | "end" | "low";

/** What is on the board at one time. */
export interface Moment {
  readonly node: GameNode;
  /** Whether a game against an engine is over. */
  readonly isOver: boolean;
  /** Milliseconds that the user has in a game; null without a clock. */
  readonly left: number | null;
}

const LOW = 20_000; // ms; the clock is red below

/** Return the sound for the change between two moments: of a move forward, an end, or the clock. */
export function cueOf(before: Moment, now: Moment): Cue | null {
  const isMove = now.node.parent !== null && now.node.parent === before.node;
  const isEnding = now.isOver && !before.isOver;
  // The sound of mate has been heard when the game is declared over.
  if (isEnding && (isMove || !now.node.position().isEnd())) return "end";
  if (isMove) return cueOfMove(now.node);
  const isLow = before.left !== null && before.left >= LOW && now.left !== null && now.left < LOW;
  return isLow && !now.isOver ? "low" : null;
}

function cueOfMove(node: GameNode): Cue {
  if (node.position().isEnd()) return "end";
  if (node.san.endsWith("+")) return "check";
  return node.san.includes("x") ? "capture" : "move";
}
