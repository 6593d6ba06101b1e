/**
 * The main line in blocks: after a change only those are drawn again in which it is, and a long game
 * is drawn in several tasks.  Pure.
 */

import type { GameNode } from "../game/tree";
import { type Folds, variationsAround } from "./variation";

const PLIES = 10; // of the main line in a block, which begins with a row
const AT_ONCE = 400; // moves that are drawn in one task

/** A part of the main line, with the variations beside its moves. */
export interface Block<View> {
  readonly moves: readonly GameNode[];
  /** The number of moves in it, with those in variations. */
  readonly size: number;
  /** All on which its look depends: it has to be drawn again only if one of these values is another. */
  readonly look: readonly unknown[];
  view?: View;
}

/** What is drawn of a game. */
export interface Drawing<View> {
  blocks: Block<View>[];
  /** The indices of the blocks that are drawn. */
  readonly drawn: Set<number>;
  /** Whether the task in which the game was read is over. */
  isLater?: boolean;
}

/** Divide the main line after a node into blocks; those that look as before are the former ones. */
export function blocksOf<View>(
  from: GameNode,
  folds: Folds,
  tries: ReadonlySet<number> | undefined,
  former: readonly Block<View>[],
): Block<View>[] {
  const parts: GameNode[][] = [];
  for (const node of from.line()) {
    const at = numberOf(node) - numberOf(from.children[0] ?? node);
    parts[at] = [...(parts[at] ?? []), node];
  }
  return parts.map((moves, at) => {
    const nodes = moves.flatMap(withVariations);
    const look = nodes.flatMap((node) => [
      node,
      JSON.stringify([node.comments, node.startingComments, node.nags, node.judgement]),
      node.parent?.verdict, // It has the better move.
      node.verdict,
      node.second,
      folds.get(node.id),
      tries?.has(node.id),
    ]);
    const known = former[at];
    const isSame =
      known?.look.length === look.length && look.every((it, at) => it === known.look[at]);
    return isSame ? known : { moves, size: nodes.length, look };
  });
}

/** Return the number of the block to which a move of the main line belongs. */
function numberOf(node: GameNode): number {
  return Math.floor((node.ply - 1) / PLIES);
}

/** Return a move of the main line, and all moves of the variations beside it. */
function withVariations(node: GameNode): GameNode[] {
  const nodes = [node];
  const rest = node.parent?.children.slice(1) ?? [];
  for (let next = rest.pop(); next; next = rest.pop()) {
    nodes.push(next);
    rest.push(...next.children);
  }
  return nodes;
}

/**
 * Choose blocks to draw in this task, besides those that are drawn: the nearest to the current move.  A
 * long game waits for a task of its own.
 */
export function addNearest(drawing: Drawing<unknown>, current: GameNode): void {
  const { blocks, drawn, isLater } = drawing;
  const around = variationsAround(current)[0] ?? current;
  const far = (at: number) => Math.abs(numberOf(blocks[at]?.moves[0] ?? around) - numberOf(around));
  const missing = [...blocks.keys()].filter((at) => !drawn.has(at));
  let left = AT_ONCE;
  for (const at of missing.sort((one, other) => far(one) - far(other))) {
    if (left <= 0 && isLater) return;
    drawn.add(at);
    left -= blocks[at]?.size ?? 0;
  }
  if (left < 0 && !isLater) drawn.clear();
}
