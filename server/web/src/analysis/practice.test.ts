import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Variation } from "../engine/findings";
import { readGames, writeSharedGame } from "../game/pgn";
import { Study } from "../game/study";
import { Toasts } from "../toasts";
import { mistakesOf, Practice } from "./practice";

let study: Study;
let practice: Practice;
let toasts: Toasts;
let answer: (best: Variation | null) => void;

function found(value: number, pv: string[] = []): Variation {
  const score = { kind: "cp", value } as const;
  return { rank: 1, score, bound: "exact", depth: 9, seldepth: 9, pv, wdl: null };
}

beforeEach(() => {
  vi.useFakeTimers(); // The game is not stored: there is no browser.
  toasts = new Toasts();
  study = new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => null });
  practice = new Practice(study, toasts, {
    requestSearch: () => {},
    evaluate: (_tree, _node, done) => {
      answer = done;
    },
  });
  const tree = study.tree.peek();
  const [white, black] = tree.playAll(tree.root, ["g2g4", "f7f6"]).path().slice(1);
  if (!white || !black) throw new Error("not played");
  tree.root.verdict = { score: { kind: "cp", value: 30 }, depth: 9, best: "e2e4" };
  white.verdict = { score: { kind: "cp", value: -150 }, depth: 9, best: "d7d5" };
  white.judgement = black.judgement = "blunder";
});

afterEach(() => {
  vi.useRealTimers();
});

test("a move that the engine does not evaluate is neither right nor wrong", () => {
  practice.start("white");
  practice.play({ from: 11, to: 27 }); // d2d4
  expect(practice.answer.peek()).toBe("examined");
  answer(null);
  expect(practice.answer.peek()).toBe("asked");
  expect(study.node.peek()).toBe(study.tree.peek().root);
  expect(toasts.shown.peek()).toHaveLength(1);
  practice.play({ from: 11, to: 27 });
  answer(found(20));
  expect([practice.answer.peek(), practice.foundCount.peek()]).toEqual(["right", 1]);
});

test("moves that are tried do not become part of the game", () => {
  const before = study.pgn();
  practice.start("white");
  practice.play({ from: 11, to: 27 });
  answer(found(-400, ["e7e5", "d4e5"]));
  expect([practice.answer.peek(), practice.refutation.peek()]).toEqual(["wrong", ["e7e5", "d4e5"]]);
  expect(study.node.peek().san).toBe("d4");
  practice.retry();
  practice.showMove();
  expect(study.node.peek().san).toBe("e4");
  expect(study.node.peek().inGame).toBe(study.tree.peek().root);
  practice.end();
  expect(study.node.peek()).toBe(study.tree.peek().root);
  expect(study.pgn()).toBe(before);
});

test("the answer to the mistake itself is known from the analysis", () => {
  practice.start("white");
  practice.play({ from: 14, to: 30 }); // g2g4
  expect([practice.answer.peek(), practice.refutation.peek()]).toEqual(["wrong", ["d7d5"]]);
});

test.each([
  ["", "1... f6 $4"],
  ["e2e4", "( 1. e4 { better } )"], // The user has played it in analysis.
  ["e2e4 e7e5", "( 1. e4 { better } e5 )"],
])("practice can begin again after a reload: %s", (moves, written) => {
  const tree = study.tree.peek();
  tree.playAll(tree.root, moves.split(" "));
  const pgn = study.pgn();
  expect(pgn).toContain(written);
  const again = readGames(pgn)[0]?.open();
  if (!again) throw new Error("not read");
  expect(mistakesOf(again, "white").map(({ parent }) => parent?.verdict?.best)).toEqual(["e2e4"]);
  expect(writeSharedGame(again)).toContain(pgn.slice(pgn.indexOf("1.")));
});

test.each(["end", "next"] as const)("the board is turned back when practice ends: %s", (how) => {
  practice.start("black");
  expect(study.orientation.peek()).toBe("black");
  practice[how]();
  expect([practice.mistake.peek(), study.orientation.peek()]).toEqual([null, "white"]);
});

test("a board that the user has turned meanwhile stays so", () => {
  practice.start("white");
  study.flip();
  practice.end();
  expect(study.orientation.peek()).toBe("black");
});
