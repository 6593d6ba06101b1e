import { signal } from "@preact/signals";
import { beforeAll, expect, test } from "vitest";
import { INITIAL_FEN } from "../game/position";
import { GameTree } from "../game/tree";
import { loadLater } from "../language/catalogue";
import {
  type Draft,
  draftFrom,
  emptyDraft,
  enPassantSquares,
  faultOf,
  fenOf,
  oddityOf,
  rookOf,
  startPosition,
} from "./draft";
import { Editor } from "./editor";

/** Return an editor beside a game; what it loads is added to a list. */
function editorOf(tree: GameTree, loaded: GameTree[]): Editor {
  const study = {
    tree: signal(tree),
    node: signal(tree.root),
    load: (it: GameTree) => loaded.push(it),
  };
  return new Editor(study, () => {});
}

beforeAll(() => loadLater());

const POSITIONS = [
  INITIAL_FEN,
  "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 40",
  "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
];

test.each(POSITIONS)("a FEN is read and written: %s", (fen) => {
  expect(fenOf(draftFrom(fen))).toBe(fen);
  expect(faultOf(draftFrom(fen))).toBe("");
});

test("castling rights of Chess960 count only in Chess960", () => {
  const fen = "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/qRK1BR1B w KQkq - 2 10";
  expect(fenOf(draftFrom(fen, true))).toBe(fen);
  expect(fenOf(draftFrom(fen))).toBe(fen.replace("KQkq", "-"));
  expect(draftFrom(fen).chess960).toBe(false);
});

test.each([
  ["8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"],
  ["4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"],
  ["P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn cannot stand on a8"],
  ["4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "black is in check but not to move"],
  ["qqqqkqqq/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/QQQQKQQQ w - - 0 1", "White has 24 pieces"],
])("an illegal position is explained: %s", (fen, words) => {
  expect(faultOf(draftFrom(fen))).toContain(words);
});

test("an unusual position is allowed", () => {
  const draft = draftFrom("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1");
  expect(faultOf(draft)).toBe("");
  expect(oddityOf(draft)).toContain("Black has 9 pawns");
  expect(faultOf(emptyDraft())).not.toBe("");
});

test("castling counts where king and rook are in place", () => {
  const draft = draftFrom("r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1");
  expect(rookOf(draft, "K")).toBe(7);
  expect(rookOf(draft, "Q")).toBeNull();
  const free: Draft = { ...draft, chess960: true, castling: new Set(["Q"]) };
  expect(rookOf(free, "Q")).toBe(1);
  expect(fenOf(free)).toContain(" w Q ");
});

test("en passant is possible only behind a pawn that may have come two squares", () => {
  const draft = draftFrom("4k3/2p5/8/2pPp3/8/8/8/4K3 w - - 0 1");
  expect(enPassantSquares(draft)).toEqual([44]); // e6: the pawn of c5 cannot have come from c7, which is occupied.
  expect(fenOf({ ...draft, enPassant: 44 })).toContain(" e6 ");
  expect(fenOf({ ...draft, enPassant: 42 })).toContain(" - ");
});

test("the 960 start positions are all different, and legal; 518 is chess", () => {
  expect(startPosition(518).split(" ")[0]).toBe(INITIAL_FEN.split(" ")[0]);
  expect(startPosition(0)).toMatch(/^bbqnnrkr/);
  expect(startPosition(959)).toMatch(/^rkrnnqbb/);
  const all = Array.from({ length: 960 }, (_, at) => startPosition(at));
  expect(new Set(all).size).toBe(960);
  for (const fen of all) {
    expect(fen.split("/")[0]).toMatch(/r.*k.*r/);
    expect(faultOf({ ...draftFrom(fen), chess960: true })).toBe("");
  }
});

test("every change can be undone, and an illegal position is not analysed", () => {
  const loaded: GameTree[] = [];
  const editor = editorOf(new GameTree("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), loaded);
  editor.open(INITIAL_FEN, false);
  editor.setPiece(60, null);
  expect(editor.fault).toContain("Black has no king");
  editor.finish();
  expect(loaded).toEqual([]);
  editor.undo();
  editor.tool.value = { color: "white", role: "queen" };
  editor.clickSquare(27);
  expect(editor.fen.value).toContain("/3Q4/");
  editor.clickSquare(27);
  expect(editor.fen.value.split(" ")[0]).toBe(INITIAL_FEN.split(" ")[0]);
  editor.finish();
  expect(loaded.map((tree) => tree.root.fen)).toEqual([INITIAL_FEN]);
});

test("the game stays if its position was not changed", () => {
  const loaded: GameTree[] = [];
  const tree = new GameTree();
  const editor = editorOf(tree, loaded);
  editor.open(tree.root.fen, false);
  editor.setPiece(60, null);
  editor.undo();
  editor.finish();
  expect([loaded.length, editor.position.peek()]).toEqual([0, null]);
  editor.open(tree.root.fen, false);
  editor.change({ turn: "black" });
  editor.finish();
  expect(loaded).toHaveLength(1);
});
