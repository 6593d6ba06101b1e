import { expect, test } from "vitest";
import type { Judgement } from "../analysis/score";
import { commentText, setRating, shownNags } from "./annotation";
import { decodeText } from "./encoding";
import { addressOf, readAddress } from "./import";
import { firstOf, type PgnGame, readGames, writeGame } from "./pgn";
import { countMoves, INITIAL_FEN, InputError, positionOf } from "./position";
import { refusal } from "./refusal.testing";
import { enginePosition, findingsKey, type GameNode, GameTree, sansOf, typedMove } from "./tree";
import { describePosition } from "./words";

const PGN = `[Event "Club"]
[White "Ann"]
[Black "<img src=x onerror=alert(1)>"]
[Result "1-0"]

1. e4 {good [%clk 0:05:00]} e5 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3! Nc6 3. Bb5 a6 1-0
`;

const only = (text: string) => (readGames(text)[0] as PgnGame).open();

test("comments to the end of a line are read", () => {
  const tree = only('[Event "a; b"]\n\n; first\n1. e4 {best; by test} ; a }\r\ne5 ;end');
  expect(tree.headers.get("Event")).toBe("a; b");
  const [e4, e5] = tree.root.line();
  expect(e4?.comments).toEqual(["best; by test", "a )"]);
  expect(e5?.comments).toEqual(["end"]);
  expect(tree.root.comments).toEqual(["first"]);
});

test("variations, comments and glyphs are read", () => {
  const [e4, e5, nf3] = only(PGN).root.line();
  expect([e4?.san, e5?.san, nf3?.san, nf3?.nags]).toEqual(["e4", "e5", "Nf3", [1]]);
  expect(commentText(e4?.comments[0] ?? "")).toBe("good");
  expect(e4?.children[1]?.line().map((node) => node.san)).toEqual(["Nf3", "d6"]);
  expect(e4?.children[1]?.children.map((node) => node.san)).toEqual(["Nf3", "c3"]);
});

test("a game is the same after it was written and read", () => {
  const once = writeGame(only(PGN));
  expect(writeGame(only(once))).toBe(once);
  expect(once).toContain("( 1... c5 2. Nf3 ( 2. c3 d5 ) 2... d6 )");
});

test("many games are read, and an illegal move ends only its own line", () => {
  const games = readGames(`${PGN}\n\n[White "B"]\n\n1. d4 Ke5 2. c4 *\n`);
  expect(games).toHaveLength(2);
  expect(
    games[1]
      ?.open()
      .root.line()
      .map((node) => node.san),
  ).toEqual(["d4"]);
  expect(games.map((game) => game.open() && game.unread)).toEqual([null, "Ke5"]);
});

test.each(["", "hello", '[Variant "Atomic"]\n\n1. e4 *'])("%j is no game for us", (text) => {
  expect(() => readGames(text)).toThrow(InputError);
});

test.each([
  ["8/8/8/8/8/8/8/8 w - - 0 1", "white needs one king, not 0"],
  ["4k3/8/8/8/8/8/8/4K2P w - - 0 1", "no pawn can stand on the first or last rank"],
  ["4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "black is in check but not to move"],
  ["rubbish", "not a valid FEN"],
])("%s: %s", (fen, reason) => {
  expect(refusal(() => new GameTree(fen))).toMatch(reason);
});

test("castling is read in any form, and shown as the king's move", () => {
  const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const tree = new GameTree(fen);
  const [one, other] = ["e1g1", "e1h1"].map((uci) => tree.playAll(tree.root, [uci]));
  expect(one).toBe(other);
  expect(one?.san).toBe("O-O");
  expect(one?.squares).toEqual(["e1", "g1"]);
  expect(tree.chess960).toBe(false);
});

test("Chess960 is recognized by the places of kings and rooks", () => {
  const fen = "nrk1bbqr/pppppppp/8/8/8/8/PPPPPPPP/NRK1BBQR w HBhb - 0 1";
  expect(new GameTree(fen).chess960).toBe(true);
});

test("a known move is not added again", () => {
  const tree = new GameTree();
  const first = tree.playAll(tree.root, ["e2e4"]);
  expect(tree.playAll(tree.root, ["e2e4"])).toBe(first);
  expect(tree.playAll(tree.root, ["e2e5"])).toBe(tree.root);
});

test("a variation becomes the main line, and removed moves are gone", () => {
  const tree = new GameTree();
  tree.playAll(tree.root, ["e2e4", "e7e5"]);
  const other = tree.playAll(tree.root, ["d2d4", "d7d5"]);
  tree.promote(other);
  expect(tree.root.line().map((node) => node.san)).toEqual(["d4", "d5"]);
  expect(tree.remove(other).san).toBe("d4");
  expect(tree.root.line().map((node) => node.san)).toEqual(["d4"]);
});

test("an address leads back to the position", () => {
  const tree = new GameTree("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  const node = tree.playAll(tree.root, ["a7a8q"]);
  const found = readAddress(`#${addressOf(tree, node)}`);
  expect(found?.node.fen).toBe(node.fen);
  expect(found?.illegal).toBeNull();
  expect(readAddress("")).toBeNull();
});

test("a wrong address is shown up to its error, or fails with a message", () => {
  const found = readAddress("#moves=e2e4.e2e4.e7e5");
  expect([found?.node.san, found?.illegal]).toEqual(["e4", "e2e4"]);
  expect(refusal(() => readAddress("#fen=rubbish"))).toMatch(
    "not a valid FEN: a board needs 8 ranks",
  );
  expect(refusal(() => readAddress("#fen=%E0%A4%A"))).toMatch("not a valid FEN");
});

test("the results of an analysis are written", () => {
  const tree = new GameTree();
  const node = tree.playAll(tree.root, ["g2g4"]);
  tree.root.verdict = { score: { kind: "cp", value: 30 }, depth: 9, best: "e2e4" };
  node.verdict = { score: { kind: "cp", value: -150 }, depth: 9, best: null };
  node.judgement = "blunder";
  expect(writeGame(tree)).toContain("1. g4 $4 { [%eval -1.50,9] } ( 1. e4 { better } )");
  const again = readGames(writeGame(tree))[0]?.open().root.line()[0];
  expect([again?.verdict?.score, again?.judgement]).toEqual([node.verdict.score, "blunder"]);
});

test("moves of a variation are written until one is not legal", () => {
  expect(sansOf(new GameTree().root.fen, ["e2e4", "e7e5", "e4e5"])).toEqual(["e4", "e5"]);
});

test("a position is described in words", () => {
  const words = describePosition(positionOf("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
  expect(words).toBe("White: king e1. Black: king e8, rook e2. Check. White to move.");
});

test("the user's own glyph is shown instead of a judgement", () => {
  const tree = only("1. e4 $4 { [%eval -3.0] } *");
  const [node] = tree.root.line() as [GameNode];
  expect([node.judgement, node.nags, shownNags(node)]).toEqual(["blunder", [], [4]]);
  setRating(node, 1);
  expect(shownNags(node)).toEqual([1]);
});

/** Return a game of one move, with a judgement and the user's own rating. */
function judged(judgement: Judgement | null, own: number | null, fen?: string): GameTree {
  const tree = new GameTree(fen);
  const node = tree.playAll(tree.root, [fen ? "f2f7" : "g2g4"]);
  tree.root.verdict = { score: { kind: "cp", value: 900 }, depth: 9, best: null };
  node.verdict = { score: { kind: "cp", value: 0 }, depth: fen ? 0 : 9, best: null };
  node.judgement = judgement;
  setRating(node, own);
  return tree;
}

const STALEMATES = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";

test.each<[Judgement | null, number | null, string]>([
  ["blunder", null, "$4"],
  ["blunder", 1, "$1 $4"],
  ["mistake", 4, "$4 $2"],
  ["blunder", 4, "$4 $4"],
  [null, 4, "$4 $0"],
  [null, 3, "$3"],
])("%s of an analysis and %j of the user are told apart", (judgement, own, written) => {
  for (const fen of [undefined, STALEMATES]) {
    const tree = judged(judgement, own, fen);
    const pgn = writeGame(tree);
    expect(pgn).toContain(fen ? `Qf7 ${written} 1/2-1/2` : `g4 ${written} {`);
    const [before, after] = [tree, only(pgn)].map(({ root }) => root.children[0] as GameNode);
    expect([after?.judgement, after?.nags]).toEqual([judgement, own === null ? [] : [own]]);
    expect(shownNags(after as GameNode)).toEqual(shownNags(before as GameNode));
  }
});

test("glyphs without an evaluation are the user's, and stay as they are", () => {
  expect(writeGame(only("1. e4 $1 $4 e5 $4 $0 *"))).toContain("1. e4 $1 $4 1... e5 $4 $0");
});

const CASTLES = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

test.each([
  [INITIAL_FEN, "Nf3", "g1f3"],
  [INITIAL_FEN, " g1f3 ", "g1f3"],
  [INITIAL_FEN, "nf3", "g1f3"],
  [INITIAL_FEN, "b4", "b2b4"],
  [INITIAL_FEN, "Nf4", null],
  [INITIAL_FEN, "", null],
  [CASTLES, "0-0", "e1h1"],
  [CASTLES, "O-O", "e1h1"],
  [CASTLES, "o-o", "e1h1"],
  [CASTLES, "e1g1", "e1h1"],
  ["8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", "e7e8q"],
  ["8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", null],
])("in %s, %j is typed for %j", (fen, text, uci) => {
  const tree = new GameTree(fen);
  const move = typedMove(fen, text);
  expect(move && tree.play(tree.root, move)?.uci).toBe(uci);
});

test("two equal moves keep the annotations of both", () => {
  const tree = only("1. e4 $1 {one} (1. e4 $14 {other} c5) e5 *");
  const [e4] = tree.root.children;
  expect([e4?.comments, e4?.nags]).toEqual([
    ["one", "other"],
    [1, 14],
  ]);
  expect(e4?.children.map((node) => node.san).sort()).toEqual(["c5", "e5"]);
});

test("a game of an unsupported variant does not refuse the games after it", () => {
  const games = readGames(`[Variant "Crazyhouse"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n`);
  expect(games).toHaveLength(2);
  expect(firstOf(games)?.headers.get("White")).toBe("B");
});

test("an evaluation without a depth is written without one", () => {
  expect(writeGame(only("1. e4 { [%eval 0.31] } e5 { [%eval #-3] } *"))).toContain(
    "1. e4 { [%eval 0.31] } e5 { [%eval #-3] }",
  );
});

test("the suggested move is recognized when the game is read", () => {
  const tree = only("{ [%eval 0.3,9] } 1. g4 $4 { [%eval -1.5,9] } ( 1. e4 { better } ) *");
  expect(tree.root.verdict?.best).toBe("e2e4");
  expect(writeGame(tree)).toContain("( 1. e4 { better } )");
});

test.each([
  [[0xef, 0xbb, 0xbf, 0x4d, 0xc3, 0xbc], "Mü"],
  [[0x4d, 0xfc], "Mü"],
  [[0xba, 0xd0, 0xe0, 0xdf, 0xde, 0xd2], "Карпов"],
  [[0x80, 0xed, 0xe4, 0xf0, 0xe5, 0xe9], "Андрей"],
])("a file of the bytes %j is %j", (bytes, text) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(text);
});

test("the comment before a variation is kept when it becomes the main line", () => {
  const tree = only("1. e4 e5 ({before} 1... c5 {after}) *");
  const sicilian = tree.root.children[0]?.children[1];
  if (!sicilian) throw new Error("not read");
  tree.promote(sicilian);
  expect(tree.root.children[0]?.comments).toEqual(["before"]);
  expect(writeGame(tree)).toContain("1. e4 { before } c5 { after } ( 1... e5 )");
});

test("a semicolon in quotes is no comment", () => {
  const [game] = readGames('[White "The \\"A; B\\" club"]\n\n1. e4 ; best\ne5 *');
  expect(game?.headers.get("White")).toBe('The "A; B" club');
  expect(game?.open().root.children[0]?.comments).toEqual(["best"]);
});

test.each([
  [INITIAL_FEN, 20],
  ["7k/8/6K1/8/8/8/8/R7 b - - 0 1", 1],
  ["3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", 7],
  [CASTLES, 15],
])("%s has %i moves", (fen, count) => {
  expect(countMoves(positionOf(fen))).toBe(count);
});

test("a null move is read, written and linked to, and never sent to an engine", () => {
  const tree = only("1. e4 e5 2. Qh5 {and} Z0 {threatens} 3. Qxf7+ *");
  expect(writeGame(tree)).toContain("2. Qh5 { and } -- { threatens } 3. Qxf7+ *");
  const [, , , pass, last] = tree.root.line() as GameNode[];
  const linked = readAddress(`#${addressOf(tree, last as GameNode)}`);
  expect([linked?.node.fen, linked?.illegal]).toEqual([last?.fen, null]);
  const words = enginePosition(tree, last as GameNode);
  expect([words.start, words.moves, words.fen]).toEqual([pass?.fen, ["h5f7"], last?.fen]);
  expect(enginePosition(tree, pass?.parent as GameNode).start).toBe("startpos");
});

test("of more moves than the server takes, engines get those after the last pawn move", () => {
  const tree = new GameTree();
  const shuffled = Array<string[]>(499).fill(["g1f3", "g8f6", "f3g1", "f6g8"]).flat();
  const pawn = tree.playAll(tree.root, [...shuffled, "e2e4", "e7e5"]);
  const longest = tree.playAll(pawn, ["g1f3", "g8f6"]);
  expect(longest.ply).toBe(2000);
  expect(enginePosition(tree, longest).start).toBe("startpos");
  const { start, moves } = enginePosition(tree, tree.playAll(longest, ["f3g1"]));
  expect([start, moves]).toEqual([pawn.fen, ["g1f3", "g8f6", "f3g1"]]);
});

test("a side in check cannot pass", () => {
  const [game] = readGames("1. e4 f6 2. Qh5+ -- 3. Qxe8 *");
  expect(game?.open().root.line()).toHaveLength(3);
  expect(game?.unread).toBe("--");
});

const KNIGHT = ["e2e4", "g8f6", "d1h5", "f6h5"];

function keyAfter(...moves: string[]): string {
  const tree = new GameTree();
  return findingsKey(tree, tree.playAll(tree.root, moves));
}

test("findings are kept by the position and its repetitions", () => {
  const bishop = ["f1e2", "h5f6", "e2f1", "f6h5", "f1e2", "h5f6", "e2f1", "f6h5"];
  const others = ["b1c3", "h5f6", "c3b1", "f6g8", "g1f3", "g8f6", "f3g1", "f6h5"];
  const repeated = keyAfter(...KNIGHT, ...bishop);
  const [fen, ...positions] = repeated.split("; ");
  expect(fen).toBe(keyAfter(...KNIGHT, ...others).split("; ")[0]);
  expect(repeated).not.toBe(keyAfter(...KNIGHT, ...others));
  expect(positions.length).toBeGreaterThan(1);
  // A capture or a pawn move ends the history.
  expect(keyAfter(...KNIGHT, ...bishop, "d2d3")).not.toContain("; ");
});

test("findings of a transposition are shared", () => {
  expect(keyAfter("g1f3", "g8f6", "b1c3", "b8c6")).toBe(keyAfter("b1c3", "b8c6", "g1f3", "g8f6"));
});
