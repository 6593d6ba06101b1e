import { expect, test } from "vitest";
import { Review } from "../analysis/review";
import type { Findings } from "../engine/findings";
import { clockAt, commentOn, drawingsOn, setComment, setDrawings, setRating } from "./annotation";
import { type PgnGame, readGames, writeGame } from "./pgn";
import type { GameNode, GameTree } from "./tree";

const only = (text: string) => (readGames(text)[0] as PgnGame).open();
const first = (tree: GameTree) => tree.root.line()[0] as GameNode;

test("a comment keeps clock and evaluation, and cannot contain its own end", () => {
  const tree = only("1. e4 { [%clk 0:05:00] } { old words } { [%eval 0.3] } e5 *");
  const [node] = tree.root.line() as [GameNode];
  expect(commentOn(node)).toBe("old words");
  setComment(node, " new } words ");
  setRating(node, 3);
  setRating(node, 1);
  const written = writeGame(tree);
  expect(written).toContain("1. e4 $1 { new ) words [%eval 0.30] [%clk 0:05:00] }");
  expect(clockAt(only(written).root.line()[0] as GameNode, "white")).toBe(300);
  setComment(node, "");
  setRating(node, null);
  expect(writeGame(tree)).toContain("1. e4 { [%eval 0.30] [%clk 0:05:00] }");
});

test("braces in comments become parentheses, and nothing else changes", () => {
  const tree = only("1. e4 e5 *");
  const words = "{best} by\n\n; test } [%oddly\n% said] e4 (e5) $4 1-0";
  setComment(first(tree), words);
  const shown = "(best) by\n\n; test ) [%oddly\n% said] e4 (e5) $4 1-0";
  const again = only(writeGame(tree));
  expect(first(again).comments).toEqual([shown]);
  expect(again.root.line().map(({ san }) => san)).toEqual(["e4", "e5"]);
});

test("unknown commands in comments are not shown, and are kept", () => {
  const tree = only("1. e4 { good [%clk 0:09:59.9][%timestamp 12] [%mdl 64] } *");
  expect(commentOn(first(tree))).toBe("good");
  setComment(first(tree), "better");
  expect(writeGame(tree)).toContain("{ better [%clk 0:09:59.9] [%timestamp 12] [%mdl 64] }");
});

test("arrows and circles are read, changed and written, and the rest is kept", () => {
  const tree = only(
    "{ [%csl Gd4] } 1. e4 { good [%cal Gg1f3,Rf1c4] } { [%clk 0:05:00] [%csl Bf7] } *",
  );
  expect(drawingsOn(tree.root)).toEqual([{ color: "green", from: 27, to: 27 }]);
  expect(drawingsOn(first(tree)).map(({ color }) => color)).toEqual(["green", "red", "blue"]);
  setDrawings(first(tree), [{ color: "yellow", from: 0, to: 7 }]);
  setDrawings(tree.root, []);
  expect(writeGame(tree)).toContain("\n1. e4 { good [%cal Ya1h1] } { [%clk 0:05:00] } *");
});

test("a new evaluation replaces the old one in its place", () => {
  const tree = only("1. e4 { good } { [%eval 0.3,9] [%clk 0:05:00] } *");
  first(tree).verdict = { score: { kind: "cp", value: 41 }, depth: 12, best: null };
  expect(writeGame(tree)).toContain("1. e4 { good } { [%eval 0.41,12] [%clk 0:05:00] } *");
});

test("the server's words on a bad move are its judgement, and name the better move", () => {
  const text = `{ [%eval 0.16,12] } 1. f3 $1 { mine [%eval -0.90,12] Mistake. e4 was
best. } ( 1. e4 e5 2. Nf3 ) 1... e5 $6 { [%eval -0.30,12] Inaccuracy. O-O was best. } *`;
  const tree = only(text);
  const [white, black] = tree.root.line() as [GameNode, GameNode];
  expect([white.judgement, white.nags]).toEqual(["mistake", [1]]);
  expect(commentOn(white)).toBe("mine  Mistake. e4 was best.");
  expect(tree.root.verdict).toMatchObject({ score: { value: 16 }, best: "e2e4" });
  expect([black.judgement, black.nags]).toEqual(["inaccuracy", []]);
  expect(white.verdict?.best).toBeNull(); // It is no move there.
  const again = only(writeGame(tree));
  expect(first(again)).toMatchObject({ judgement: "mistake", nags: [1] });
  expect(again.root.verdict?.best).toBe("e2e4");
});

test("a new analysis of the game replaces the words of the one before", () => {
  const tree = only("1. f3 { mine [%eval -0.90,12] Mistake. e4 was best. } *");
  const review = new Review(tree);
  const { fen } = tree.root;
  const none = { nodes: 0, nps: 0, hashfull: null, tbhits: 0, depth: 9 };
  const line = { score: { kind: "cp", value: 0 }, depth: 9 };
  for (let at = 0; at < 2; at++) {
    review.addFindings({ ...none, fen, lines: [line] } as unknown as Findings, null);
  }
  expect(commentOn(first(tree))).toBe("mine");
  expect(first(tree).judgement).toBeNull();
});
