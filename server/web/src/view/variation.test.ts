import { expect, test } from "vitest";
import { readGames } from "../game/pgn";
import type { GameNode, GameTree } from "../game/tree";
import {
  betterLines,
  type Folds,
  isFolded,
  revealing,
  rowsOf,
  variationsAround,
  writeVariation,
} from "./variation";

const NESTED =
  "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6 3. e5 (3. d3 d6)) 3. exd5) (2. Nc3) 2... d6) *";

function treeOf(pgn: string): GameTree {
  const [game] = readGames(pgn);
  if (!game) throw new Error("no game");
  return game.open();
}

function find(tree: GameTree, san: string): GameNode {
  const node = [...tree.nodes()].find((each) => each.san === san);
  if (!node) throw new Error(san);
  return node;
}

/** Return a variation as text: brackets, numbers and moves; a folded one ends with `…`. */
function textOf(from: GameNode, folds: Folds = new Map()): string {
  return writeVariation(from, folds)
    .map(({ node, level, isNumbered, opens, closes, isFolded }) => {
      const number = isNumbered ? `${Math.ceil(node.ply / 2)}.` : "";
      const move = `${opens ? "(" : ""}${number}${node.san}${isFolded ? "…" : ""}`;
      return `${move}${")".repeat(closes)}${level > 2 ? `'${level}` : ""}`;
    })
    .join(" ");
}

test("brackets stand with the first and the last move, and deep variations are folded", () => {
  const tree = treeOf(NESTED);
  expect(textOf(find(tree, "c5"))).toBe(
    "1.c5 2.Nf3 (2.c3 d5 (2.Nf6'3 3.e5'3 (3.d3…))'4 3.exd5) (2.Nc3) 2.d6",
  );
});

test("a variation that is folded keeps its first move", () => {
  const tree = treeOf(NESTED);
  const folds = new Map([[find(tree, "c3").id, true]]);
  expect(textOf(find(tree, "c5"), folds)).toBe("1.c5 2.Nf3 (2.c3…) (2.Nc3) 2.d6");
});

test("going to a move opens the variations that hide it, and no others", () => {
  const tree = treeOf(NESTED);
  const [outer, deep] = [find(tree, "c3"), find(tree, "d3")];
  expect(variationsAround(deep).map(({ san }) => san)).toEqual(["c5", "c3", "Nf6", "d3"]);
  const folds = new Map([[outer.id, true]]);
  expect(revealing(folds, outer)).toBe(folds);
  const revealed = revealing(folds, deep);
  expect(revealed.get(outer.id)).toBe(false);
  expect(isFolded(revealed, deep, 4)).toBe(true);
  const last = deep.children[0] as GameNode;
  expect(isFolded(revealing(folds, last), deep, 4)).toBe(false);
});

test("inner variations, and what follows them, have rows of their own", () => {
  const rows = rowsOf(writeVariation(find(treeOf(NESTED), "c5"), new Map()));
  const texts = rows.map((row) => [row[0]?.level, ...row.map(({ node }) => node.san)].join(" "));
  expect(texts).toEqual(["1 c5 Nf3", "2 c3 d5", "3 Nf6 e5", "4 d3", "2 exd5", "2 Nc3", "1 d6"]);
});

test("a better line of the analysis is folded as a whole, and opened by its moves", () => {
  const tree = treeOf(
    "1. e4 e5 2. Ke2 $4 (2. Nf3 {better} 2... Nc6 {[%eval 0.3,12]}) (2. d4 {my idea} exd4) *",
  );
  const [nf3, d4] = [find(tree, "Nf3"), find(tree, "d4")];
  expect(betterLines(tree)).toEqual([nf3]);
  expect(textOf(nf3)).toBe("(2.Nf3 2.Nc6)");
  expect(textOf(d4)).toBe("2.d4 2.exd4");
  const folds = new Map([[nf3.id, true]]);
  expect(textOf(nf3, folds)).toBe("(2.Nf3…)");
  expect(revealing(folds, nf3)).toBe(folds);
  expect(revealing(folds, find(tree, "Nc6")).get(nf3.id)).toBe(false);
});
