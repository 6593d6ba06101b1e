import { beforeEach, describe, expect, test } from "vitest";
import { type GameNode, GameTree } from "../game/tree";
import type { Notice, Score } from "../uci/line";
import { Clock, clockText } from "./clock";
import { offersDraw, takesDraw } from "./manners";
import { Opponent } from "./opponent";
import { outcomeOf, timeIsUp } from "./outcome";
import { timesNoted } from "./record";
import { asTerms, limitsOf, optionsOf, strengthsOf, type Terms, timeControl } from "./terms";

const terms: Terms = {
  engine: "rookery",
  color: "white",
  base: 180_000,
  increment: 2000,
  strength: { kind: "elo", value: 1500 },
  ponders: true,
  fen: new GameTree().root.fen,
  chess960: false,
};

describe("the clock", () => {
  test("takes time off who is on the move, and gives the increment after the move", () => {
    const clock = new Clock(60_000, 2000);
    clock.run("white", 1000);
    expect(clock.left("white", 4000)).toBe(57_000);
    clock.press(4000);
    expect(clock.both(5000)).toEqual({ white: 59_000, black: 59_000 });
    expect(clock.turn).toBe("black");
  });

  test("stands while it is halted, and never goes below nothing", () => {
    const clock = new Clock(5000, 0);
    clock.run("black", 0);
    clock.halt(2000);
    expect(clock.left("black", 90_000)).toBe(3000);
    clock.run("black", 90_000);
    expect(clock.left("black", 99_000)).toBe(0);
  });

  test("does not count time on the way, but no more than was used", () => {
    const clock = new Clock(60_000, 0);
    clock.run("black", 0);
    clock.press(1000, 300);
    expect(clock.left("black", 1000)).toBe(59_300);
    clock.press(1100, 300);
    expect(clock.left("white", 1100)).toBe(60_000);
  });

  test("a halt in the past gives back what was not used", () => {
    const clock = new Clock(60_000, 0);
    clock.run("black", 10_000);
    clock.halt(12_000);
    expect(clock.left("black", 99_000)).toBe(58_000);
  });

  test.each([
    [0, "0:00.0"],
    [9_940, "0:09.9"],
    [19_999, "0:19.9"],
    [20_000, "0:20"],
    [180_000, "3:00"],
    [3_723_000, "1:02:03"],
  ])("shows %i ms as %s", (ms, text) => expect(clockText(ms)).toBe(text));
});

describe("the end of a game", () => {
  const reach = (fen: string | undefined, moves: string): GameNode => {
    const tree = new GameTree(fen);
    return tree.playAll(tree.root, moves.split(" ").filter(Boolean));
  };

  test.each([
    ["checkmate", undefined, "f2f3 e7e5 g2g4 d8h4", "0-1", "Black wins by checkmate"],
    ["stalemate", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "", "1/2-1/2", "stalemate"],
    ["material", "7k/8/8/8/8/8/5N2/K7 w - - 0 1", "", "1/2-1/2", "insufficient material"],
    ["fifty moves", "7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2", "1/2-1/2", "fifty-move rule"],
    ["three times", undefined, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "1/2-1/2", "threefold"],
  ])("by %s", (_, fen, moves, result, text) => {
    const outcome = outcomeOf(reach(fen, moves));
    expect(outcome?.result).toBe(result);
    expect(outcome?.text).toContain(text);
  });

  test("has not come while there are moves", () => {
    expect(outcomeOf(reach(undefined, "e2e4"))).toBeNull();
    expect(outcomeOf(reach(undefined, "g1f3 g8f6 f3g1 f6g8"))).toBeNull();
  });

  test("by time is a draw if the other could not mate", () => {
    const bare = reach("7k/8/8/8/8/8/5P2/K7 w - - 0 1", "");
    expect(timeIsUp(bare, "white").result).toBe("1/2-1/2");
    expect(timeIsUp(bare, "black").result).toBe("1-0");
  });
});

test("the engine takes a draw when it is not better, and offers one when it is level for long", () => {
  expect(takesDraw([80, 5], 40)).toBe(true);
  expect(takesDraw([80], 40)).toBe(false);
  expect(takesDraw([5], 4)).toBe(false);
  expect(takesDraw([null], 40)).toBe(false);
  expect(offersDraw(Array(8).fill(3), 90)).toBe(true);
  expect(offersDraw([...Array(7).fill(3), 40], 90)).toBe(false);
  expect(offersDraw(Array(8).fill(3), 30)).toBe(false);
});

describe("what was agreed", () => {
  test("becomes options, a clock for the engine, and a line of PGN", () => {
    expect([...optionsOf(terms)]).toEqual([
      ["Ponder", "true"],
      ["UCI_Chess960", "false"],
      ["UCI_LimitStrength", "true"],
      ["UCI_Elo", "1500"],
    ]);
    const left = { white: 61_000.4, black: 0 };
    expect(limitsOf(terms, left)).toBe("wtime 61000 btime 1 winc 2000 binc 2000");
    expect(limitsOf(terms, null)).toBe("movetime 1000");
    expect(timeControl(terms)).toBe("180+2");
    expect(timeControl({ ...terms, base: null })).toBe("-");
  });

  test("offers only strengths that the engine has", () => {
    const elo = { type: "spin", name: "UCI_Elo", initial: "1320", min: 1320, max: 3190 } as const;
    const skill = { type: "spin", name: "Skill Level", initial: "20", min: 0, max: 20 } as const;
    expect([...strengthsOf([elo, skill])]).toEqual([["skill", [0, 20]]]);
    const limit = { type: "check", name: "UCI_LimitStrength", initial: "false" } as const;
    expect(strengthsOf([elo, limit]).get("elo")).toEqual([1320, 3190]);
  });

  test("is read back only if it is ours", () => {
    expect(asTerms(JSON.parse(JSON.stringify(terms)))).toEqual(terms);
    for (const other of [null, 1, {}, { ...terms, color: "red" }])
      expect(asTerms(other)).toBeNull();
  });
});

describe("the engine as an opponent", () => {
  let said: string[];
  let moved: [string | null, string | null, Score | null][];
  let notices: Notice[];
  let opponent: Opponent;
  const spoken = () => said.splice(0);
  const turn = (...moves: string[]) => ({ start: "startpos", moves, limits: "wtime 9 btime 9" });

  beforeEach(() => {
    [said, moved, notices] = [[], [], []];
    opponent = new Opponent(new Map([["Skill Level", "3"]]), {
      say: (line) => said.push(line),
      ready: () => {},
      moved: (...all) => moved.push(all),
      thinks: () => {},
      notice: (notice) => notices.push(notice),
    });
    opponent.fresh();
    opponent.hear("option name Skill Level type spin default 20 min 0 max 20");
    opponent.hear("uciok");
    expect(spoken()).toEqual(["uci", "setoption name Skill Level value 3", "ucinewgame"]);
  });

  test("is told the position and the clocks, and answers with a move", () => {
    opponent.think(turn("e2e4"));
    expect(spoken()).toEqual(["position startpos moves e2e4", "go wtime 9 btime 9"]);
    opponent.hear("info depth 3 score cp -20 pv e7e5");
    opponent.hear("bestmove e7e5 ponder g1f3");
    expect(moved).toEqual([["e7e5", "g1f3", { kind: "cp", value: -20 }]]);
  });

  test("is told by ponderhit that its guess was right", () => {
    opponent.ponder(turn("e2e4", "e7e5", "g1f3"));
    expect(spoken().at(-1)).toBe("go ponder wtime 9 btime 9");
    opponent.think(turn("e2e4", "e7e5", "g1f3"));
    expect(spoken()).toEqual(["ponderhit"]);
    opponent.hear("bestmove b8c6");
    expect(moved).toHaveLength(1);
  });

  test("that has guessed wrong is stopped, and that move is not played", () => {
    opponent.ponder(turn("e2e4", "e7e5", "g1f3"));
    spoken();
    opponent.think(turn("e2e4", "e7e5", "d2d4"));
    expect(spoken()).toEqual([
      "stop",
      "position startpos moves e2e4 e7e5 d2d4",
      "go wtime 9 btime 9",
    ]);
    opponent.hear("bestmove b8c6");
    expect(moved).toEqual([]);
    opponent.hear("bestmove e5d4");
    expect(moved).toMatchObject([["e5d4", null, null]]);
  });

  test("does not play a move for a position that was taken back", () => {
    opponent.think(turn("e2e4"));
    opponent.stop();
    opponent.think(turn("d2d4"));
    opponent.hear("bestmove e7e5");
    opponent.hear("bestmove d7d5");
    expect(moved.map(([move]) => move)).toEqual(["d7d5"]);
  });

  test("that may not think has not moved, whatever the server says in its stead", () => {
    opponent.think(turn("e2e4"));
    opponent.refuse();
    opponent.hear("bestmove a7a6");
    expect(moved).toEqual([]);
    opponent.think(turn("e2e4"));
    opponent.hear("bestmove e7e5");
    expect(moved.map(([move]) => move)).toEqual(["e7e5"]);
  });

  test("is not refused by what is said of a move that is nobody's", () => {
    const notice = "info string rookery no-search: no engine has searched this";
    opponent.think(turn("e2e4"));
    opponent.stop();
    opponent.think(turn("d2d4"));
    opponent.hear(notice);
    expect(notices).toEqual([]);
    opponent.hear("bestmove a7a6");
    opponent.hear(notice);
    expect(notices.map(({ code }) => code)).toEqual(["no-search"]);
  });

  test("is asked again when its session was lost", () => {
    opponent.think(turn("e2e4"));
    spoken();
    opponent.fresh();
    opponent.hear("uciok");
    expect(spoken()).toEqual([
      "uci",
      "ucinewgame",
      "position startpos moves e2e4",
      "go wtime 9 btime 9",
    ]);
    opponent.hear("bestmove e7e5");
    expect(moved).toHaveLength(1);
  });
});

test("what the clocks showed is known from the game that is written down", () => {
  const tree = new GameTree();
  const [e4, e5] = tree.playAll(tree.root, ["e2e4", "e7e5"]).path().slice(1);
  if (e4) e4.comments = ["[%clk 0:02:58]"];
  if (e5) e5.comments = ["[%clk 0:02:40]"];
  const [none, one, both] = tree.mainline().map((node) => timesNoted(node, 180_000));
  expect(none).toEqual({ white: 180_000, black: 180_000 });
  expect(one).toEqual({ white: 178_000, black: 180_000 });
  expect(both).toEqual({ white: 178_000, black: 160_000 });
});
