import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeText } from "./encoding";
import { describeGame, listGames } from "./listing";
import { splitGames } from "./parser";

const HEAD = '[Event "Club"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n';
const PLAIN = `${HEAD}\n1. e4 {[%clk 1:00:00]} e5 2. Nf3 $1 (2. d4 exd4) Nc6 1-0\n`;
const folder = new URL("../../../../tests/data/pgn/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".pgn"));

/** Read a file with the parser only: no game is plain behind a comment. */
const parsed = (text: string) =>
  [...splitGames(text)].map((game) => ({ game, ...describeGame(`; parsed\n${game}`) }));
const listed = (text: string) =>
  [...listGames(text)].map((game) => ({ game, ...describeGame(game) }));
const trimmed = (games: ReturnType<typeof listed>) =>
  games.map(({ game, headers, isGame }) => ({ game: game.trim(), headers, isGame }));

test.each(files)("%s is listed as the parser reads it", (name) => {
  const text = decodeText(readFileSync(new URL(name, folder)));
  expect(trimmed(listed(text))).toEqual(trimmed(parsed(text)));
});

test.each([
  ["plain games", `${PLAIN}\n${PLAIN}\n${PLAIN}`, 3],
  ["ends of lines of DOS", `${PLAIN}\n${PLAIN}`.replaceAll("\n", "\r\n"), 2],
  ["a game without tags behind another one", `${PLAIN}\n1. d4 d5 *\n\n${PLAIN}`, 3],
  ["a second game in the line of the result", `${HEAD}\n1. e4 1-0 1. d4 1-0\n`, 2],
  ["a new game without a result", `${HEAD}\n1. e4 e5\n1. d4 d5 1-0\n`, 2],
  ["an event within a comment", `${HEAD}\n1. e4 {a\n\n[Event "b"]\n\n1. d4 1-0\n`, 2],
  ["an event without its end", `${PLAIN}\n[Event "b]\n[White "c"]\n\n1. d4 1-0\n`, 2],
  ["two events without a blank line", `[Event "a"]\n${HEAD}\n1. e4 1-0\n`, 2],
  ["tags behind the moves", `${HEAD}\n1. e4 1-0\n[White "Eve"]\n\n1. d4 1-0\n`, 2],
  ["names of tags in capitals", `${HEAD}[WHITE "Eve"]\n\n1. e4 1-0\n`, 1],
  ["another result than the tag's", `${HEAD}\n1. e4 0-1\n`, 1],
  ["a result that only the moves have", `${HEAD.replace("1-0", "*")}\n1. e4 0-1\n`, 1],
  ["an escaped line", `${HEAD}\n1. e4\n% 1. d4\ne5 1-0\n`, 1],
  ["no moves", `${HEAD}\n1-0\n`, 1],
])("%s are listed as the parser reads them", (_, text, count) => {
  expect(trimmed(listed(text))).toEqual(trimmed(parsed(text)));
  expect(listed(text)).toHaveLength(count);
});

test("plain games are listed several times as fast as the parser reads them", () => {
  const text = `${PLAIN.replace("Nc6", `Nc6 ${"3. Bb5 a6 ".repeat(40)}`)}\n`.repeat(300);
  const timed = (read: () => unknown[]) => {
    const before = performance.now();
    expect(read()).toHaveLength(300);
    return performance.now() - before;
  };
  const fast = Math.min(...[1, 2, 3].map(() => timed(() => listed(text))));
  expect(timed(() => parsed(text))).toBeGreaterThan(3 * fast);
});
