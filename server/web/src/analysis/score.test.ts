import { expect, test } from "vitest";
import { readGames } from "../game/pgn";
import { GameTree } from "../game/tree";
import { disputedMoves, Review, summarize } from "./review";
import { accuracy, judgeLoss, scoreText, winChance, winChanceLoss } from "./score";

const cp = (value: number) => ({ kind: "cp", value }) as const;
const mate = (value: number) => ({ kind: "mate", value }) as const;

test("chances are lichess' curve", () => {
  expect(winChance(cp(0))).toBe(50);
  expect(winChance(cp(100))).toBeCloseTo(59.1, 1);
  expect(winChance(cp(-100))).toBeCloseTo(40.9, 1);
  expect(winChance(mate(3))).toBeCloseTo(97.5, 1);
  expect(winChance(cp(5000))).toBe(winChance(mate(1)));
});

test("the loss of a move is that of its side, and never below zero", () => {
  expect(winChanceLoss(cp(100), cp(0), "white")).toBeCloseTo(9.1, 1);
  expect(winChanceLoss(cp(100), cp(0), "black")).toBe(0);
  expect(winChanceLoss(cp(0), cp(300), "black")).toBeCloseTo(25.1, 1);
});

test.each([
  [4.9, null],
  [5, "inaccuracy"],
  [10, "mistake"],
  [15, "blunder"],
])("a loss of %d points is %s", (points, judgement) => {
  expect(judgeLoss(points)).toBe(judgement);
});

test("a move that loses nothing is accurate", () => {
  expect(accuracy(0)).toBeCloseTo(100, 3);
  expect(accuracy(20)).toBeLessThan(45);
});

test.each([
  [cp(31), "+0.31"],
  [cp(-1234), "−12.3"],
  [cp(0), "0.00"],
  [mate(3), "#3"],
  [mate(-2), "#−2"],
])("%o is written %s", (score, text) => {
  expect(scoreText(score)).toBe(text);
});

test("a game is judged move by move, and a mate on the board needs no engine", () => {
  const tree = new GameTree();
  tree.playAll(tree.root, ["f2f3", "e7e5", "g2g4", "d8h4"]);
  const review = new Review(tree);
  const scores = [20, -80, -80, -900];
  while (!review.isOver) {
    const { fen } = review.current ?? { fen: "" };
    const line = { score: cp(scores[review.done] ?? 0), depth: 5, pv: [] };
    review.addFindings({ fen, lines: [line] } as never, null);
  }
  const [first, second, third, last] = tree.root.line();
  expect([first, second, third, last].map((node) => node?.judgement)).toEqual([
    "inaccuracy",
    null,
    "blunder",
    null,
  ]);
  expect(last?.verdict?.score).toEqual(mate(-1));
  expect(summarize(tree, "white").counts).toEqual({ inaccuracy: 1, mistake: 0, blunder: 1 });
});

test("the opinion of a second engine stands beside that of the first", () => {
  const tree = new GameTree();
  const [, node] = tree.playAll(tree.root, ["f2f3"]).path();
  for (const [engine, scores] of [
    [null, [20, -80]],
    ["other", [20, 10]],
  ] as const) {
    const review = new Review(tree, engine);
    for (const score of scores)
      review.addFindings({ lines: [{ score: cp(score) }] } as never, null);
  }
  expect([node?.judgement, node?.second?.engine, node?.second?.judgement]).toEqual([
    "inaccuracy",
    "other",
    null,
  ]);
  expect(disputedMoves(tree)).toEqual([node]);
});

test("castling is the engine's own choice however the engine writes it", () => {
  const tree = new GameTree("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  tree.playAll(tree.root, ["e1g1"]);
  const review = new Review(tree);
  review.addFindings({ lines: [{ score: cp(500), depth: 5 }] } as never, "e1g1");
  review.addFindings({ lines: [{ score: cp(0), depth: 5 }] } as never, null);
  expect(tree.root.verdict?.best).toBe(tree.root.children[0]?.uci);
  expect(tree.root.children[0]?.judgement).toBeNull();
});

test("results of an earlier analysis stand until there are newer ones", () => {
  const tree = new GameTree();
  tree.playAll(tree.root, ["e2e4", "e7e5"]);
  const former = { score: cp(30), depth: 9, best: "e2e4" };
  for (const node of tree.nodes()) node.verdict = former;
  const review = new Review(tree);
  review.addFindings({ lines: [{ score: cp(10), depth: 5 }] } as never, "d2d4");
  expect(tree.mainline().map((node) => node.verdict?.score.value)).toEqual([10, 30, 30]);
});

test("suggestions of an earlier analysis are removed unless a newer one repeats them", () => {
  const text =
    "{ [%eval 0.3,9] } 1. g4 $4 { [%eval -1.5,9] } ( 1. e4 { better } ) ( 1. c4 { mine } ) *";
  for (const [score, best, left] of [
    [-150, "d2d4", ["g4", "c4"]],
    [-150, "e2e4", ["g4", "e4", "c4"]],
    [20, "e2e4", ["g4", "c4"]],
  ] as const) {
    const tree = readGames(text)[0]?.open() as GameTree;
    const review = new Review(tree);
    review.addFindings({ lines: [{ score: cp(30), depth: 9 }] } as never, best);
    review.addFindings({ lines: [{ score: cp(score), depth: 9 }] } as never, null);
    expect(tree.root.children.map(({ san }) => san)).toEqual(left);
  }
});
