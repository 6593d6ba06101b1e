import { expect, test } from "vitest";
import { INFINITE } from "../uci/limits";
import { Engine } from "./engine";
import { tablebaseWinner } from "./tablebase";

const ENDING = "8/8/8/8/3k4/8/3PK3/8";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

function winner(line: string, board = ENDING, turn: "white" | "black" = "white"): string | null {
  const events = ["say", "introduced", "changed", "notice", "known", "finished"];
  const engine = new Engine(Object.fromEntries(events.map((name) => [name, () => {}])) as never);
  const fen = `${board} ${turn[0]} - - 0 1`;
  engine.fresh();
  engine.want({ fen, turn, start: fen, moves: [], chess960: false, limits: INFINITE });
  engine.hear(`info depth 9 nodes 5 ${line} pv e2e3`);
  const { findings } = engine;
  return findings && tablebaseWinner(findings);
}

test.each([
  ["score cp 19987 tbhits 3", ENDING, "white", "White"],
  ["score cp -19987 tbhits 3", ENDING, "white", "Black"],
  ["score cp 20000 tbhits 1", ENDING, "black", "Black"],
  ["score cp 19987 tbhits 0", ENDING, "white", null],
  ["score cp 900 tbhits 3", ENDING, "white", null],
  ["score cp 0 tbhits 3", ENDING, "white", null],
  ["score cp 19987 lowerbound tbhits 3", ENDING, "white", null],
  ["score mate 9 tbhits 3", ENDING, "white", null],
  ["score cp 19987 tbhits 3", START, "white", null],
] as const)("%s of %s, %s to move: %s", (line, board, turn, expected) => {
  expect(winner(line, board, turn)).toBe(expected);
});
