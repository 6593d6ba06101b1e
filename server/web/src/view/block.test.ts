import { expect, test } from "vitest";
import { readGames } from "../game/pgn";
import type { GameNode, GameTree } from "../game/tree";
import { addNearest, blocksOf, type Drawing } from "./block";

/** Return a game with so many plies in its main line, and more text after them. */
function gameOf(plies: number, text = ""): GameTree {
  const moves = Array.from({ length: plies }, (_, at) => ["Nf3", "Nf6", "Ng1", "Ng8"][at % 4]);
  const [game] = readGames(`${moves.join(" ")} ${text} *`);
  if (!game) throw new Error("no game");
  return game.open();
}

const moveAt = (tree: GameTree, ply: number) => tree.mainline()[ply] as GameNode;

function drawingOf({ root }: GameTree): Drawing<unknown> {
  return { blocks: blocksOf(root, new Map(), undefined, []), drawn: new Set() };
}

/** Return which blocks have to be drawn again after a change. */
function changedBy(
  tree: GameTree,
  change: () => void,
  folds = new Map(),
  tries = new Set<number>(),
) {
  const before = blocksOf(tree.root, new Map(), new Set(), []);
  change();
  const after = blocksOf(tree.root, folds, tries, before);
  return [...after.keys()].filter((at) => after[at] !== before[at]);
}

test("a block begins with one of White's moves, and has the variations beside its own", () => {
  const { blocks } = drawingOf(gameOf(24, "d4 (c4 c5 (e5)) d5"));
  expect(blocks.map(({ moves }) => moves[0]?.ply)).toEqual([1, 11, 21]);
  expect(blocks.map(({ size }) => size)).toEqual([10, 10, 4 + 2 + 3]);
  const [game] = readGames('[FEN "4k3/8/8/8/8/8/8/4K2R b K - 0 15"]\n\n15... Kd7 16. O-O Kd6 *');
  const tree = game?.open() as GameTree;
  expect(drawingOf(tree).blocks.map(({ moves }) => moves.length)).toEqual([1, 2]);
});

test("only the block that a change is in looks other than before", () => {
  const tree = gameOf(40, "d4 (c4 c5) d5");
  const [far, last] = [moveAt(tree, 12), moveAt(tree, 20)];
  const verdict = { score: { kind: "cp", value: 30 }, depth: 9, best: null } as const;
  const inVariation = tree.root.line()[39]?.children[1] as GameNode;
  expect(changedBy(tree, () => {})).toEqual([]);
  expect(changedBy(tree, () => far.comments.push("good"))).toEqual([1]);
  expect(changedBy(tree, () => far.startingComments.push(...far.comments.splice(0)))).toEqual([1]);
  expect(changedBy(tree, () => far.nags.push(1))).toEqual([1]);
  expect(changedBy(tree, () => (far.judgement = "blunder"))).toEqual([1]);
  expect(changedBy(tree, () => inVariation.nags.push(2))).toEqual([4]);
  expect(changedBy(tree, () => tree.playAll(far, ["d2d4", "d7d5"]))).toEqual([1]);
  expect(changedBy(tree, () => tree.playAll(tree.mainline().at(-1) as GameNode, ["b1c3"]))).toEqual(
    [4],
  );
  expect(changedBy(tree, () => {}, new Map([[inVariation.id, true]]))).toEqual([4]);
  expect(changedBy(tree, () => {}, new Map(), new Set([far.id]))).toEqual([1]);
  // What the next move has missed is known by the verdict before it.
  expect(changedBy(tree, () => (last.verdict = verdict))).toEqual([1, 2]);
  const second = { engine: "other", verdict, judgement: null };
  expect(changedBy(tree, () => (last.second = second))).toEqual([1]);
  expect(changedBy(tree, () => tree.promote(inVariation))).toEqual([4]);
});

test("a game of 400 moves is drawn at once", () => {
  const tree = gameOf(400);
  const drawing = drawingOf(tree);
  addNearest(drawing, tree.root);
  expect(drawing.drawn.size).toBe(40);
});

test("a longer one is drawn later, in several tasks, the moves around the current one first", () => {
  const tree = gameOf(1000);
  const drawing = drawingOf(tree);
  addNearest(drawing, tree.root);
  expect([...drawing.drawn]).toEqual([]);
  drawing.isLater = true;
  addNearest(drawing, moveAt(tree, 505));
  expect([...drawing.drawn].sort()).toEqual(Array.from({ length: 40 }, (_, at) => at + 30));
  addNearest(drawing, moveAt(tree, 1000));
  expect(drawing.drawn).toContain(99);
  expect(drawing.drawn).not.toContain(0);
  addNearest(drawing, moveAt(tree, 1000));
  expect(drawing.drawn.size).toBe(100);
});
