/**
 * What was played in each position of many games, and how it ended: an opening explorer.
 *
 * A position is known by its hash, so it is found however it was reached.  Each move of each
 * game is 14 bytes in plain arrays, in the order of reading, and a question looks at all of
 * them: of 10,000 games that takes milliseconds, and nothing has to be kept in order.
 */

import type { Position } from "chessops/chess";
import { normalizeMove } from "chessops/chess";
import { makeSan, parseSan } from "chessops/san";
import { isNormal, type NormalMove, ROLES, type Role } from "chessops/types";
import { makeUci } from "chessops/util";

export type Result = "white" | "draw" | "black" | "open";

/** How many games ended so; `open` are those of which that is not known. */
export type Tally = Readonly<Record<Result, number>>;

/** A move that was played in a position. */
export interface Choice {
  readonly uci: string;
  readonly san: string;
  readonly tally: Tally;
  readonly games: number;
}

export interface Found {
  /** The most frequent first. */
  readonly choices: readonly Choice[];
  /** The games that have the position, by their numbers: those that came first. */
  readonly games: readonly number[];
}

export const MOST_PLIES = 60; // of a game that are looked at: its opening, and some more
const MOST_LISTED = 50; // games of a position
const RESULTS: readonly Result[] = ["white", "draw", "black", "open"];
const BY_HEADER: Readonly<Record<string, Result>> = {
  "1-0": "white",
  "0-1": "black",
  "1/2-1/2": "draw",
};

export class Explorer {
  private size = 0;
  private keys = new Int32Array(2048); // two for each move
  private moves = new Uint16Array(1024);
  private games = new Uint32Array(1024);
  private readonly results: number[] = [];

  /** Take a game in: where it begins, its moves in SAN, and the header `Result`. */
  add(start: Position, sans: Iterable<string>, result = ""): void {
    const game = this.results.length;
    this.results.push(RESULTS.indexOf(BY_HEADER[result] ?? "open"));
    let left = MOST_PLIES;
    for (const san of sans) {
      const move = left-- > 0 ? parseSan(start, san) : undefined;
      if (!move || !isNormal(move)) return;
      this.note(keyOf(start), packed(normalizeMove(start, move) as NormalMove), game);
      start.play(move);
    }
  }

  /** Count a game that has nothing to be taken in. */
  skip(): void {
    this.results.push(RESULTS.indexOf("open"));
  }

  /** What was played here. */
  at(position: Position): Found {
    const [high, low] = keyOf(position);
    const tallies = new Map<number, number[]>();
    const games = new Set<number>();
    for (let at = 0; at < this.size; at++) {
      if (this.keys[2 * at] !== high || this.keys[2 * at + 1] !== low) continue;
      const [move, game] = [this.moves[at] ?? 0, this.games[at] ?? 0];
      const tally = tallies.get(move) ?? [0, 0, 0, 0];
      const result = this.results[game] ?? 3;
      tally[result] = (tally[result] ?? 0) + 1;
      tallies.set(move, tally);
      if (games.size < MOST_LISTED) games.add(game);
    }
    const choices = [...tallies].flatMap(([move, tally]) => choiceOf(position, move, tally));
    return { choices: choices.sort((one, other) => other.games - one.games), games: [...games] };
  }

  private note([high, low]: readonly [number, number], move: number, game: number): void {
    if (this.size === this.moves.length) this.grow();
    this.keys[2 * this.size] = high;
    this.keys[2 * this.size + 1] = low;
    this.moves[this.size] = move;
    this.games[this.size++] = game;
  }

  private grow(): void {
    const [keys, moves, games] = [this.keys, this.moves, this.games];
    this.keys = new Int32Array(2 * keys.length);
    this.moves = new Uint16Array(2 * moves.length);
    this.games = new Uint32Array(2 * games.length);
    this.keys.set(keys);
    this.moves.set(moves);
    this.games.set(games);
  }
}

/** A move in 16 bits: from, to, and what a pawn becomes (0 is nothing). */
function packed({ from, to, promotion }: NormalMove): number {
  return from | (to << 6) | ((promotion ? ROLES.indexOf(promotion) + 1 : 0) << 12);
}

function unpacked(bits: number): NormalMove {
  const role: Role | undefined = ROLES[(bits >> 12) - 1];
  const move = { from: bits & 63, to: (bits >> 6) & 63 };
  return role ? { ...move, promotion: role } : move;
}

/** Empty if it is not legal: two positions had one hash. */
function choiceOf(position: Position, bits: number, counts: readonly number[]): Choice[] {
  const move = unpacked(bits);
  if (!position.isLegal(move)) return [];
  const [white = 0, draw = 0, black = 0, open = 0] = counts;
  const tally = { white, draw, black, open };
  const games = white + draw + black + open;
  return [{ uci: makeUci(move), san: makeSan(position, move), tally, games }];
}

/** 64 bits for a position: what stands where, whose turn it is, and what rights there are. */
function keyOf(position: Position): readonly [number, number] {
  const { board, castles, turn } = position;
  const sets = [board.white, board.black, castles.castlingRights];
  for (const role of ROLES) sets.push(board[role]);
  // Only where it can be taken: else a double step would make another position of it.
  const passed = position.epSquare === undefined ? undefined : position.toSetup().epSquare;
  let high = turn === "white" ? 0x51ed270b : 0x2f0b4c47;
  let low = 64 + (passed ?? -1);
  for (const { hi, lo } of sets) {
    high = Math.imul(high ^ hi, 0x9e3779b1);
    high = Math.imul((high ^ (high >>> 15)) + lo, 0x85ebca77);
    low = Math.imul(low ^ lo, 0xc2b2ae3d);
    low = Math.imul((low ^ (low >>> 13)) + hi, 0x27d4eb2f);
    high ^= low >>> 11;
  }
  return [(high ^ (low << 7)) | 0, low | 0];
}
