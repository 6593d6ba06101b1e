/**
 * What the library knows of each game of a file: its tags, its opening, its positions.  Pure.
 *
 * A file is indexed in parts of so many games.  The positions of a part's main lines are one sorted
 * array: 48 bits of a position's hash, then 16 bits of the game's number in the part.
 */

import { parseBoardFen } from "chessops/fen";
import { boardKey, type Key, withRights } from "../game/key";
import type { PgnGame } from "../game/pgn";
import type { Opening } from "../opening/openings";

/** To be changed with what is kept, or how positions are hashed: older parts are made anew. */
export const INDEX_FORM = 1;
export const PART = 2000; // games

/** What a game is searched by; what is not known is empty or 0. */
export interface IndexedGame {
  readonly white: string;
  readonly black: string;
  readonly event: string;
  readonly date: string;
  readonly result: string;
  readonly whiteElo: number;
  readonly blackElo: number;
  readonly eco: string;
  readonly opening: string;
}

/** A part of a file's index. */
export interface IndexPart {
  readonly first: number;
  readonly games: readonly IndexedGame[];
  readonly positions: BigUint64Array;
}

/** Openings by the hash of their boards. */
export type OpeningBook = ReadonlyMap<number, Opening>;

/** Return the first games of the parts that a file has. */
export function partsOf(count: number): number[] {
  return Array.from({ length: Math.ceil(count / PART) }, (_, at) => at * PART);
}

export function partWith(at: number): number {
  return at - (at % PART);
}

/** Turn the names of positions (pieces, side to move) into a book. */
export function bookOf(names: ReadonlyMap<string, Opening>): OpeningBook {
  const book = new Map<number, Opening>();
  for (const [position, opening] of names) {
    const [pieces = "", turn] = position.split(" ");
    const board = parseBoardFen(pieces).unwrap();
    book.set(numberOf(boardKey(board, turn === "b" ? "black" : "white")), opening);
  }
  return book;
}

function numberOf([high, low]: Key): number {
  return (high >>> 0) * 2 ** 21 + (low & 0x1fffff);
}

/** Builds one part of the index. */
export class PartBuilder {
  private readonly games: IndexedGame[] = [];
  private values = new BigUint64Array(4096);
  private words = new Uint32Array(this.values.buffer);
  private size = 0;

  constructor(
    private readonly first: number,
    private readonly book: OpeningBook,
  ) {}

  get isFull(): boolean {
    return this.games.length === PART;
  }

  add(game: PgnGame): void {
    let found: Opening | undefined;
    const number = this.games.length;
    for (const position of game.positions()) {
      const key = boardKey(position.board, position.turn);
      found = this.book.get(numberOf(key)) ?? found;
      this.addPosition(withRights(key, position), number);
    }
    this.games.push(indexedGame(game.headers, found));
  }

  private addPosition([high, low]: Key, game: number): void {
    if (this.size === this.values.length) {
      const former = this.values;
      this.values = new BigUint64Array(2 * former.length);
      this.values.set(former);
      this.words = new Uint32Array(this.values.buffer);
    }
    // All browsers keep the lower half first.
    this.words[2 * this.size] = (low << 16) | game;
    this.words[2 * this.size++ + 1] = high;
  }

  finish(): IndexPart {
    const sorted = this.values.subarray(0, this.size).sort();
    // A position that a game has twice is kept once.
    const positions = sorted.filter((each, at) => at === 0 || each !== sorted[at - 1]);
    return { first: this.first, games: this.games, positions };
  }
}

function indexedGame(
  headers: ReadonlyMap<string, string>,
  found: Opening | undefined,
): IndexedGame {
  const tag = (name: string) => {
    const value = headers.get(name) ?? "";
    return /^[?.*-]*$/.test(value) ? "" : value;
  };
  return {
    white: tag("White"),
    black: tag("Black"),
    event: tag("Event"),
    date: tag("Date"),
    result: tag("Result"),
    whiteElo: Number.parseInt(tag("WhiteElo"), 10) || 0,
    blackElo: Number.parseInt(tag("BlackElo"), 10) || 0,
    eco: tag("ECO") || (found?.eco ?? ""),
    opening: tag("Opening") || (found?.name ?? ""),
  };
}

/** Return the games of a part with a position, by their numbers in the part. */
export function gamesWith(positions: BigUint64Array, [high, low]: Key): Set<number> {
  const games = new Set<number>();
  const wanted = (BigInt(high >>> 0) << 32n) | (BigInt(low & 0xffff) << 16n);
  for (let at = lowerBound(positions, wanted); at < positions.length; at++) {
    const value = positions[at] ?? 0n;
    if (value >> 16n !== wanted >> 16n) break;
    games.add(Number(value & 0xffffn));
  }
  return games;
}

/** Return the index of the first value that is not less than the wanted one. */
function lowerBound(values: BigUint64Array, wanted: bigint): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] ?? 0n) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
