import { expect, test } from "vitest";
import { coverageOf, Review } from "../analysis/review";
import type { Findings } from "../engine/findings";
import { clockAt, commentOn, drawingsOn, setComment, setDrawings, setRating } from "./annotation";
import { type PgnGame, readGames, writeGame, writeUnjudgedGame } from "./pgn";
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

test.each([
  ['of\n\n[Event "a"]\n', 'of\n\n [Event "a"]'],
  ['of\n \t\n\n[ Event  "a', 'of\n \t\n\n [ Event  "a'],
  ['of\n[Event "a"]', 'of\n[Event "a"]'],
])("a comment begins no other game: %j", (words, shown) => {
  const tree = only("1. e4 e5 *");
  setComment(first(tree), words);
  const games = readGames(writeGame(tree));
  expect(games).toHaveLength(1);
  const again = (games[0] as PgnGame).open();
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

test("ChessBase's evaluations are centipawns, and are written in pawns", () => {
  const tree = only(
    "{[%eval 25,12]} 1. e4 {[%eval -130,9]} e5 {[%eval 2,7] good} 2. Nf3 {[%eval 3]} *",
  );
  const scores = tree.mainline().map(({ verdict }) => [verdict?.score.value, verdict?.depth]);
  expect(scores).toEqual([
    [25, 12],
    [-130, 9],
    [2, 7],
    [300, null],
  ]);
  setComment(first(tree), "best");
  expect(writeGame(tree)).toContain("{ [%eval 0.25,12] } 1. e4 { best [%eval -1.30,9] }");
  expect(only(writeGame(tree)).root.verdict?.score.value).toBe(25);
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

const LICHESS = `1. e4 { [%eval 0.18] } d5 { [%eval 0.5] } 2. Nf3?! { mine (0.50 → -0.05) Inaccuracy. exd5 was
best. } { [%eval -0.05] } (2. exd5 Qxd5 3. Nc3) (2. d4 Nf6 {mine}) 2... Bg4?? { (-0.05 → #3) Checkmate is now unavoidable. } { [%eval #3] } *`;

test("the words of Lichess are one judgement, with a move to practise", () => {
  const [, d5, nf3, bg4] = only(LICHESS).root.line() as [GameNode, GameNode, GameNode, GameNode];
  expect([nf3.judgement, bg4.judgement, nf3.nags]).toEqual(["inaccuracy", "blunder", []]);
  expect(d5.verdict?.best).toBe("e4d5");
});

test("a new analysis leaves none of the words and lines of the one before", () => {
  const tree = only(LICHESS);
  expect(writeUnjudgedGame(tree)).not.toMatch(/→|was best|unavoidable|3\. Nc3/);
  const review = new Review(tree);
  for (let at = 0; at < 5; at++) {
    const { fen } = tree.mainline()[at] as GameNode;
    const none = { nodes: 0, nps: 0, hashfull: null, tbhits: 0, depth: 9 };
    const line = { score: { kind: "cp", value: 0 }, depth: 9 };
    review.addFindings({ ...none, fen, lines: [line] } as unknown as Findings, null);
  }
  const written = writeGame(tree);
  expect(written).not.toMatch(/→|was best|unavoidable|3\. Nc3|\$/);
  expect(written).toMatch(/2\. Nf3 \{ mine/);
});

test("a game is a report only if nearly all its moves are judged", () => {
  const coverage = (text: string) => coverageOf(only(text));
  const one = coverage("1. e4 e5 2. Nf3 Nc6 3. Bc4 {[%eval 0.21]} Bc5 *");
  expect(one).toEqual({ moves: 6, judged: 0, scored: 1, isReport: false });
  expect(coverage("1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 2. Nf3 Nc6 3. d4 *").judged).toBe(1);
  expect(coverage(LICHESS)).toMatchObject({ moves: 4, judged: 3, isReport: true });
  const scores = "1. f3 {[%eval -0.9]} e5 {[%eval -0.8]} 2. g4 {[%eval #-1]} *";
  expect(coverage(scores)).toMatchObject({ judged: 0, scored: 3, isReport: false });
  expect(coverage(scores.replace("g4", "g4??"))).toMatchObject({ judged: 2, isReport: true });
  const match = coverage("1. e4 {+0.2/9 1s} e5 {-0.2/9 1s} 2. Nf3 {+0.2/9 1s} *");
  expect(match).toMatchObject({ judged: 0, scored: 3, isReport: false });
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
