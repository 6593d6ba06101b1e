import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Study } from "../game/study";
import { GameTree } from "../game/tree";
import { Toasts } from "../toasts";
import { timeToTake } from "./pace";
import { Play } from "./play";

const MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

function nodeAfter(fen: string | undefined, moves: string) {
  const tree = new GameTree(fen);
  return tree.playAll(tree.root, moves.split(" "));
}

describe("the time that a person would take", () => {
  test("is a small share of the clock, whatever the position", () => {
    const node = nodeAfter(MIDDLE, "");
    for (const left of [1_800_000, 300_000, 60_000, 5000, 900, 0]) {
      const time = timeToTake(node, "e1g1", left, 3000);
      expect(time).toBeLessThanOrEqual(left / 20);
      expect(time).toBeLessThanOrEqual(10_000);
    }
    expect(timeToTake(node, "e1g1", 300_000, 3000)).toBeGreaterThan(2000);
    expect(timeToTake(node, "e1g1", 60_000, 0)).toBeLessThan(2500);
    expect(timeToTake(node, "e1g1", null, 0)).toBeGreaterThan(1500);
  });

  test.each([
    ["in the opening", undefined, "e2e4", "e7e5"],
    ["if there is one move", "6k1/R7/6K1/8/8/8/8/8 b - - 0 40", "", "g8f8"],
    ["to recapture", MIDDLE, "d4c5", "e7c5"],
  ])("is short %s", (_, fen, moves, reply) => {
    const time = timeToTake(nodeAfter(fen, moves), reply, 1_800_000, 30_000);
    expect(time).toBeLessThan(5000);
  });
});

/** A server whose engine has levels, and moves when the test says so. */
class FakeSocket {
  static OPEN = 1;
  static newest: FakeSocket;
  readyState = 1;
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: () => void = () => {};

  constructor() {
    FakeSocket.newest = this;
  }

  send(line: string): void {
    if (line.startsWith("rookery heard")) this.say("rookery heard 0");
    if (line === "uci") this.say("uciok");
  }

  say(data: string): void {
    this.onmessage({ data });
  }

  close(): void {}
}

describe("a game against a weak level", () => {
  let play: Play;
  let isPaced: boolean;
  const move = (uci: string) => {
    const squares = uci.match(/../g)?.map((it) => it.charCodeAt(0) - 97 + 8 * (+it.charAt(1) - 1));
    play.play({ from: squares?.[0] ?? 0, to: squares?.[1] ?? 0 });
  };
  const san = () => play.head.peek()?.san;

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { href: "http://localhost/", hash: "", host: "localhost" });
    vi.stubGlobal("history", { replaceState: () => {} });
    isPaced = true;
    const toasts = new Toasts();
    const nothing = () => {};
    const parts = { onMove: nothing, onRearrange: nothing, hash: () => null };
    play = new Play({
      study: new Study({ toasts, ...parts }),
      toasts,
      token: signal(null),
      isPaced: () => isPaced,
      onStart: nothing,
      onLeave: nothing,
      onStopped: nothing,
    });
    play.start({
      engine: "rookery",
      color: "white",
      base: 180_000,
      increment: 0,
      strength: { kind: "elo", value: 1500 },
      ponders: false,
      fen: new GameTree().root.fen,
      chess960: false,
    });
    FakeSocket.newest.say("rookery session pass heard 0");
    await vi.advanceTimersByTimeAsync(100);
    move("e2e4");
    FakeSocket.newest.say("bestmove e7e5");
    await vi.advanceTimersByTimeAsync(1500);
    expect(san()).toBe("e5");
    move("g1f3");
    await vi.advanceTimersByTimeAsync(50);
  });

  afterEach(() => {
    play.leaveGame();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("the move is shown when a person would have found it, at the cost of that time", async () => {
    FakeSocket.newest.say("bestmove b8c6");
    await vi.advanceTimersByTimeAsync(200);
    expect(san()).toBe("Nf3");
    const during = play.times.peek()?.black ?? 0;
    expect(during).toBeLessThanOrEqual(179_800);
    await vi.advanceTimersByTimeAsync(1300);
    expect(san()).toBe("Nc6");
    const after = play.times.peek()?.black ?? 0;
    expect(after).toBeGreaterThanOrEqual(178_500);
    expect(after).toBeLessThan(during);
  });

  test("a move that took long is shown at once, as all are if levels take no time", async () => {
    await vi.advanceTimersByTimeAsync(2000);
    FakeSocket.newest.say("bestmove b8c6");
    expect(san()).toBe("Nc6");
    isPaced = false;
    move("f1b5");
    FakeSocket.newest.say("bestmove a7a6");
    expect(san()).toBe("a6");
  });

  test.each(["takeBack", "resign"] as const)("no move follows after %s", async (action) => {
    FakeSocket.newest.say("bestmove b8c6");
    play[action]();
    await vi.advanceTimersByTimeAsync(5000);
    expect(san()).toBe(action === "takeBack" ? "e5" : "Nf3");
  });
});
