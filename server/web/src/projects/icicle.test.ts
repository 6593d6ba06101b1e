import { expect, test } from "vitest";
import { type Cell, cellAt, cellByKey, cellsOf, growingEnds, MOST_ROWS } from "./icicle";
import type { MapNode } from "./tree";

const REPLY: MapNode = { number: 4, move: "e7e5", san: "e5", size: 30, newest: 990 };
const TREE: MapNode = {
  number: 1,
  size: 101,
  newest: 1000,
  nodes: [
    { number: 2, move: "e2e4", san: "e4", size: 60, newest: 990, nodes: [REPLY] },
    { number: 3, move: "d2d4", san: "d4", size: 40, newest: 1000 },
  ],
};
const cells = cellsOf({ newest: 1000, root: TREE });

function line(cell: Cell | null | undefined): string | undefined {
  return cell?.sans.join(" ");
}

function find(wanted: string): Cell {
  const found = cells.find((cell) => line(cell) === wanted);
  if (!found) throw new Error(wanted);
  return found;
}

test("a subtree is as wide as its part of the tree, below its parent", () => {
  expect(cells.map((cell) => [line(cell), cell.row])).toEqual([
    ["", 0],
    ["e4", 1],
    ["e4 e5", 2],
    ["d4", 1],
  ]);
  expect(find("e4").width).toBeCloseTo(60 / 101);
  expect(find("d4").x).toBeCloseTo(60 / 101);
  expect(find("e4 e5").width).toBeCloseTo(30 / 101);
});

test("the newest subtree is the freshest, and old ones are not fresh", () => {
  const old = cellsOf({ newest: 5000, root: TREE });
  expect(find("d4").freshness).toBe(1);
  expect(find("e4").freshness).toBeCloseTo(0.95);
  expect(new Set(old.map(({ freshness }) => freshness))).toEqual(new Set([0]));
});

test("what is too small to be seen, or too deep, has no cell", () => {
  let deep: MapNode = { number: 100, size: 1, move: "a2a3", san: "a3" };
  for (let at = 99; at > 0; at--)
    deep = { number: at, size: 100, move: "a2a3", san: "a3", nodes: [deep] };
  expect(Math.max(...cellsOf({ newest: 1, root: deep }).map(({ row }) => row))).toBe(MOST_ROWS - 1);
  const thin: MapNode = { number: 2, size: 1, move: "e2e4", san: "e4" };
  expect(cellsOf({ newest: 2, root: { number: 1, size: 1000, nodes: [thin] } })).toHaveLength(1);
});

test("a position of the board is found as far as the map has its way", () => {
  expect(line(cellAt(cells, ["e4", "e5"])?.cell)).toBe("e4 e5");
  expect(cellAt(cells, ["e4", "e5"])?.isEnd).toBe(true);
  expect(line(cellAt(cells, ["e4", "c5", "Nf3"])?.cell)).toBe("e4");
  expect(cellAt(cells, ["e4", "c5", "Nf3"])?.isEnd).toBe(false);
  expect(cellAt([], [])).toBeNull();
});

test("keys lead to neighbours", () => {
  expect(line(cellByKey(find("e4"), "ArrowRight"))).toBe("d4");
  expect(line(cellByKey(find("d4"), "ArrowLeft"))).toBe("e4");
  expect(line(cellByKey(find("e4"), "ArrowDown"))).toBe("e4 e5");
  expect(line(cellByKey(find("e4 e5"), "ArrowUp"))).toBe("e4");
  expect(line(cellByKey(find("e4 e5"), "Home"))).toBe("");
  expect(cellByKey(find("d4"), "ArrowDown")).toBeNull();
  expect(cellByKey(find(""), "ArrowUp")).toBeNull();
  expect(cellByKey(find(""), "ArrowLeft")).toBeNull();
});

test("the ends of the newest lines are named, the newest first", () => {
  expect(growingEnds(cells, 3).map(line)).toEqual(["d4", "e4 e5"]);
  expect(growingEnds(cells, 1).map(line)).toEqual(["d4"]);
});
