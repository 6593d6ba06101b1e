import { expect, test } from "vitest";
import { byFolder } from "./folders";
import { joinGames, replaceGame } from "./splice";

const file = (path: string, ...titles: string[]) => ({ id: 1, path, titles, size: 0, changed: 0 });
const FILES = [
  file("a.pgn", "Ann – Bob, Club, 2024.01.02, 1-0", "Bob – Eve"),
  file("old/b.pgn", "Eve – Ann, Club"),
];

test("files are shown by folders", () => {
  expect([...byFolder(FILES).keys()]).toEqual(["", "old"]);
});

test("a file of positions becomes PGN when a game is saved in it", () => {
  const { text, at } = replaceGame('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "a";\n', "1. e4 *", null);
  expect(at).toBe(1);
  expect(text).toContain('[FEN "4k3/');
  expect(text.endsWith("1. e4 *\n")).toBe(true);
});

test("text that is no game does not count", () => {
  const chapters = '[White "Ann"]\n\n1. e4 *\n\nsome words\n\n[White "Bob"]\n\n1. d4 *\n';
  const over = { at: 1, text: '[White "Bob"]\n\n1. d4 *' };
  const { text, at } = replaceGame(chapters, '[White "Bob"]\n\n1. c4 *', over);
  expect(at).toBe(1);
  expect(text).toBe(chapters.replace("1. d4", "1. c4"));
});

test("games are joined with a blank line between them", () => {
  expect(joinGames(["1. e4 *", "\n1. d4 *\n\n"])).toBe("1. e4 *\n\n1. d4 *\n");
});
