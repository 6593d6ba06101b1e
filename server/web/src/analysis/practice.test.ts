import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Study } from "../game/study";
import type { Score } from "../uci/line";
import { Practice } from "./practice";

let study: Study;
let practice: Practice;
let answer: (score: Score | null) => void;
const unanswered = vi.fn();

beforeEach(() => {
  vi.useFakeTimers(); // the game is not to be stored: there is no browser
  study = new Study({
    moved: () => {},
    rearranging: () => {},
    complain: () => {},
    say: () => {},
    hash: () => null,
  });
  practice = new Practice(study, {
    changed: () => {},
    examine: (_tree, _node, done) => {
      answer = done;
    },
    unanswered,
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

test("a move of which the engine says nothing is neither right nor wrong", () => {
  practice.start("white");
  practice.play({ from: 11, to: 27 }); // d2d4
  expect(practice.answer.peek()).toBe("examined");
  answer(null);
  expect(practice.answer.peek()).toBe("asked");
  expect(study.node.peek()).toBe(study.tree.peek().root);
  expect(unanswered).toHaveBeenCalledOnce();
  practice.play({ from: 11, to: 27 });
  answer({ kind: "cp", value: 20 });
  expect([practice.answer.peek(), practice.found.peek()]).toEqual(["right", 1]);
});

test.each(["end", "next"] as const)("the board is turned back when practising ends: %s", (how) => {
  practice.start("black");
  expect(study.orientation.peek()).toBe("black");
  practice[how]();
  expect([practice.mistake.peek(), study.orientation.peek()]).toEqual([null, "white"]);
});

test("a board that is turned by hand meanwhile stays so", () => {
  practice.start("white");
  study.flip();
  practice.end();
  expect(study.orientation.peek()).toBe("black");
});
