import { expect, test } from "vitest";
import { commentOn, drawingsOn } from "./annotation";
import { readFenLine, readPositions } from "./epd";
import { readPasted } from "./import";
import { type PgnGame, readGames, writeGame } from "./pgn";
import { refusal } from "./refusal.testing";

const RUY = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

test.each([
  ["position startpos moves e2e4 e7e5 g1f3 b8c6", RUY, 4],
  ["position startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0],
  [`position fen ${RUY} moves f1b5 a7a6`, "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/", 2],
  [`${RUY} moves f1b5`, "r1bqkbnr/pppp1ppp/2n5/1B2p3/", 1],
  ["e2e4 e7e5 g1f3 b8c6", RUY, 4],
  ["E2E4 E7E5 G1F3 B8C6", RUY, 4],
  ["1. e2e4 e7e5 2. g1f3 b8c6", RUY, 4],
  ["1.e2e4 e7e5 2.g1f3 b8c6", RUY, 4],
  [`"${RUY}"`, RUY, 0],
  [`FEN: ${RUY}`, RUY, 0],
  [`fen ${RUY};`, RUY, 0],
  [`https://lichess.org/analysis/${RUY.replaceAll(" ", "_")}`, RUY, 0],
  [`https://lichess.org/analysis/standard/${RUY.replaceAll(" ", "_")}#4`, RUY, 0],
  [`https://lichess.org/editor/${encodeURIComponent(RUY)}`, RUY, 0],
  [`https://www.chess.com/analysis?fen=${RUY.replaceAll(" ", "+")}&flip=false`, RUY, 0],
  ["http://127.0.0.1:18680/#moves=e2e4.e7e5.g1f3.b8c6", RUY, 4],
  [`http://127.0.0.1:18680/#fen=${RUY.replaceAll(" ", "_")}`, RUY, 0],
  ["https://chess.club.example/board/#moves=e2e4.e7e5.g1f3.b8c6", RUY, 4],
  ["localhost:8080/#moves=e2e4.e7e5.g1f3.b8c6", RUY, 4],
  [`lichess.org/analysis/${RUY.replaceAll(" ", "_")}?color=black`, RUY, 0],
  ["https://lichess.org/analysis/pgn/1.e4_e5_2.Nf3_Nc6", RUY, 4],
  [`https://lichess.org/editor?fen=${encodeURIComponent(RUY)}`, RUY, 0],
  [`'FEN ${RUY}'`, RUY, 0],
  [`EPD: ${RUY}`, RUY, 0],
  [`fen = "${RUY}";`, RUY, 0],
  [`FEN "${RUY}"`, RUY, 0],
  [`\`${RUY}\``, RUY, 0],
  [RUY.replaceAll(" ", "_"), RUY, 0],
  ["127.0.0.1:18680/#moves=e2e4.e7e5.g1f3.b8c6", RUY, 4],
  ["#moves=e2e4.e7e5.g1f3.b8c6", RUY, 4],
  ["position startpos moves e2e4, e7e5, g1f3, b8c6", RUY, 4],
  [
    "ucinewgame\nposition startpos\ngo depth 9\nposition startpos moves e2e4 e7e5 g1f3 b8c6\ngo",
    RUY,
    4,
  ],
])("a pasted line is read: %s", (text, fen, count) => {
  const found = readPasted(text);
  expect(found?.node.fen).toContain(fen);
  expect(found?.node.path().length).toBe(count + 1);
  expect(found?.illegal).toBeNull();
});

test.each(["1. e4 e5", "e4 e5 Nf3", "1... e5", "hello", "", '[Event "?"]\n\n1. e4 *'])(
  "%j is no such line",
  (text) => {
    expect(readPasted(text)).toBeNull();
  },
);

test("moves before an illegal one are shown", () => {
  const found = readPasted("e2e4 e2e4 e7e5");
  expect([found?.node.san, found?.illegal]).toEqual(["e4", "e2e4"]);
});

test("an address of another page needs a FEN", () => {
  expect(refusal(() => readPasted("https://chess.example/study/12/ab/cd"))).toMatch("web address");
});

test.each([
  ["position e2e4x", "behind “position” comes “startpos” or “fen ...”, not “e2e4x”"],
  ["fen: 4k3/8 w", "a board needs 8 ranks between '/', not 2"],
  [`https://lichess.org/analysis/atomic/${RUY.replaceAll(" ", "_")}`, "the variant 'atomic'"],
])("%s is refused, with a reason", (text, reason) => {
  expect(refusal(() => readPasted(text))).toMatch(reason);
});

test.each([
  ["1... e5", "“e5” is not a legal move in the first position: its FEN is missing"],
  ["hello", "no game or position found: paste PGN, a FEN, moves"],
])("%s is no game, with a reason", (text, reason) => {
  expect(readPasted(text)).toBeNull();
  expect(refusal(() => readGames(text))).toMatch(reason);
});

test("an address may turn the board", () => {
  const turned = (text: string) => readPasted(text)?.tree.headers.get("Orientation");
  const fen = RUY.replaceAll(" ", "_");
  expect(turned(`https://lichess.org/analysis/${fen}?color=black`)).toBe("black");
  expect(turned(`https://lichess.org/analysis/${fen}?color=white`)).toBeUndefined();
});

test("an address may name Chess960", () => {
  const fen = "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/qRK1BR1B_w_KQkq_-_2_10";
  expect(readPasted(`https://lichess.org/analysis/chess960/${fen}`)?.tree.chess960).toBe(true);
  const tree = readPasted(`https://lichess.org/analysis/${fen}`)?.tree;
  expect([tree?.chess960, tree?.note?.id]).toEqual([false, "fen-castling-in-chess"]);
});

const BARE = "4k3/8/8/8/8/8/4P3/4K3 w - -";

test.each([
  [`${BARE} 3 40`, `${BARE} 3 40`],
  [BARE, `${BARE} 0 1`],
  [`${BARE} bm e4; id "x";`, `${BARE} 0 1`],
  [`${BARE} 0 1 ;D1 7 ;D2 35`, `${BARE} 0 1`],
  [`${BARE} x y`, `${BARE} 0 1`],
  ["4k3/8/8/8 w - - 0 1", null],
  ["1. e4 e5", null],
])("the FEN of a line: %s", (line, fen) => {
  expect(readFenLine(line)).toBe(fen);
});

test("lines with positions become named games without moves", () => {
  const pgn = readPositions(`${BARE} bm e4; id "first";\n\n${BARE.replace(" w ", " b ")}\n`) ?? "";
  const games = readGames(pgn);
  expect(games.map((game) => game.headers.get("Event"))).toEqual(["first", ""]);
  expect(games.map((game) => game.open().root.turn)).toEqual(["white", "black"]);
});

test("the operations of EPD are arrows, a comment and a score", () => {
  const epd = `4k3/8/8/8/8/8/4p3/4K3 b - - am Kf8; bm Kd7; id "end;game"; c0 "hold {on}"; ce -31; acd 18; hmvc 7;`;
  const [game] = readGames(readPositions(epd) ?? "") as [PgnGame];
  const { root } = game.open();
  expect(game.headers.get("Event")).toBe("end;game");
  expect(root.fen).toBe("4k3/8/8/8/8/8/4p3/4K3 b - - 7 1");
  expect(root.verdict).toMatchObject({ score: { kind: "cp", value: 31 }, depth: 18 });
  expect(commentOn(root)).toBe("hold (on)\nBest: Kd7. To avoid: Kf8.");
  expect(drawingsOn(root).map(({ color, to }) => [color, to])).toEqual([
    ["green", 51],
    ["red", 61],
  ]);
  const [again] = readGames(writeGame(game.open())) as [PgnGame];
  expect(writeGame(again.open())).toBe(writeGame(game.open()));
});

test("a single position, or other text besides positions, is no list", () => {
  expect(readPositions(BARE)).toBeNull();
  expect(readPositions(`${BARE}\n1. e4 e5`)).toBeNull();
  expect(readPositions("")).toBeNull();
});
