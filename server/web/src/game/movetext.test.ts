import { describe, expect, test } from "vitest";
import { readable } from "./movetext";
import { type PgnGame, readGames } from "./pgn";
import { InputError } from "./position";

const line = (game: PgnGame) =>
  game
    .open()
    .root.line()
    .map(({ san }) => san)
    .join(" ");

describe("a move is what was written, or none", () => {
  test.each([
    ["1. ♘f3 ♞f6 2. ♙d4 ♟d5", "Nf3 Nf6 d4 d5"],
    ["1. nf3 nf6 2. Pd4", "Nf3 Nf6 d4"],
    ["1. e4 d5 2. e:d5 Q×d5 3. Nb1-c3 Qd5:a2", "exd5 Qxd5 Nc3 Qxa2"],
    ["1. e2-e4 c7-c5 2. Ng1f3 b5 3. bc4", "e4 c5 Nf3 b5"],
  ])("%s", (text, sans) => {
    expect(line(readGames(text)[0] as PgnGame)).toContain(sans);
  });

  test.each(["Sf3", "Sgf3", "Lc4", "Сf3"])("%s is nobody's pawn", (san) => {
    const [game] = readGames(`1. e4 e5 2. ${san} Nc6`) as [PgnGame];
    expect(line(game)).toBe("e4 e5");
    expect(game.unread).toBe(san);
    expect(() => readGames(`1. ${san} d5`)).toThrow(new RegExp(`“${san}”`));
    expect(() => readGames(`1. ${san} d5`)).toThrow(InputError);
  });

  test("what is said and who plays is left as it is", () => {
    const said = `[White "Sf3"][Black "nf3 1-0"]\n1. e4 {Sf3 ♘f3\n\n2. nf3} e5 ; Sf3\n(1... c5 {Sf3`;
    expect(readable(said)).toBe(said.replace("; Sf3", "{Sf3}"));
  });
});

describe("a game is one, whatever lines are empty", () => {
  test.each([
    ["1. e4 e5\n\n2. Nf3 Nc6\n\n3. Bb5 a6 1-0", ["e4 e5 Nf3 Nc6 Bb5 a6"]],
    ["1. e4\r\n\r\n{so} 1... e5\r\n \r\n(1... c5) 2. Nf3\r\n\r\n1-0", ["e4 e5 Nf3"]],
    ['[White "A"]\n\n{About it.}\n\n1. e4 e5 *', ["e4 e5"]],
    ['[White "A"]\n\n1. e4 e5\n[White "B"]\n1. d4 d5', ["e4 e5", "d4 d5"]],
    ['[White "A"]\n\n1. e4 e5 *\n[White "B"]\n[Black "C"]\n\n1. d4 d5', ["e4 e5", "d4 d5"]],
    ["1. e4 e5\n\n1. d4 d5", ["e4 e5", "d4 d5"]],
    ["1. e4 e5 1-0\n\n2. Nf3", ["e4 e5", "Nf3"]],
    ["1. e4 (1. d4 1-0) e5\n\n2. Nf3", ["e4 e5 Nf3"]],
  ])("%j", (text, lines) => {
    const games = readGames(text);
    expect(games.map(line)).toEqual(lines);
    if (text.startsWith("[")) expect(games[0]?.headers.get("White")).toBe("A");
  });
});
