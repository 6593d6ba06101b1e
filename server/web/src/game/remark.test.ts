import { expect, test } from "vitest";
import { clockAt, commentOn, setComment, spentText, timeSpent } from "./annotation";
import { type PgnGame, readGames, writeGame } from "./pgn";
import { readRemark } from "./remark";
import type { GameNode } from "./tree";

const cp = (value: number) => ({ kind: "cp", value });
const mate = (value: number) => ({ kind: "mate", value });

test.each([
  ["+0.16/13 0.074s", cp(16), 13, 0.074, ""],
  ["-0.33/12 74ms", cp(-33), 12, 0.074, ""],
  ["0.00/45 1.1s, Draw by 3-fold repetition", cp(0), 45, 1.1, "Draw by 3-fold repetition"],
  ["+M1/5 0.01s, White mates", mate(1), 5, 0.01, "White mates"],
  ["-M12/30 2s", mate(-12), 30, 2, ""],
  ["+0.31/20 0.5s n=12345 sd=30 nps=24690 hashfull=3 tbhits=0", cp(31), 20, 0.5, ""],
  ['+0.31/20 0.5s, n=12345, pv="e2e4 e7e5"', cp(31), 20, 0.5, ""],
  ["(Nf6) +0.25/12 5", cp(25), 12, 5, ""],
  ["(e7e5) -0,25/12 1:05", cp(-25), 12, 65, ""],
  ["+0.16/13 3.4 12345678", cp(16), 13, 3.4, ""],
  ["0.25/13", cp(25), 13, null, ""],
  ["(+0.25)", cp(25), null, null, ""],
  ["d=13, ev=0.25, mt=00:00:05", cp(25), 13, 5, ""],
  ["ev=-0.10, d=20, pd=Nf6, mt=00:01:23, s=900 kN/s, pv=e4 e5, tb=0,", cp(-10), 20, 83, ""],
  ["ev=0.25 d=13 t=250ms", cp(25), 13, 0.25, ""],
  ["Eval = -M3, Depth = 9, MoveTime = 00:00:02", mate(-3), 9, 2, ""],
  ["+0.25/13/24 74ms 1.2M nodes", cp(25), 13, 0.074, ""],
  ["(Nf6 Nc3 d5) #-4/20 1.5", mate(-4), 20, 1.5, ""],
  ["0.00", cp(0), null, null, ""],
  ["book", null, null, null, ""],
])("a remark of an engine: %s", (comment, score, depth, seconds, text) => {
  expect(readRemark(comment)).toMatchObject({ score, depth, seconds, text });
});

test("TCEC's score is White's", () => {
  const remark = readRemark("d=28, sd=45, mt=72000, n=1440, pv=Nf3 d5, wv=0.15, R50=50, ");
  expect(remark).toMatchObject({ score: null, whiteScore: cp(15), depth: 28, seconds: 72 });
});

test.each([
  "0.25 was the score",
  "1/2",
  "a = b",
  "the plan: d=4, then e=5",
  "+0.16/13 is what it said",
  "45",
  "(a game of 1972)",
  "25.12",
])("words for people: %s", (comment) => {
  expect(readRemark(comment)?.text || comment).toContain(comment.slice(-4));
});

const GAME = `1. e4 {book} e5 {+0.16/13 0.074s} 2. Nf3 $14 {-0.33/12 1.5s} Nc6 $4 {[%clk 0:01:00] +0.2/9}
3. Bb5 {+M3/20 0.1s, White mates} *`;
const only = (text: string) => (readGames(text)[0] as PgnGame).open();
const line = (text: string) => only(text).root.line() as [GameNode, GameNode, ...GameNode[]];

test("remarks are scores for White beside the moves, and no comments", () => {
  const nodes = line(GAME);
  expect(nodes.map(({ verdict }) => verdict?.score.value)).toEqual([undefined, -16, -33, -20, 3]);
  expect(nodes.map(commentOn)).toEqual(["", "", "", "", "White mates"]);
  expect(nodes.map(timeSpent)).toEqual([null, 0.074, 1.5, null, 0.1]);
  expect(nodes.map(({ judgement }) => judgement)).toEqual([null, null, null, null, null]);
});

test("remarks are written as they were read, until an analysis has another score", () => {
  const tree = only(GAME);
  const written = writeGame(tree).replace(/\s+/g, " ");
  expect(written).toContain(
    "1. e4 { book } e5 { +0.16/13 0.074s } 2. Nf3 $14 { -0.33/12 1.5s } " +
      "2... Nc6 $4 { [%clk 0:01:00] +0.2/9 } 3. Bb5 { +M3/20 0.1s, White mates } *",
  );
  const [, e5] = tree.root.line() as [GameNode, GameNode];
  e5.verdict = { score: { kind: "cp", value: 20 }, depth: 15, best: null };
  const again = writeGame(tree);
  expect(again).toContain("[%eval 0.20,15]");
  expect(line(again)[1].verdict?.score.value).toBe(20);
});

test("a comment of one's own stands beside a remark, and replaces its words", () => {
  const tree = only(GAME);
  const nodes = tree.root.line() as GameNode[];
  for (const at of [1, 4]) setComment(nodes[at] as GameNode, "mine");
  expect([nodes[1], nodes[4]].map((node) => commentOn(node as GameNode))).toEqual(["mine", "mine"]);
  const written = writeGame(tree);
  expect(written).toContain("{ +0.16/13 0.074s } { mine }");
  expect(written).toContain("{ +M3/20 0.1s } { mine }");
});

test("times are read in all their forms", () => {
  const nodes = line(
    "1. e4 {[%timestamp 17]} e5 {[%emt 0:00:05]} 2. Nf3 {[%clk 0:09:50] [%emt 5.2]} *",
  );
  expect(nodes.map(timeSpent)).toEqual([1.7, 5, 5.2]);
  expect(clockAt(nodes[2] as GameNode, "white")).toBe(590);
  expect([0.074, 5.25, 65].map(spentText)).toEqual(["0.07 s", "5.3 s", "1:05"]);
});
