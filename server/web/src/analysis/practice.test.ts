import { expect, test, vi } from "vitest";
import { Study } from "../game/study";
import type { Score } from "../uci/line";
import { Practice } from "./practice";

test("a move of which the engine says nothing is neither right nor wrong", () => {
  vi.useFakeTimers(); // the game is not to be stored: there is no browser
  const study = new Study({
    moved: () => {},
    rearranging: () => {},
    complain: () => {},
    say: () => {},
    hash: () => null,
  });
  const tree = study.tree.peek();
  const blunder = tree.playAll(tree.root, ["g2g4"]);
  tree.root.verdict = { score: { kind: "cp", value: 30 }, depth: 9, best: "e2e4" };
  blunder.judgement = "blunder";
  const unanswered = vi.fn();
  let answer: (score: Score | null) => void = () => {};
  const practice = new Practice(study, {
    changed: () => {},
    examine: (_tree, _node, done) => {
      answer = done;
    },
    unanswered,
  });
  practice.start("white");
  practice.play({ from: 11, to: 27 }); // d2d4
  expect(practice.answer.peek()).toBe("examined");
  answer(null);
  expect(practice.answer.peek()).toBe("asked");
  expect(study.node.peek()).toBe(tree.root);
  expect(unanswered).toHaveBeenCalledOnce();
  practice.play({ from: 11, to: 27 });
  answer({ kind: "cp", value: 20 });
  expect([practice.answer.peek(), practice.found.peek()]).toEqual(["right", 1]);
  vi.useRealTimers();
});
