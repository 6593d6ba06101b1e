import { expect, test } from "vitest";
import { readGames, writeGame } from "../game/pgn";
import { GameTree, uciOf } from "../game/tree";
import { missedBy, missedIn } from "./missed";
import { Review } from "./review";

const mate = (value: number) => ({ kind: "mate", value }) as const;
const cp = (value: number) => ({ kind: "cp", value }) as const;

function missed(
  fen: string,
  played: string,
  sans: string,
  score = cp(300) as never,
): string | null {
  const tree = new GameTree(fen);
  let node = tree.root;
  const line: string[] = [];
  for (const san of sans.split(" ")) {
    const uci = uciOf(node.fen, san) ?? "";
    expect(uci, san).not.toBe("");
    line.push(uci);
    node = tree.playAll(node, [uci]);
  }
  return missedIn({ fen, played, line, score });
}

const BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const LADDER = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

test.each([
  ["mate", BACK_RANK, "g1f1", "Ra8#", mate(1), "It was mate: Ra8#."],
  ["longer than the line", BACK_RANK, "g1f1", "Ra8#", mate(2), null],
  ["mated oneself", BACK_RANK, "g1f1", "Ra8#", mate(-1), null],
  ["mate in two", LADDER, "g1f1", "Ra7 Kg8 Rb8#", mate(2), "It was mate in 2: Ra7 Kg8 Rb8#."],
  ["mate out of sight", LADDER, "g1f1", "Ra7 Kg8", mate(2), null],
  ["a mate without a score of one", LADDER, "g1f1", "Ra7 Kg8 Rb8#", cp(900), null],
])(
  "a mate is told if the line ends in it, as the score says: %s",
  (_, fen, played, line, score, said) => {
    expect(missed(fen, played, line, score as never)).toBe(said);
  },
);

const KINGS = (rows: string, turn = "w") => `${rows} ${turn} - - 0 1`;

test.each([
  [
    "a piece",
    KINGS("6k1/8/8/3n4/8/8/8/3Q2K1"),
    "g1f1",
    "Qxd5+",
    "The knight was not protected: Qxd5+.",
  ],
  [
    "for Black",
    KINGS("3q2k1/8/8/8/3N4/8/8/6K1", "b"),
    "g8f8",
    "Qxd4+",
    "The knight was not protected: Qxd4+.",
  ],
  ["protected", KINGS("6k1/8/4p3/3n4/8/8/8/3Q2K1"), "g1f1", "Qxd5", null],
  ["a pawn", KINGS("6k1/8/8/3p4/8/8/8/3Q2K1"), "g1f1", "Qxd5+", null],
  ["taken by the move played", KINGS("6k1/8/8/3n4/8/8/8/R2Q2K1"), "d1d5", "Qxd5+", null],
  ["given back", KINGS("3r2k1/8/8/3n4/8/8/8/3Q2K1"), "g1f1", "Qxd5+ Rxd5", null],
])("a piece that hangs is told: %s", (_, fen, played, line, said) => {
  expect(missed(fen, played, line)).toBe(said);
});

test.each([
  [
    "king and queen",
    KINGS("2q3k1/8/8/5N2/8/8/8/6K1"),
    "Ne7+ Kf8 Nxc8",
    "Ne7+ forks king and queen: Ne7+ Kf8 Nxc8.",
  ],
  ["two rooks", KINGS("r5k1/4r3/8/3N4/8/8/8/6K1"), "Nb6 Rae8 Kf1", null],
  ["queen and rook", KINGS("2q3k1/8/r7/3N4/8/8/8/6K1"), "Nb6 Qc1+ Kg2", null],
  ["nothing taken", KINGS("2q3k1/8/8/5N2/8/8/8/6K1"), "Ne7+ Kf8", null],
  ["only one", KINGS("2q4k/8/8/5N2/8/8/8/6K1"), "Ne7 Kh7 Nxc8", "Ne7 wins a queen: Ne7 Kh7 Nxc8."],
  [
    "by a pawn",
    KINGS("7k/8/2n1r3/8/3P4/8/8/6K1"),
    "d5 Kg7 dxe6",
    "d5 forks rook and knight: d5 Kg7 dxe6.",
  ],
])("a fork is told if it wins one of the two: %s", (_, fen, line, said) => {
  expect(missed(fen, "g1f1", line)).toBe(said);
});

test.each([
  [
    "a rook for a bishop",
    KINGS("5rk1/8/8/8/1B6/8/8/6K1"),
    "Bxf8 Kxf8",
    "Bxf8 wins a rook for a bishop: Bxf8 Kxf8.",
  ],
  ["counted when all is taken", KINGS("5rk1/8/8/8/1B6/8/8/6K1"), "Bxf8", null],
  ["a promotion", KINGS("8/P5k1/8/8/8/8/8/6K1"), "a8=Q", null],
  ["an even exchange", KINGS("6k1/8/4p3/3n4/8/4N3/8/6K1"), "Nxd5 exd5", null],
])("what the captures of the line win is told: %s", (_, fen, line, said) => {
  expect(missed(fen, "g1f1", line)).toBe(said);
});

test("moves that are no mistakes, or not in the game, have missed nothing", () => {
  const tree = new GameTree(BACK_RANK);
  const node = tree.playAll(tree.root, ["g1f1"]);
  tree.root.verdict = { score: mate(1), depth: 9, best: "a1a8" };
  expect(missedBy(node)).toBeNull();
  node.judgement = "blunder";
  expect(missedBy(node)).toBe("It was mate: Ra8#.");
  tree.root.verdict = { score: cp(10), depth: 9, best: "a1a8" };
  expect(missedBy(node)).toBeNull(); // It is not remembered.
  expect(missedBy(tree.root)).toBeNull();
});

test("a better line is written with its score, read again, and replaced by a newer one", () => {
  const review = (tree: GameTree, pv: string[]) => {
    const judge = new Review(tree);
    judge.addFindings({ lines: [{ score: mate(2), depth: 9, pv }] } as never, pv[0] ?? null);
    judge.addFindings({ lines: [{ score: cp(0), depth: 9, pv: [] }] } as never, null);
  };
  const tree = new GameTree(LADDER);
  tree.playAll(tree.root, ["g1f1"]);
  const line = ["a2a7", "h8g8", "b1b8"];
  review(tree, line);
  const written = writeGame(tree);
  expect(written).toContain("( 1. Ra7 { better } Kg8 2. Rb8# )");
  const again = readGames(written)[0]?.open() as GameTree;
  expect(again.root.verdict?.line).toEqual(line);
  expect(missedBy(again.root.children[0] as never)).toBe("It was mate in 2: Ra7 Kg8 Rb8#.");
  expect(writeGame(again)).toBe(written);
  review(again, ["a2a7", "h8g8"]);
  expect(writeGame(again)).toContain("( 1. Ra7 { better } Kg8 { [%eval #1,9] } )");
  review(again, ["b1b7", "h8g8"]);
  expect(writeGame(again)).not.toContain("Ra7");
});

test("a line that the user has changed stays when a newer analysis finds another", () => {
  const text = (more: string) =>
    `{ [%eval 0.3,9] } 1. g4 $4 { [%eval -1.5,9] } ( 1. e4 { better } e5 2. Nf3 { ${more}[%eval 0.3,9] } ) *`;
  for (const [more, count] of [
    ["", 1],
    ["mine ", 2],
  ] as const) {
    const tree = readGames(text(more))[0]?.open() as GameTree;
    expect(tree.root.verdict?.best).toBe("e2e4");
    const judge = new Review(tree);
    judge.addFindings({ lines: [{ score: cp(30), depth: 9, pv: ["d2d4"] }] } as never, "d2d4");
    judge.addFindings({ lines: [{ score: cp(-150), depth: 9, pv: [] }] } as never, null);
    expect(tree.root.children).toHaveLength(count);
  }
});
