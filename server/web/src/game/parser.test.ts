import { describe, expect, test } from "vitest";
import { type PgnGame, readGames, writeSharedGame } from "./pgn";
import { InputError } from "./position";
import { refusal } from "./refusal.testing";

const line = (game: PgnGame) =>
  game
    .open()
    .root.line()
    .map(({ san }) => san)
    .join(" ");

const FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

describe("a move is read as it was written, or not at all", () => {
  test.each([
    ["1. ♘f3 ♞f6 2. ♙d4 ♟d5", "Nf3 Nf6 d4 d5"],
    ["1. nf3 nf6 2. Pd4", "Nf3 Nf6 d4"],
    ["1. e4 d5 2. e:d5 Q×d5 3. Nb1-c3 Qd5:a2", "exd5 Qxd5 Nc3 Qxa2"],
    ["1. e2-e4 c7-c5 2. Ng1f3 b5 3. bc4", "e4 c5 Nf3 b5"],
  ])("%s", (text, sans) => {
    expect(line(readGames(text)[0] as PgnGame)).toContain(sans);
  });

  test.each(["Sf3", "Sgf3", "Lc4", "Сf3"])("%s beside Nc6 is no pawn's move", (san) => {
    const [game] = readGames(`1. e4 e5 2. ${san} Nc6`) as [PgnGame];
    expect(line(game)).toBe("e4 e5");
    expect(game.unread).toBe(san);
  });

  test.each(["N f3", "D f3"])("%s is never f3", (san) => {
    expect(line(readGames(`1. e4 e5 2. ${san} Nc6`)[0] as PgnGame)).toBe("e4 e5");
  });

  test("0-0 after a game that both sides have lost is no castling", () => {
    const moves = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0";
    const [lost] = readGames(`[Result "0-0"]\n\n${moves}`) as [PgnGame];
    const [played] = readGames(`[Result "*"]\n\n${moves}`) as [PgnGame];
    expect([line(lost), line(played)].map((it) => it.endsWith("O-O"))).toEqual([false, true]);
  });

  test.each(["Lc4", "Xf3", "Pf3"])("%s that is no move, or one of two, is named", (san) => {
    expect(refusal(() => readGames(`1. ${san} Pf6`))).toMatch(new RegExp(`“${san}”`));
    expect(() => readGames(`1. ${san} Pf6`)).toThrow(InputError);
  });
});

describe("a game is in the language in which all its moves are legal", () => {
  test.each([
    ["1. e4 e5 2. Sf3 Sc6 3. Lb5", "e4 e5 Nf3 Nc6 Bb5"],
    ["1. e4 e5 2. Pf3 Pc6 3. Lb5", "e4 e5 Nf3 Nc6 Bb5"],
    ["1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. Re2", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Ke2"],
    ["1. e4 e5 2. Кf3 Кc6 3. Сb5 Крe7", "e4 e5 Nf3 Nc6 Bb5 Ke7"],
  ])("%s", (text, sans) => {
    expect(line(readGames(text)[0] as PgnGame)).toBe(sans);
  });

  test("a variation never replaces an illegal move", () => {
    const [game] = readGames("1. e4 e5 2. Ke4 (2. Nf3 Nc6) 2... d5") as [PgnGame];
    expect(line(game)).toBe("e4 e5");
  });
});

describe("empty lines do not split a game", () => {
  test.each([
    ["1. e4 e5\n\n2. Nf3 Nc6\n\n3. Bb5 a6 1-0", ["e4 e5 Nf3 Nc6 Bb5 a6"]],
    ["1. e4\r\n\r\n{so} 1... e5\r\n \r\n(1... c5) 2. Nf3\r\n\r\n1-0", ["e4 e5 Nf3"]],
    ['[White "A"]\n\n{About it.}\n\n1. e4 e5 *', ["e4 e5"]],
    ['[White "A"]\n\n1. e4 e5\n[White "B"]\n1. d4 d5', ["e4 e5", "d4 d5"]],
    ['[White "A"]\n\n1. e4 e5 *\n[White "B"]\n[Black "C"]\n\n1. d4 d5', ["e4 e5", "d4 d5"]],
    ["1. e4 e5\n\n1. d4 d5", ["e4 e5", "d4 d5"]],
    ["1e4 e5 2Nf3\n1d4 d5", ["e4 e5 Nf3", "d4 d5"]],
    [`[White "A"]\n[FEN "${FEN}"]\n{so}\n[Black "B"]\n[My Tag "x"]\n\n1. e3`, ["e3"]],
    ["1. e4 e5 1-0\n\nNf3", ["e4 e5", "Nf3"]],
    ["1. e4 (1. d4 1-0) e5\n\n2. Nf3", ["e4 e5 Nf3"]],
  ])("%j", (text, lines) => {
    const games = readGames(text);
    expect(games.map(line)).toEqual(lines);
    if (text.startsWith("[")) expect(games[0]?.headers.get("White")).toBe("A");
  });
});

describe("the time for reading is proportional to the text", () => {
  const blanks = " ".repeat(300_000);
  test.each([
    ["plus", `1. e4 e5${"+".repeat(46)}x`],
    ["check", `1. e4 ${"ch".repeat(200_000)}x`],
    ["result", `[Result "a${blanks}a"]\n\n1. e4`],
    ["tag", `[Event${blanks}\n\n1. e4`],
    ["position", `[FEN "${FEN}${blanks}a"]\n\n1. e4`],
    ["semicolons", `[FEN "${FEN} ${";".repeat(300_000)}a"]\n\n1. e4`],
  ])("%s", (_, text) => {
    const begin = performance.now();
    const [game] = readGames(text) as [PgnGame];
    expect(line(game)).toMatch(/^(e4)?$/);
    expect(performance.now() - begin).toBeLessThan(4000);
  });
});

describe("the main line is not extended by variations", () => {
  test.each([
    ["1. e4 e5 (1... e5 2. Nf3 Nc6)", "e4 e5"],
    ["1. e4 e5 2. Nf3 (1... c5 2. Nf3) (2. Nf3 Nc6 (2... d6 3. d4))", "e4 e5 Nf3"],
    ["1. e4 e5 (1... e5 2. Nf3 Nc6) 2. Nc3", "e4 e5 Nc3"],
    ["1. e4 -- (1... -- 2. d4)", "e4 --"],
  ])("%s", (text, sans) => {
    expect(line(readGames(text)[0] as PgnGame)).toBe(sans);
  });

  test("and a position in a variation that repeats its last move is found", () => {
    const tree = (readGames("1. e4 e5 (1... e5 2. Nf3)")[0] as PgnGame).open();
    const node = tree.playAll(tree.root, ["e2e4", "e7e5", "g1f3"]);
    expect([node.isMainline, tree.mainline().length]).toEqual([false, 3]);
  });
});

test.each([
  `[fen "${FEN}"]`,
  `[Fen "${FEN}"]`,
  `[fen ${FEN}]`,
  `[FEN = "${FEN}"]`,
  `[FEN: "${FEN}"]`,
])("%s is a position", (tag) => {
  const [game] = readGames(`[white "A"]\n${tag}\n[Setup "1"]\n\n1. e4`) as [PgnGame];
  expect([game.open().root.fen, game.headers.get("White")]).toEqual([FEN, "A"]);
});

test("written games have no control characters", () => {
  const [game] = readGames('[White "a\0b"]\n\n1. e4 {c\0d\x1b\ne} (1. d4 {\0}) *') as [PgnGame];
  const pgn = writeSharedGame(game.open());
  expect(pgn).toMatch(/\[White "a b"\]/);
  expect(pgn).toContain("1. e4 { c d \ne } ( 1. d4 ) *");
});

test("comments in a variation without a move belong to the move before it", () => {
  const [game] = readGames("1. e4 {a} ({b}) ({c} 1. d4 {d}) ( ) {e} e5") as [PgnGame];
  expect(game.open().root.children.map(({ comments }) => comments.join(" "))).toEqual([
    "a b e",
    "d",
  ]);
});

describe("null moves are not written into the main line, for pgn-extract", () => {
  test.each([
    ["1. e4 e5 2. -- Nc6 (2... d6) 3. Nf3", "1. e4 e5 ( 1... e5 2. -- Nc6 ( 2... d6 ) 3. Nf3 ) *"],
    ["1. e4 (1. d4) -- 2. d4", "1. e4 ( 1. e4 -- 2. d4 ) ( 1. d4 ) *"],
    ["1. e4 (1. -- e5) e5", "1. e4 ( 1. -- e5 ) 1... e5 *"],
    ["{so} 1. -- {and} e5 2. Nf3", "{ so } { and } 1... e5 2. Nf3 *"],
  ])("%s", (text, written) => {
    const pgn = writeSharedGame((readGames(text)[0] as PgnGame).open());
    expect(pgn.trim().split("\n").at(-1)).toBe(written);
    expect(writeSharedGame((readGames(pgn)[0] as PgnGame).open())).toBe(pgn);
  });

  test("and one is read where the other side has no moves", () => {
    const [game] = readGames('[FEN "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"]\n\n1. -- *') as [PgnGame];
    expect(game.open().root.line()[0]?.fen).toBe("7k/5Q2/8/8/8/8/8/K7 b - - 1 1");
  });
});
