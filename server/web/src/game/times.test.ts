import { expect, test } from "vitest";
import { readGames } from "./pgn";
import { isInTrouble, readTimeControl, timesOf, troubleLimit } from "./times";
import type { GameTree } from "./tree";

function gameOf(control: string, clocks: readonly string[]): GameTree {
  const moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6"];
  const text = clocks.map((clock, at) => `${moves[at]} ${clock && `{[%clk ${clock}]}`}`).join(" ");
  const [game] = readGames(`${control && `[TimeControl "${control}"]\n`}\n${text} *`);
  if (!game) throw new Error("not read");
  return game.open();
}

test.each<[string, string[], (number | null)[]]>([
  // Lichess: the clocks do not run before the first moves.
  ["180+2", ["0:03:00", "0:03:00", "0:02:50", "0:03:01"], [null, 0, 0, 12, 1]],
  // Chess.com: they do.
  ["180", ["0:02:59", "0:02:50", "0:02:40", "0:02:50"], [null, 1, 10, 19, 0]],
  // Over the board, with the increment before the first move, and minutes for seconds.
  ["5400+30", ["1:30:25", "1:29:55"], [null, 5, 35]],
  ["90+30", ["1:30:25", "1:29:55"], [null, 5, 35]],
  // A second period adds an hour.
  ["2/600:3600", ["0:09:00", "0:08:00", "1:08:00", "1:07:00"], [null, 60, 120, 60, 60]],
  // Without a time control the increment is unknown.
  ["", ["0:05:00", "0:05:00", "0:04:50", "0:04:30"], [null, null, null, 10, 30]],
  ["", ["0:05:00", "0:05:00", "0:04:50", "0:05:03"], [null, null, null, null, null]],
  // A move without a clock.
  ["60", ["0:00:59", "", "0:00:50", "0:00:40"], [null, 1, null, 9, null]],
])("times by the clocks of %s: %j", (control, clocks, times) => {
  expect(timesOf(gameOf(control, clocks))).toEqual(times);
});

test("a time that is written in the game counts", () => {
  const [game] = readGames('[TimeControl "60"]\n\n1. e4 {[%emt 0:00:07][%clk 0:00:50]} e5 *');
  expect(game && timesOf(game.open())).toEqual([null, 7, null]);
});

test.each(["-", "?", "*180", "", "90 minutes"])("%j is no clock", (tag) => {
  expect(readTimeControl(tag)).toBeNull();
});

test("time trouble begins at a twentieth of the time, or at half a minute", () => {
  const tree = gameOf("600", ["0:00:31", "0:00:30", "0:00:29"]);
  expect(troubleLimit(tree)).toBe(30);
  const inTrouble = tree.mainline().map((node) => isInTrouble(node, troubleLimit(tree)));
  expect(inTrouble).toEqual([false, false, false, true]);
  expect(troubleLimit(gameOf("60", ["0:00:31"]))).toBe(3);
  expect(troubleLimit(gameOf("", ["0:00:31"]))).toBe(30);
});
