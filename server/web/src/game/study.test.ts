import { expect, test, vi } from "vitest";
import { Study } from "./study";

vi.stubGlobal("location", { hash: "", origin: "", pathname: "/" });
vi.stubGlobal("history", { replaceState: () => {} });

const GAME = "1. e4 e5 ({before} 1... c5 2. Nf3 (2. c3) 2... d6) 2. Nc3 Nf6 *";

function studyOf(pgn: string, say: (title: string, text: string) => void = expect.fail): Study {
  const study = new Study({
    moved: () => {},
    rearranging: () => {},
    complain: (error) => expect.fail(String(error)),
    say,
    hash: () => null,
  });
  study.take(pgn);
  return study;
}

test("a main line that was made by mistake is undone in one step", () => {
  const study = studyOf(GAME);
  const before = study.pgn();
  const alapin = study.tree.peek().root.children[0]?.children[1]?.children[1];
  if (!alapin) throw new Error("not read");
  study.go(alapin);
  study.promote(alapin);
  expect(study.pgn()).toContain("1. e4 { before } c5 ( 1... e5 2. Nc3 Nf6 ) 2. c3 ( 2. Nf3 d6 )");
  const most = study.undoable.peek();
  study.promote(alapin); // it is the main line already: nothing to undo
  expect(study.undoable.peek()).toBe(most);
  study.undo();
  expect(study.pgn()).toBe(before);
  expect(study.node.peek()).toBe(alapin);
});

test("moves that were played since stay when a main line is undone", () => {
  const study = studyOf(GAME);
  const sicilian = study.tree.peek().root.children[0]?.children[1];
  if (!sicilian) throw new Error("not read");
  study.promote(sicilian);
  study.go(sicilian);
  study.playAll(["g1f3", "b8c6"]);
  study.undo();
  expect(study.pgn()).toContain(
    "1. e4 e5 ( { before } 1... c5 2. Nf3 ( 2. c3 ) 2... d6 ( 2... Nc6 ) )",
  );
});

test("what is drawn is a change that can be undone", () => {
  const study = studyOf("1. e4 { [%clk 0:05:00] } *");
  study.draw(study.tree.peek().root, [{ color: "green", from: 12, to: 28 }]);
  expect(study.pgn()).toContain("{ [%cal Ge2e4] } 1. e4 { [%clk 0:05:00] }");
  study.undo();
  expect(study.pgn()).not.toContain("%cal");
});

test("a game of which a line breaks off is shown, and it is said where", () => {
  const say = vi.fn();
  const study = studyOf("1. e4 (1. d4 Ke5 2. c4) 1... e5 *", say);
  const text = "“Ke5” is no legal move: it is left out, and what follows it in its line.";
  expect(say).toHaveBeenCalledWith("Not all of the game can be shown", text);
  expect(study.pgn()).toContain("1. e4 ( 1. d4 ) 1... e5 *");
});
