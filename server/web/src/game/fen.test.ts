import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { text } from "../language/catalogue";
import { looksLikeFen, readFen } from "./fen";
import { checkedFen, type Said } from "./position";
import { refusal } from "./refusal.testing";

const noteText = (note: Said | null) => (note ? text(note.id, note.variables) : "");

interface Case {
  readonly fen: string;
  readonly read?: string;
  readonly refused?: string;
  readonly chess960?: boolean;
}

const TABLE = new URL("../../../../tests/data/positions.json", import.meta.url);
const { positions } = JSON.parse(readFileSync(TABLE, "utf8")) as { positions: Case[] };

test.each(positions.filter(({ read }) => read))("read as the engine reads it: $fen", (each) => {
  expect(checkedFen(each.fen, each.chess960).fen).toBe(each.read);
});

test.each(positions.filter(({ refused }) => refused))(
  "refused as the engine refuses it: $fen",
  (each) => {
    const said = refusal(() => checkedFen(each.fen, each.chess960));
    expect(said).toContain(each.refused);
    expect(said.length).toBeLessThan(200);
  },
);

test("Chess960 is chosen only where nothing else can be meant, with a note", () => {
  const start = "nrk1bbqr/pppppppp/8/8/8/8/PPPPPPPP/NRK1BBQR w HBhb - 0 1";
  const full = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1";
  for (const fen of [start, full]) {
    expect(readFen(fen).chess960).toBe(true);
    expect(noteText(readFen(fen).note)).toContain("Chess960");
    expect(readFen(fen, true).note).toBeNull();
  }
});

test("an impossible castling right is left out, with a note", () => {
  const bogus = "r5k1/1pp1qb1p/1p1r1p2/2n1pPp1/4P3/P2P1NP1/1PR1Q1BP/1R4K1 b q - 0 1";
  const { fen, chess960, note } = readFen(bogus);
  expect(fen).toContain(" b - - ");
  expect(chess960).toBe(false);
  expect(noteText(note)).toContain("Castling q is left out");
  expect(noteText(note)).toContain("If it is Chess960");
  expect(noteText(readFen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").note)).toBe(
    "Castling Q is left out: king and rook do not stand for it.",
  );
  expect(readFen("r3k2r/8/8/8/8/8/8/R3K2R w KKQkq - 0 1").note).toBeNull();
});

test("a line that begins with ranks is meant for a FEN", () => {
  expect(looksLikeFen('"4k3/8/8/8/8/8/8/4K3 w"')).toBe(true);
  expect(looksLikeFen("1. e4 e5")).toBe(false);
  expect(looksLikeFen("4k3/8/8/8/8/8/8/4K3 w\n1. e4")).toBe(false);
});
