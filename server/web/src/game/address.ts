/** A position, and the moves that led to it, in the address of the page. */

import { type GameNode, GameTree } from "./tree";

/** The part of an address after `#` that leads to a node. */
export function addressOf(tree: GameTree, node: GameNode): string {
  const parts: string[] = [];
  if (!tree.isStandard) parts.push(`fen=${tree.root.fen.replaceAll(" ", "_")}`);
  const moves = node.path().slice(1);
  if (moves.length) parts.push(`moves=${moves.map((each) => each.uci).join(".")}`);
  return parts.join("&");
}

/** The game of an address, and where in it; null if it leads nowhere. */
export function fromAddress(hash: string): { tree: GameTree; node: GameNode } | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const fen = fields.get("fen");
  const moves = fields.get("moves");
  if (!fen && !moves) return null;
  try {
    const tree = new GameTree(fen?.replaceAll("_", " ") || undefined);
    return { tree, node: tree.playAll(tree.root, moves ? moves.split(".") : []) };
  } catch {
    return null;
  }
}
