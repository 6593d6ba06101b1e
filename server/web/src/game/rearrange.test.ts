import { expect, test, vi } from "vitest";
import { writeGameFrom } from "./pgn";
import { Study } from "./study";
import { type GameNode, lineText } from "./tree";

vi.stubGlobal("location", { hash: "", origin: "", pathname: "/" });
vi.stubGlobal("history", { replaceState: () => {} });

const GAME =
  "1. e4 e5 ({before} 1... c5 2. Nf3 (2. c3 {quiet} d5 $1) 2... d6) 2. Nc3 $2 Nf6 (2... d6) *";

async function opened(pgn = GAME): Promise<{ study: Study; find: (san: string) => GameNode }> {
  const toasts = { addNote: expect.fail, addError: (error: unknown) => expect.fail(String(error)) };
  const study = new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => null });
  await study.openText(pgn);
  const find = (san: string) => {
    const node = [...study.tree.peek().nodes()].find((each) => each.san === san);
    if (!node) throw new Error(san);
    return node;
  };
  return { study, find };
}

/** Return the moves of a PGN, without its tags. */
function movesIn(pgn: string): string {
  return pgn.split("\n\n").at(-1)?.trim() ?? "";
}

test("a variation moves up among its alternatives, and not beyond them", async () => {
  const { study, find } = await opened();
  const before = study.pgn();
  study.promoteVariation(find("d5"));
  expect(movesIn(study.pgn())).toContain(
    "1. e4 e5 ( { before } 1... c5 2. c3 { quiet } ( 2. Nf3 d6 ) 2... d5 $1 )",
  );
  study.undo();
  expect(study.pgn()).toBe(before);
});

test("all other variations are deleted, and come back with what was played since", async () => {
  const { study, find } = await opened();
  const before = study.pgn();
  study.goTo(find("Nc3"));
  study.removeOthers(find("c3"));
  expect(movesIn(study.pgn())).toBe("1. e4 { before } c5 2. c3 { quiet } d5 $1 *");
  expect(study.node.peek()).toBe(find("c3"));
  study.undo();
  expect(study.pgn()).toBe(before);
  expect(study.node.peek().san).toBe("Nc3");
  study.removeOthers(find("Nf6"));
  study.goTo(find("e4"));
  study.playAll(["c7c5", "b1c3"]);
  study.undo();
  expect(movesIn(study.pgn())).toContain("2. Nf3 ( 2. c3 { quiet } d5 $1 ) ( 2. Nc3 ) 2... d6");
});

test("a part of a game is copied with its annotations and its first position", async () => {
  const { study, find } = await opened();
  expect(lineText(find("d5"))).toBe("1. e4 c5 2. c3 d5");
  const pgn = writeGameFrom(study.tree.peek(), find("c3"));
  expect(pgn).toContain('[FEN "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]');
  expect(movesIn(pgn)).toBe("2. c3 { quiet } d5 $1 *");
});

test("the next and the previous mistake of the main line are found, from either end", async () => {
  const { study, find } = await opened(
    "1. e4 {[%eval 0.3]} e5 $2 {[%eval 1.5]} 2. Nf3 {[%eval 1.5]} f6 $4 {[%eval 4]} 3. d4 *",
  );
  const goTo = (step: 1 | -1) => {
    expect(study.goToMistake(step)).toBe(true);
    return study.node.peek();
  };
  expect([goTo(1), goTo(1), goTo(1)]).toEqual([find("e5"), find("f6"), find("e5")]);
  expect(goTo(-1)).toBe(find("f6"));
  expect((await opened("1. e4 *")).study.goToMistake(1)).toBe(false);
});
