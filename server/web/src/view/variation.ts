/** The text of a variation: its moves in their order, with the brackets around inner variations. */

import { commentText, isSuggestion } from "../game/annotation";
import type { GameNode, GameTree } from "../game/tree";

/** The level from which on variations are folded at first; the main line has level 0. */
export const FOLDED_LEVEL = 4;

/** A move of a variation, as it is written. */
export interface Written {
  readonly node: GameNode;
  /** 1 for a variation of the main line, 2 for a variation in that, and so on. */
  readonly level: number;
  readonly isNumbered: boolean;
  /** Whether it is the first move of a variation in brackets. */
  readonly opens: boolean;
  /** The number of brackets that close after it. */
  closes: number;
  /** Whether the rest of its variation is not shown. */
  readonly isFolded: boolean;
}

/** The variations in brackets that the reader has folded or unfolded, by the id of their first move. */
export type Folds = ReadonlyMap<number, boolean>;

/** Return whether a variation in brackets is folded. */
export function isFolded(folds: Folds, node: GameNode, level: number): boolean {
  return folds.get(node.id) ?? (level >= FOLDED_LEVEL && node.children.length > 0);
}

/** Return whether a variation of the main line is a line of the analysis, which stands in brackets. */
function isBetterLine(start: GameNode): boolean {
  return start.children.length > 0 && isSuggestion(start);
}

/** Return the first moves of the better lines that an analysis has added to the game. */
export function betterLines(tree: GameTree): GameNode[] {
  return tree.mainline().flatMap(({ children }) => children.slice(1).filter(isBetterLine));
}

/** Return the variations that contain a move: the first move of each, the outermost first. */
export function variationsAround(node: GameNode): GameNode[] {
  const starts: GameNode[] = [];
  for (let at: GameNode | null = node; at?.parent; at = at.parent) {
    if (at.parent.children[0] !== at) starts.unshift(at);
  }
  return starts;
}

/** Return the folds with all that hide a move opened; the same ones if none does. */
export function revealing(folds: Folds, node: GameNode): Folds {
  const hiding = variationsAround(node).filter(
    (start, at) => start !== node && isFolded(folds, start, at + 1),
  );
  return hiding.length
    ? new Map([...folds, ...hiding.map(({ id }) => [id, false] as const)])
    : folds;
}

/** A move that is still to be written. */
interface Rest {
  readonly node: GameNode;
  readonly level: number;
  readonly isNumbered: boolean;
  readonly opens: boolean;
}

/**
 * Return the moves of a variation of the main line.  The depth is not limited, so the rest is kept
 * in a list and not on the call stack.
 */
export function writeVariation(from: GameNode, folds: Folds): Written[] {
  const moves: Written[] = [];
  const first: Rest = { node: from, level: 1, isNumbered: true, opens: isBetterLine(from) };
  const rest: (Rest | ")")[] = first.opens ? [")", first] : [first];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const last = moves.at(-1);
    if (next === ")") {
      if (last) last.closes++;
      continue;
    }
    const { node, level, opens } = next;
    const isShort = opens && isFolded(folds, node, level);
    const isNumbered = next.isNumbered || node.ply % 2 === 1;
    moves.push({ node, level, isNumbered, opens, closes: 0, isFolded: isShort });
    // Variations of the first move of a variation stand beside it.
    const others = opens || node === from ? [] : (node.parent?.children.slice(1) ?? []);
    const isBroken = others.length > 0 || node.comments.some((each) => commentText(each));
    const [follows] = node.children;
    if (follows && !isShort)
      rest.push({ node: follows, level, isNumbered: isBroken, opens: false });
    for (const other of others.reverse()) {
      rest.push(")", { node: other, level: level + 1, isNumbered: true, opens: true });
    }
  }
  return moves;
}

/**
 * Return the moves of a variation in rows: each inner variation begins one, and so does what
 * follows it.
 */
export function rowsOf(moves: readonly Written[]): Written[][] {
  const rows: Written[][] = [];
  for (const move of moves) {
    const row = rows.at(-1);
    if (!row || move.opens || row.at(-1)?.closes) rows.push([move]);
    else row.push(move);
  }
  return rows;
}
