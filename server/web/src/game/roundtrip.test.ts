/**
 * Games with all that PGN has, opened and exported by the page: chessops and python-chess, which know
 * nothing of the page, find in both texts the same.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chess, normalizeMove, type Position } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { type Game, type PgnNodeData, parseComment, parsePgn } from "chessops/pgn";
import { makeSan, parseSan } from "chessops/san";
import type { Move } from "chessops/types";
import { makeUci } from "chessops/util";
import { expect, test } from "vitest";
import { type PgnGame, readGames, writeSharedGame } from "./pgn";

const COUNT = 500;
const SEED = 20261126;
const PATIENCE = 60_000; // ms, on a busy machine
const REPOSITORY = new URL("../../../../", import.meta.url).pathname;
const WORDS = [
  "Zugzwang?",
  "naïve",
  "Чигорин",
  "石田流",
  "½",
  "50%",
  "a; b",
  "1. e4",
  "$1",
  "(so)",
  "->",
  "♘",
];
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"] as const;

/** Numbers that look random (mulberry32). */
class Random {
  constructor(private state: number) {}

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  is(chance: number): boolean {
    return this.next() < chance;
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }
}

/** Writes one game, always the same for the same number. */
class Writer {
  private readonly words: string[] = [];
  private readonly random: Random;

  /** Neither chessops nor python-chess reads comments behind a semicolon. */
  constructor(
    private readonly number: number,
    private readonly hasLineComments: boolean,
  ) {
    this.random = new Random(SEED + number);
  }

  write(): string {
    const { random, number } = this;
    const kind = random.below(4);
    const start = kind === 0 ? this.chess960() : kind === 1 ? this.middle() : Chess.default();
    const result = random.of(RESULTS);
    const tags = [
      ["Event", `Round \\"${number}\\" of a \\\\ cup`],
      ["White", random.of(["Ann", "Müller, Jürgen", "Чигорин", "O'Neill"])],
      ["Black", "?"],
      ["Result", result],
      ...(kind === 0 ? [["Variant", "Chess960"]] : []),
      ...(kind < 2
        ? [
            ["SetUp", "1"],
            ["FEN", makeFen(start.toSetup())],
          ]
        : []),
    ];
    if (random.is(0.3)) this.comment();
    this.line(start, 2 + random.below(14), 0, true);
    const head = tags.map(([name, value]) => `[${name} "${value}"]`).join("\n");
    return `${head}\n\n${this.wrapped()} ${result}\n`;
  }

  /** Write moves, each with its annotations and the variations to it. */
  private line(start: Position, plies: number, depth: number, isFirst: boolean): void {
    const { random } = this;
    const position = start.clone();
    let isNumbered = isFirst;
    for (let ply = 0; ply < plies; ply++) {
      const moves = movesOf(position);
      if (!moves.length) return;
      const move = random.of(moves);
      this.move(position, move, isNumbered);
      isNumbered = this.annotations();
      const others = moves.filter((each) => each !== move);
      for (let count = depth < 3 && random.is(0.12) ? 1 + random.below(2) : 0; count > 0; count--) {
        const other = others.splice(random.below(others.length), 1)[0];
        if (!other) break;
        this.variation(position, other, depth + 1, others.length + 2 === moves.length);
        isNumbered = true;
      }
      position.play(move);
    }
  }

  /** Write a variation; the first one at a move may be a null move. */
  private variation(before: Position, first: Move, depth: number, isFirst: boolean): void {
    const { random } = this;
    this.words.push("(");
    if (random.is(0.2)) this.comment();
    const position = before.clone();
    if (isFirst && random.is(0.1) && !position.isCheck()) {
      this.words.push(numberOf(position), random.of(["--", "Z0"]), ")");
      return;
    }
    this.move(position, first, true);
    const isNumbered = this.annotations();
    position.play(first);
    this.line(position, random.below(5), depth, isNumbered);
    this.words.push(")");
  }

  private move(position: Position, move: Move, isNumbered: boolean): void {
    if (position.turn === "white" || isNumbered) this.words.push(numberOf(position));
    const glyph = this.random.is(0.1) ? this.random.of(["!", "?", "!!", "??", "!?", "?!"]) : "";
    this.words.push(makeSan(position, move) + glyph);
  }

  /** Write glyphs and comments; return whether there was a comment. */
  private annotations(): boolean {
    const { random } = this;
    if (random.is(0.1))
      this.words.push(`$${random.of([7, 10, 13, 14, 15, 18, 22, 36, 140, 142, 146])}`);
    let count = random.is(0.25) ? 1 + random.below(2) : 0;
    const hasComment = count > 0;
    for (; count > 0; count--) this.comment();
    if (random.is(0.03)) this.words.push("\n% this line is for another program: e4 { (\n");
    return hasComment;
  }

  private comment(): void {
    const { random } = this;
    if (random.is(0.15)) {
      this.words.push(this.hasLineComments ? `; ${this.text(4)}\n` : `{${this.text(4)}}`);
      return;
    }
    const clock = `0:${10 + random.below(50)}:0${random.below(10)}`;
    const parts = [
      random.is(0.7) ? this.text(random.is(0.1) ? 60 : 6).replaceAll("? ", "?\n") : "",
      random.is(0.3) ? `[%eval ${random.of(["0.31", "-1.5", "0.2,18", "#-3", "#4,30"])}]` : "",
      random.is(0.3) ? `[%clk ${clock}]` : "",
      random.is(0.1) ? `[%emt ${clock}]` : "",
      random.is(0.2) ? "[%csl Gd4,Re5][%cal Ge2e4,Yd1h5]" : "",
      random.is(0.1) ? `[%mdl ${random.below(99)}]` : "",
      random.is(0.1) ? "[%c_arrow e2e4;keyPressed;none]" : "",
    ];
    this.words.push(`{${parts.filter(Boolean).join(" ")}}`);
  }

  private text(words: number): string {
    const count = 1 + this.random.below(words);
    return Array.from({ length: count }, () => this.random.of(WORDS)).join(" ");
  }

  /** Return the words in lines of 79 characters; a line for other programs stands alone. */
  private wrapped(): string {
    let text = "";
    let width = 0;
    for (const word of this.words) {
      const isLine = word.startsWith("\n");
      if (isLine || width + word.length < 79) text += isLine ? word : `${width ? " " : ""}${word}`;
      else text += `\n${word}`;
      width = word.endsWith("\n") ? 0 : text.length - text.lastIndexOf("\n") - 1;
    }
    return text.trimStart().replace(/\n{2,}/g, "\n"); // An empty line ends a game.
  }

  private middle(): Position {
    const position = Chess.default();
    for (let count = 1 + this.random.below(20); count > 0; count--) {
      const moves = movesOf(position);
      if (moves.length) position.play(this.random.of(moves));
    }
    return movesOf(position).length ? position : Chess.default();
  }

  private chess960(): Position {
    const free = [0, 1, 2, 3, 4, 5, 6, 7];
    const rank: string[] = [];
    const put = (piece: string, at: number) => {
      rank[free[at] as number] = piece;
      free.splice(at, 1);
    };
    rank[2 * this.random.below(4)] = "b";
    rank[2 * this.random.below(4) + 1] = "b";
    free.splice(0, 8, ...[0, 1, 2, 3, 4, 5, 6, 7].filter((file) => !rank[file]));
    for (const piece of ["q", "n", "n"]) put(piece, this.random.below(free.length));
    for (const piece of ["r", "k", "r"]) put(piece, 0);
    const row = rank.join("");
    const rooks = [row.lastIndexOf("r"), row.indexOf("r")].map((file) => "abcdefgh"[file]).join("");
    const fen = `${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w ${rooks.toUpperCase()}${rooks} - 0 1`;
    return Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  }
}

function movesOf(position: Position): Move[] {
  const moves: Move[] = [];
  for (const [from, squares] of position.allDests()) {
    for (const to of squares) {
      const isLast = position.board.pawn.has(from) && (to < 8 || to > 55);
      moves.push(normalizeMove(position, isLast ? { from, to, promotion: "queen" } : { from, to }));
    }
  }
  return moves;
}

function numberOf(position: Position): string {
  return `${position.fullmoves}${position.turn === "white" ? "." : "..."}`;
}

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim();

/** Return the content of comments, in whatever order they name things. */
function contentOf(comments: readonly string[] = []): object[] {
  return comments
    .map((each) => ({ ...parseComment(each), text: squeezed(parseComment(each).text) }))
    .filter(
      ({ text, ...rest }) =>
        text || Object.values(rest).some((it) => it && !Array.isArray(it)) || rest.shapes.length,
    );
}

/** Return a game as chessops reads it. */
function seen({ headers, comments, moves }: Game<PgnNodeData>): object {
  const fen = headers.get("FEN");
  const start = fen ? Chess.fromSetup(parseFen(fen).unwrap()).unwrap() : Chess.default();
  const nodes = (children: typeof moves.children, position: Position): object[] =>
    children.map(({ data, children: next }) => {
      const move = data.san === "--" ? null : parseSan(position, data.san);
      const after = position.clone();
      if (move) after.play(move);
      return {
        move: move ? makeUci(move) : data.san,
        nags: [...new Set(data.nags)].sort(),
        before: contentOf(data.startingComments),
        comments: contentOf(data.comments),
        next: nodes(next, after),
      };
    });
  return {
    headers: [...headers].sort(),
    comments: contentOf(comments),
    moves: nodes(moves.children, start),
  };
}

const numbers = Array.from({ length: COUNT }, (_, at) => at + 1);
const written = numbers.map((number) => new Writer(number, true).write());
const plain = numbers.map((number) => new Writer(number, false).write());
const exported = readGames(written.join("\n")).map((game: PgnGame) => {
  const text = writeSharedGame(game.open());
  expect(game.unread).toBeNull();
  return text;
});

test(
  "chessops reads the same",
  () => {
    expect(exported).toHaveLength(COUNT);
    for (const [at, text] of plain.entries()) {
      const [before, after] = [text, exported[at] ?? ""].map((pgn) => parsePgn(pgn).map(seen));
      expect(after, text).toEqual(before);
    }
  },
  PATIENCE,
);

test(
  "python-chess reads the same",
  () => {
    const installed = join(REPOSITORY, ".venv/bin/python");
    const python = process.env.PYTHON ?? (existsSync(installed) ? installed : "python3");
    const folder = mkdtempSync(join(tmpdir(), "roundtrip-"));
    try {
      const files = [plain, exported].map((games, at) => {
        const file = join(folder, `${at}.pgn`);
        writeFileSync(file, games.join("\n"));
        return file;
      });
      const script = join(REPOSITORY, "tests/helpers/same_games.py");
      const { stdout, stderr } = spawnSync(python, [script, ...files], { encoding: "utf8" });
      expect(stdout.trim() || stderr).toBe(`${COUNT} games, all the same`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  PATIENCE,
);

test(
  "an exported game is the same after it was opened and exported again",
  () => {
    for (const text of exported.slice(0, 100)) {
      const [game] = readGames(text) as [PgnGame];
      expect(writeSharedGame(game.open())).toBe(text);
    }
  },
  PATIENCE,
);
