/** Positions of the board as positions of a project, and the other way.  Pure. */

import { type GameNode, GameTree } from "../game/tree";
import type { Project } from "./project";
import type { Place } from "./tree";

const NULL_MOVE = "0000";
const MOST_MOVES = 300; // in a request; of a longer game the position alone is enough

/** Return the game that leads to the root of a project, and the node of the root. */
export function gameOf({ position, variant, name }: Project): { tree: GameTree; root: GameNode } {
  const headers: [string, string][] = name ? [["Event", name]] : [];
  const tree = new GameTree(position.fen ?? undefined, headers, variant === "chess960");
  return { tree, root: tree.playAll(tree.root, position.moves ?? []) };
}

/** Return the first node with the position of a project's root on the way to a node; null if none. */
export function rootOnWay(root: GameNode, node: GameNode): GameNode | null {
  const wanted = positionIn(root);
  return node.path().find((each) => positionIn(each) === wanted) ?? null;
}

/** Return the node of a project's root in a game; null if the game does not come there. */
export function rootIn(root: GameNode, tree: GameTree, here: GameNode): GameNode | null {
  const onWay = rootOnWay(root, here);
  if (onWay || positionIn(tree.root) !== positionIn(root.path()[0] ?? root)) return onWay;
  let node: GameNode | undefined = tree.root;
  for (const { uci } of root.path().slice(1)) {
    node = node?.children.find((each) => each.uci === uci);
  }
  return node ?? null;
}

/** Return how a project is asked for a node: by the moves from its root, if the way leads there. */
export function placeOf(root: GameNode, node: GameNode): Place {
  const start = rootOnWay(root, node);
  const moves = start ? node.path().slice(start.path().length) : [];
  const isUsual = moves.length <= MOST_MOVES && moves.every(({ uci }) => uci !== NULL_MOVE);
  if (!start || !isUsual) return { fen: node.fen, moves: [] };
  return { moves: moves.map(({ san }) => san) };
}

/** Return the place behind a move, which is in UCI or SAN. */
export function placeBehind(place: Place, move: string): Place {
  return { ...place, moves: [...place.moves, move] };
}

/** Return a position without its counters. */
function positionIn({ fen }: GameNode): string {
  return fen.split(" ", 4).join(" ");
}
