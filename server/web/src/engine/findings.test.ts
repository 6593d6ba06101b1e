import { expect, test } from "vitest";
import { Conversation } from "./conversation";
import { tablebaseWinner } from "./findings";

const ENDING = "8/8/8/8/3k4/8/3PK3/8";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

function winner(line: string, board = ENDING, turn: "white" | "black" = "white"): string | null {
  const engine = new Conversation("analysis");
  const fen = `${board} ${turn[0]} - - 0 1`;
  engine.start();
  const position = { fen, key: fen, turn, start: fen, moves: [], chess960: false } as const;
  engine.requestSearch({ ...position, limits: "infinite" });
  engine.receive(`info depth 9 nodes 5 ${line} pv e2e3`);
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
