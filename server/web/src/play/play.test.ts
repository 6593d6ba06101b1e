import { effect, signal } from "@preact/signals";
import type { Move } from "chessops/types";
import { parseUci } from "chessops/util";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket } from "../engine/socket.testing";
import { Study } from "../game/study";
import { type GameNode, GameTree } from "../game/tree";
import { loadLater, text } from "../language/catalogue";
import { loadPlayed } from "../settings";
import { Toasts } from "../toasts";
import { Clock, clockText } from "./clock";
import {
  limitsOf,
  optionsOf,
  readTerms,
  recordedTimes,
  strengthsOf,
  type Terms,
  timeControl,
} from "./match";
import { drawPolicy, outcomeOf, timeIsUp } from "./outcome";
import { Play } from "./play";

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
  test("takes the time of the side to move, and adds the increment after the move", () => {
    const clock = new Clock(60_000, 2000);
    clock.start("white", 1000);
    expect(clock.timeLeft("white", 4000)).toBe(57_000);
    clock.press(4000);
    expect(clock.timesAt(5000)).toEqual({ white: 59_000, black: 59_000 });
    expect(clock.turn).toBe("black");
  });

  test("does not run while it is halted, and never goes below zero", () => {
    const clock = new Clock(5000, 0);
    clock.start("black", 0);
    clock.halt(2000);
    expect(clock.timeLeft("black", 90_000)).toBe(3000);
    clock.start("black", 90_000);
    expect(clock.timeLeft("black", 99_000)).toBe(0);
  });

  test("does not count the network's time, but at most what was used", () => {
    const clock = new Clock(60_000, 0);
    clock.start("black", 0);
    clock.press(1000, 300);
    expect(clock.timeLeft("black", 1000)).toBe(59_300);
    clock.press(1100, 300);
    expect(clock.timeLeft("white", 1100)).toBe(60_000);
  });

  test("gives back time that was not used if it is halted in the past", () => {
    const clock = new Clock(60_000, 0);
    clock.start("black", 10_000);
    clock.halt(12_000);
    expect(clock.timeLeft("black", 99_000)).toBe(58_000);
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
  beforeAll(() => loadLater());

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
  ])("by %s", (_, fen, moves, result, words) => {
    const outcome = outcomeOf(reach(fen, moves));
    expect(outcome?.result).toBe(result);
    expect(text(outcome?.text ?? "")).toContain(words);
  });

  test("does not come while there are moves", () => {
    expect(outcomeOf(reach(undefined, "e2e4"))).toBeNull();
    expect(outcomeOf(reach(undefined, "g1f3 g8f6 f3g1 f6g8"))).toBeNull();
  });

  test("by time is a draw if the other could not mate", () => {
    const bare = reach("7k/8/8/8/8/8/5P2/K7 w - - 0 1", "");
    expect(timeIsUp(bare, "white").result).toBe("1/2-1/2");
    expect(timeIsUp(bare, "black").result).toBe("1-0");
    expect(text(timeIsUp(bare, "white").text)).toBe(
      "Draw: White ran out of time, but Black cannot mate",
    );
  });
});

test("the engine accepts a draw when it is not better, and offers one when it was level for long", () => {
  expect(drawPolicy.accepts([80, 5], 40)).toBe(true);
  expect(drawPolicy.accepts([80], 40)).toBe(false);
  expect(drawPolicy.accepts([5], 4)).toBe(false);
  expect(drawPolicy.accepts([null], 40)).toBe(false);
  expect(drawPolicy.offers(Array(8).fill(3), 90)).toBe(true);
  expect(drawPolicy.offers([...Array(7).fill(3), 40], 90)).toBe(false);
  expect(drawPolicy.offers(Array(8).fill(3), 30)).toBe(false);
});

describe("the terms", () => {
  test("become options, limits of a search, and a header of PGN", () => {
    expect([...optionsOf(terms)]).toEqual([
      ["Ponder", "true"],
      ["UCI_LimitStrength", "true"],
      ["UCI_Elo", "1500"],
    ]);
    const left = { white: 61_000.4, black: 0 };
    expect(limitsOf(terms, left)).toBe("wtime 61000 btime 1 winc 2000 binc 2000");
    expect(limitsOf(terms, null)).toBe("movetime 1000");
    expect(timeControl(terms)).toBe("180+2");
    expect(timeControl({ ...terms, base: null })).toBe("-");
  });

  test("have only strengths that the engine has", () => {
    const elo = { type: "spin", name: "UCI_Elo", initial: "1320", min: 1320, max: 3190 } as const;
    const skill = { type: "spin", name: "Skill Level", initial: "20", min: 0, max: 20 } as const;
    expect([...strengthsOf([elo, skill])]).toEqual([["skill", [0, 20]]]);
    const limit = { type: "check", name: "UCI_LimitStrength", initial: "false" } as const;
    expect(strengthsOf([elo, limit]).get("elo")).toEqual([1320, 3190]);
  });

  test("are read only if they are complete", () => {
    expect(readTerms(JSON.parse(JSON.stringify(terms)))).toEqual(terms);
    for (const other of [null, 1, {}, { ...terms, color: "red" }])
      expect(readTerms(other)).toBeNull();
  });
});

test("the times of the clocks are read from the comments of the game", () => {
  const tree = new GameTree();
  const [e4, e5] = tree.playAll(tree.root, ["e2e4", "e7e5"]).path().slice(1);
  if (e4) e4.comments = ["[%clk 0:02:58]"];
  if (e5) e5.comments = ["[%clk 0:02:40]"];
  const [none, one, both] = tree.mainline().map((node) => recordedTimes(node, 180_000));
  expect(none).toEqual({ white: 180_000, black: 180_000 });
  expect(one).toEqual({ white: 178_000, black: 180_000 });
  expect(both).toEqual({ white: 178_000, black: 160_000 });
});

describe("a game against an engine", () => {
  const { newest } = FakeSocket;
  const hear = (line: string) => newest().onmessage({ data: line });
  const hearPong = () => hear("rookery heard 0");
  const answerPings = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await vi.advanceTimersByTimeAsync(100);
      hearPong();
    }
  };
  const move = (uci: string) => play.play(parseUci(uci) as Move);
  let play: Play;

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.made = [];
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { href: "http://localhost/", host: "localhost" });
    vi.stubGlobal("history", { replaceState: () => {} });
    const toasts = new Toasts();
    play = new Play({
      study: new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => "" }),
      toasts,
      token: signal(null),
      isPaced: () => false,
      onStart: () => {},
      onLeave: () => {},
      onStopped: () => {},
    });
    const strength = { kind: "full", value: 0 } as const;
    play.start({ ...terms, base: 3000, increment: 0, strength, ponders: false });
    newest().open();
    for (const line of ["rookery session 1.a heard 0 grace 60", "uciok"]) hear(line);
    hearPong();
    move("e2e4");
    hear("bestmove e7e5");
  });

  afterEach(() => {
    play.leaveGame();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("takes no time of the engine for a move that it could not hear of", async () => {
    newest().end(1006);
    await vi.advanceTimersByTimeAsync(200);
    move("d2d4");
    await vi.advanceTimersByTimeAsync(5000);
    expect(play.times.peek()?.black).toBe(3000);
    newest().open();
    hear("rookery session 1.a heard 0 grace 60");
    await vi.advanceTimersByTimeAsync(50);
    hearPong();
    expect(play.outcome.peek()).toBeNull();
  });

  test("is not lost on time that is given back for a server that was silent", async () => {
    move("d2d4");
    await answerPings(2600);
    await vi.advanceTimersByTimeAsync(1500);
    expect(play.isSilent.peek()).toBe(true);
    expect(play.times.peek()?.black).toBeGreaterThan(0);
    await answerPings(300);
    expect(play.outcome.peek()).toBeNull();
  });

  test("is stored before it counts as finished", () => {
    const stored = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    const counts: number[] = [];
    const stop = effect(() => {
      void play.finished.value;
      counts.push(loadPlayed().length);
    });
    play.resign();
    stop();
    expect(counts).toEqual([0, 1]);
  });
});
