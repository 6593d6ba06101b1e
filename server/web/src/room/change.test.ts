import { expect, test } from "vitest";
import { setComment, setRating } from "../game/annotation";
import { readGames, writeGame } from "../game/pgn";
import type { GameNode, GameTree } from "../game/tree";
import { applyChanges, differences, fits, sketchOf } from "./change";

const open = (pgn: string) => readGames(pgn)[0]?.open() as GameTree;
const at = (tree: GameTree, ...moves: string[]): GameNode =>
  moves.reduce((node, san) => {
    const found = node.children.find((each) => each.san === san);
    if (!found) throw new Error(`no ${san}`);
    return found;
  }, tree.root);

/** Make in a game the changes that make one PGN another; return the moves of the result. */
function changed(from: string, to: string, game = from): string {
  const tree = open(game);
  applyChanges(tree, differences(sketchOf(open(from)), sketchOf(open(to))));
  return movesOf(tree);
}

const movesOf = (tree: GameTree) =>
  writeGame(tree)
    .replace(/^\[.*\n/gm, "")
    .replace(/\s+/g, " ")
    .trim();

const PAIRS = [
  ["1. e4 *", "1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 *"],
  ["1. e4 e5 (1... c5) (1... e6) *", "1. e4 c5 (1... e5 2. d4) *"],
  ["1. e4 {old} e5 $1 *", "1. e4 $2 {new [%cal Ge2e4]} e5 *"],
  ["1. e4 e5 2. Nf3 *", "1. d4 *"],
  ["1. e4 (1. d4 {a} d5) *", "1. e4 ({before} 1. d4 d5 2. c4) *"],
  ["1. e4 *", "1. e4 $4 {[%eval 0.30,18]} e5 {[%eval -0.2,20] [%clk 0:01:00]} *"],
  ["1. e4 -- 2. d4 *", "1. e4 -- 2. d4 d5 (2... --) *"],
  ['[White "A"]\n\n{first} 1. e4 *', '[White "A"]\n\n{second} *'],
];

test.each(PAIRS)("the changes from %s make %s of it, and back", (from, to) => {
  expect(changed(from, to)).toBe(movesOf(open(to)));
  expect(changed(to, from)).toBe(movesOf(open(from)));
});

test("tags are changed", () => {
  const [from, to] = ['[White "A"]\n[Event "E"]\n\n1. e4 *', '[White "B"]\n[Round "1"]\n\n1. e4 *'];
  const tree = open(from);
  applyChanges(tree, differences(sketchOf(tree), sketchOf(open(to))));
  expect([tree.headers.get("White"), tree.headers.get("Round")]).toEqual(["B", "1"]);
  expect(tree.headers.get("Event") ?? "?").toBe("?");
});

test("changes of two are joined", () => {
  expect(changed("1. e4 *", "1. e4 {one} e5 *", "1. e4 {two} c5 *")).toBe(
    "1. e4 { two } { one } c5 ( 1... e5 ) *",
  );
  expect(changed("1. e4 *", "1. e4 $1 *", "1. e4 $14 *")).toBe("1. e4 $14 $1 *");
});

test("a move is not removed if another has continued after it", () => {
  expect(changed("1. e4 e5 2. Nf3 *", "1. e4 *", "1. e4 e5 2. f4 (2. Nf3) *")).toBe(
    "1. e4 e5 2. f4 *",
  );
  expect(changed("1. e4 e5 *", "1. e4 *", "1. e4 e5 {mine} *")).toBe("1. e4 e5 { mine } *");
});

test("a change fits as long as nobody has changed the same", () => {
  const undo = (from: string, to: string, now: string) =>
    fits(open(now), differences(sketchOf(open(from)), sketchOf(open(to))));
  expect(undo("1. e4 {a} *", "1. e4 *", "1. e4 {a} e5 {b} *")).toBe(true);
  expect(undo("1. e4 {a} *", "1. e4 *", "1. e4 {ab} *")).toBe(false);
  expect(undo("1. e4 e5 *", "1. e4 *", "1. e4 e5 (1... c5) *")).toBe(true);
  expect(undo("1. e4 e5 *", "1. e4 *", "1. e4 e5 2. d4 *")).toBe(false);
  expect(undo("1. e4 e5 *", "1. e4 *", "1. d4 *")).toBe(false);
});

test("a game that was read from its own text is the same", () => {
  const tree = open("1. e4 {a [%csl Ge4]} e5 (1... c5 $1 {b}) 2. Nf3 Nc6 3. Bb5 *");
  const node = at(tree, "e4", "e5", "Nf3");
  node.verdict = { score: { kind: "cp", value: 35 }, depth: 20, best: "b8c6" };
  const reply = at(tree, "e4", "e5", "Nf3", "Nc6");
  reply.judgement = "mistake";
  reply.verdict = { score: { kind: "cp", value: 135 }, depth: 20, best: "f1b5" };
  setComment(reply, "hm");
  setRating(node, 1);
  const again = open(writeGame(tree));
  expect(
    differences(sketchOf(tree), sketchOf(again)).filter(({ type }) => type !== "annotate"),
  ).toEqual([]);
  expect(differences(sketchOf(again), sketchOf(open(writeGame(again))))).toEqual([]);
});
