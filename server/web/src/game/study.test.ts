import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { commentOn } from "./annotation";
import type { PgnGame } from "./pgn";
import { Study } from "./study";

vi.stubGlobal("location", { hash: "", origin: "", pathname: "/" });
vi.stubGlobal("history", { replaceState: () => {} });

const GAME = "1. e4 e5 ({before} 1... c5 2. Nf3 (2. c3) 2... d6) 2. Nc3 Nf6 *";

type AddNote = (title: string, text: string) => void;

async function studyOf(pgn: string, addNote: AddNote = expect.fail): Promise<Study> {
  const toasts = { addNote, addError: (error: unknown) => expect.fail(String(error)) };
  const study = new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => null });
  await study.openText(pgn);
  return study;
}

test("a change of the main line is undone in one step", async () => {
  const study = await studyOf(GAME);
  const before = study.pgn();
  const alapin = study.tree.peek().root.children[0]?.children[1]?.children[1];
  if (!alapin) throw new Error("not read");
  study.goTo(alapin);
  study.promote(alapin);
  expect(study.pgn()).toContain("1. e4 { before } c5 ( 1... e5 2. Nc3 Nf6 ) 2. c3 ( 2. Nf3 d6 )");
  const most = study.undoable.peek();
  study.promote(alapin); // It is the main line already.
  expect(study.undoable.peek()).toBe(most);
  study.undo();
  expect(study.pgn()).toBe(before);
  expect(study.node.peek()).toBe(alapin);
});

test("moves played since are kept when a change of the main line is undone", async () => {
  const study = await studyOf(GAME);
  const sicilian = study.tree.peek().root.children[0]?.children[1];
  if (!sicilian) throw new Error("not read");
  study.promote(sicilian);
  study.goTo(sicilian);
  study.playAll(["g1f3", "b8c6"]);
  study.undo();
  expect(study.pgn()).toContain(
    "1. e4 e5 ( { before } 1... c5 2. Nf3 ( 2. c3 ) 2... d6 ( 2... Nc6 ) )",
  );
});

test("a drawing can be undone", async () => {
  const study = await studyOf("1. e4 { [%clk 0:05:00] } *");
  study.draw(study.tree.peek().root, [{ color: "green", from: 12, to: 28 }]);
  expect(study.pgn()).toContain("{ [%cal Ge2e4] } 1. e4 { [%clk 0:05:00] }");
  study.undo();
  expect(study.pgn()).not.toContain("%cal");
});

test("a game with an illegal move is shown, with a note", async () => {
  const addNote = vi.fn();
  const study = await studyOf("1. e4 (1. d4 Ke5 2. c4) 1... e5 *", addNote);
  const text = "“Ke5” is not a legal move: it is left out, with the rest of its line.";
  expect(addNote).toHaveBeenCalledWith("Part of the game cannot be shown", text);
  expect(study.pgn()).toContain("1. e4 ( 1. d4 ) 1... e5 *");
});

test("a position that is read with corrections is shown, with a note", async () => {
  const bogus = "r5k1/1pp1qb1p/1p1r1p2/2n1pPp1/4P3/P2P1NP1/1PR1Q1BP/1R4K1 b q - 0 1";
  for (const text of [bogus, `[FEN "${bogus}"]\n\n*`]) {
    const addNote = vi.fn();
    const study = await studyOf(text, addNote);
    expect(study.tree.peek().chess960).toBe(false);
    expect(study.node.peek().fen).toContain(" b - - ");
    expect(addNote).toHaveBeenCalledOnce();
    expect(addNote.mock.lastCall?.[1]).toContain("Castling q is left out");
  }
});

test("chapters without moves are games, and the tag Orientation turns the board", async () => {
  const file = new URL("../../../../tests/data/pgn/study_position_chapters.pgn", import.meta.url);
  const study = await studyOf(readFileSync(file, "utf8"));
  const games = study.games.peek();
  expect(games.map((game) => game.headers.get("Event"))).toHaveLength(3);
  expect(study.orientation.peek()).toBe("black");
  expect(study.pgn()).toContain('[Orientation "black"]');
  study.openGame(games[1] as PgnGame);
  expect(study.orientation.peek()).toBe("white");
  expect(commentOn(study.tree.peek().root)).toBe("Who has the opposition?");
  study.flip();
  study.openGame(games[2] as PgnGame); // Neither game has the tag.
  expect(study.orientation.peek()).toBe("black");
});

test("a game of tags alone is opened", async () => {
  const study = await studyOf('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1-0');
  expect(study.tree.peek().headers.get("White")).toBe("Ann");
});

test("a line of UCI is played, and its last position is shown", async () => {
  const study = await studyOf("position startpos moves e2e4 e7e5");
  expect(study.node.peek().san).toBe("e5");
});

test("moves played after a removed move are kept when its removal is undone", async () => {
  const study = await studyOf("1. e4 { mine } e5 2. Nf3 *");
  const [e4] = study.tree.peek().root.children;
  if (!e4) throw new Error("not read");
  study.remove(e4);
  study.playAll(["e2e4", "c7c5", "d2d4"]);
  study.annotate(study.node.peek(), "a gambit", null);
  study.playAll(["c5d4"]);
  study.remove(study.node.peek());
  for (let count = 0; count < 3; count++) study.undo();
  expect(study.pgn()).toContain("1. e4 { mine } e5 ( 1... c5 2. d4 cxd4 ) 2. Nf3 *");
});

test("a replaced position without moves can be restored", async () => {
  const study = await studyOf("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
  const before = study.pgn();
  await study.openText(GAME);
  study.undo();
  expect(study.pgn()).toBe(before);
  expect(study.undoable.peek()).toBe(0); // An empty game is not kept.
});

test("a game replaced by an undo can be restored", async () => {
  const study = await studyOf(GAME);
  const first = study.pgn();
  await study.openText("1. d4 d5 *");
  study.goToEnd();
  study.playAll(["c2c4", "d5c4"]);
  const changed = study.pgn();
  const node = study.node.peek();
  study.undo();
  expect(study.pgn()).toBe(first);
  study.redo();
  expect(study.pgn()).toBe(changed);
  expect(study.node.peek()).toBe(node);
  expect(study.redoable.peek()).toBe(0);
  study.undo();
  expect(study.pgn()).toBe(first);
});

test("a change of the names is undone, and a new game with it, and its file's games", async () => {
  const study = await studyOf('[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *');
  study.goToEnd();
  study.setHeaders(new Map([["White", "Cid"]]));
  expect(study.pgn()).toContain('[White "Cid"]');
  expect(study.games.peek()[0]?.headers.get("White")).toBe("Cid");
  study.reset();
  expect(study.games.peek()).toHaveLength(0);
  study.undo();
  expect(study.games.peek()).toHaveLength(2);
  expect(study.pgn()).toContain('[White "Cid"]');
  study.undo();
  expect(study.pgn()).toContain('[White "Ann"]');
  expect(study.node.peek().san).toBe("e4");
});

test("names alone make a game that is not lost", async () => {
  const study = await studyOf("1. e4 *");
  study.reset();
  study.setHeaders(new Map([["White", "Ann"]]));
  study.reset();
  study.undo();
  expect(study.pgn()).toContain('[White "Ann"]');
});

test("a game that takes long is read in several tasks, and a later one replaces it", async () => {
  const study = await studyOf("1. d4 *");
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 20)); // each step is long
  const isOpen = study.openText(GAME);
  expect(study.pgn()).toContain("1. d4");
  expect(await isOpen).toBe(true);
  expect(study.pgn()).toContain("1. e4");
  const [first, second] = [study.openText(GAME), study.openText("1. c4 *")];
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect(study.pgn()).toContain("1. c4");
  const third = study.openText(GAME);
  study.reset();
  expect(await third).toBe(false);
  expect(study.tree.peek().isUntouched).toBe(true);
  study.undo();
  expect(study.pgn()).toContain("1. c4");
  clock.mockRestore();
});
