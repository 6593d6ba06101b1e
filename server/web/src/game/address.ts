/** A position, and the moves that led to it, in the address of the page. */

import { readFen } from "./fen";
import { type GameNode, GameTree } from "./tree";

/** The part of an address after `#` that leads to a node. */
export function addressOf(tree: GameTree, node: GameNode): string {
  const parts: string[] = [];
  if (!tree.isStandard) {
    // In Chess960 it names the rooks by their files: so the address is read as it was written.
    parts.push(`fen=${readFen(tree.root.fen, tree.chess960).fen.replaceAll(" ", "_")}`);
  }
  const moves = node.path().slice(1);
  if (moves.length) parts.push(`moves=${moves.map((each) => each.uci).join(".")}`);
  return parts.join("&");
}

/** A game that an address leads to, and where in it. */
export interface Linked {
  readonly tree: GameTree;
  readonly node: GameNode;
  /** Whether all its moves are legal; those are there that are before the first which is not. */
  readonly isWhole: boolean;
}

/** The game of an address; null if it has none.  Fails where its position is none. */
export function fromAddress(hash: string): Linked | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const fen = fields.get("fen");
  const moves = fields.get("moves")?.split(".") ?? [];
  if (!fen && !moves.length) return null;
  const tree = new GameTree(fen?.replaceAll("_", " ") || undefined);
  const node = tree.playAll(tree.root, moves);
  return { tree, node, isWhole: node.path().length > moves.length };
}
