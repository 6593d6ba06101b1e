/** The map of a tree as cells: a row for each half-move, and a width for each subtree.  Pure. */

import type { MapNode, TreeMap } from "./tree";

/** A subtree on the map; `x` and `width` are shares of the whole, 0 to 1. */
export interface Cell {
  readonly node: MapNode;
  /** From the root, in UCI and in SAN. */
  readonly moves: readonly string[];
  readonly sans: readonly string[];
  readonly x: number;
  readonly width: number;
  /** Half-moves from the root. */
  readonly row: number;
  /** How new its last position is: 1 is the newest of the tree, 0 none of the newest. */
  readonly freshness: number;
  readonly parent: Cell | null;
  readonly children: Cell[];
}

export const MOST_ROWS = 16;
const NEWEST = 200; // positions that a map knows as the newest
const LEAST_WIDTH = 0.004; // of the whole; narrower ones cannot be seen

/** Return the cells of a map, each after its parent. */
export function cellsOf({ root, newest }: TreeMap): Cell[] {
  const cells: Cell[] = [];
  const add = (node: MapNode, parent: Cell | null, x: number, width: number) => {
    const cell: Cell = {
      node,
      moves: parent ? [...parent.moves, node.move ?? ""] : [],
      sans: parent ? [...parent.sans, node.san ?? ""] : [],
      x,
      width,
      row: parent ? parent.row + 1 : 0,
      freshness: freshnessOf(node, newest),
      parent,
      children: [],
    };
    cells.push(cell);
    parent?.children.push(cell);
    if (cell.row + 1 >= MOST_ROWS) return;
    let left = x;
    for (const child of node.nodes ?? []) {
      // The position itself is one of its subtree.
      const share = (width * child.size) / Math.max(1, node.size);
      if (share >= LEAST_WIDTH) add(child, cell, left, share);
      left += share;
    }
  };
  add(root, null, 0, 1);
  return cells;
}

function freshnessOf(node: MapNode, newest: number): number {
  if (node.newest === undefined) return 0;
  return Math.max(0, 1 - (newest - node.newest) / NEWEST);
}

/** Return the deepest cell on the way of some moves in SAN, and whether it is their end. */
export function cellAt(
  cells: readonly Cell[],
  sans: readonly string[],
): { readonly cell: Cell; readonly isEnd: boolean } | null {
  let cell = cells[0];
  if (!cell) return null;
  for (const [ply, san] of sans.entries()) {
    const next: Cell | undefined = cell.children.find((each) => each.sans[ply] === san);
    if (!next) return { cell, isEnd: false };
    cell = next;
  }
  return { cell, isEnd: true };
}

/** Return the cell that a key leads to; null if it leads nowhere. */
export function cellByKey(cell: Cell, key: string): Cell | null {
  const siblings = cell.parent?.children ?? [cell];
  const at = siblings.indexOf(cell);
  switch (key) {
    case "ArrowUp":
      return cell.parent;
    case "ArrowDown":
      return cell.children[0] ?? null;
    case "ArrowLeft":
      return siblings[at - 1] ?? null;
    case "ArrowRight":
      return siblings[at + 1] ?? null;
    case "Home":
      return rootOf(cell);
    default:
      return null;
  }
}

function rootOf(cell: Cell): Cell {
  return cell.parent ? rootOf(cell.parent) : cell;
}

/** Return the ends of the lines in which the newest positions are, the newest first. */
export function growingEnds(cells: readonly Cell[], most: number): readonly Cell[] {
  return cells
    .filter(({ freshness, children }) => freshness > 0 && !children.some((it) => it.freshness > 0))
    .sort((one, other) => other.freshness - one.freshness || other.row - one.row)
    .slice(0, most);
}
