/**
 * An opening explorer: the moves that were played in each position of many games, and the results.
 *
 * A position is identified by its hash, so it is found however it was reached.  Each move of each
 * game takes 14 bytes in plain arrays, in the order of reading, and a look-up scans all of them: with
 * 10,000 games that takes milliseconds, and nothing has to be sorted.
 */

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Position } from "chessops/chess";
import { normalizeMove } from "chessops/chess";
import { makeSan, parseSan } from "chessops/san";
import { isNormal, type NormalMove, ROLES, type Role } from "chessops/types";
import { makeUci } from "chessops/util";
import { positionKey } from "../game/key";
import { type PgnGame, readPlayedGames } from "../game/pgn";

type Result = "white" | "draw" | "black" | "open";

/** The number of games by result; `open` games have none. */
export type ResultCounts = Readonly<Record<Result, number>>;

/** A move that was played in a position. */
export interface PlayedMove {
  readonly uci: string;
  readonly san: string;
  readonly results: ResultCounts;
  readonly games: number;
}

interface PositionStats {
  /** The most frequent first. */
  readonly moves: readonly PlayedMove[];
  /** The numbers of games with the position: the first ones. */
  readonly games: readonly number[];
}

const MOST_PLIES = 60; // of a game: its opening, and some more
const MOST_LISTED = 50; // games of a position
const RESULTS: readonly Result[] = ["white", "draw", "black", "open"];
const BY_HEADER: Readonly<Record<string, Result>> = {
  "1-0": "white",
  "0-1": "black",
  "1/2-1/2": "draw",
};

export class MoveIndex {
  private size = 0;
  private keys = new Int32Array(2048); // two for each move
  private moves = new Uint16Array(1024);
  private games = new Uint32Array(1024);
  private readonly results: number[] = [];

  /** Add a game: its first position, its moves in SAN, and the header `Result`. */
  add(start: Position, sans: Iterable<string>, result = ""): void {
    const game = this.results.length;
    this.results.push(RESULTS.indexOf(BY_HEADER[result] ?? "open"));
    let left = MOST_PLIES;
    for (const san of sans) {
      const move = left-- > 0 ? parseSan(start, san) : undefined;
      if (!move || !isNormal(move)) return;
      this.addMove(positionKey(start), packMove(normalizeMove(start, move) as NormalMove), game);
      start.play(move);
    }
  }

  /** Count a game without adding its moves. */
  skipGame(): void {
    this.results.push(RESULTS.indexOf("open"));
  }

  /** Return the moves that were played in a position. */
  lookUp(position: Position): PositionStats {
    const [high, low] = positionKey(position);
    const counts = new Map<number, number[]>();
    const games = new Set<number>();
    for (let at = 0; at < this.size; at++) {
      if (this.keys[2 * at] !== high || this.keys[2 * at + 1] !== low) continue;
      const [move, game] = [this.moves[at] ?? 0, this.games[at] ?? 0];
      const results = counts.get(move) ?? [0, 0, 0, 0];
      const result = this.results[game] ?? 3;
      results[result] = (results[result] ?? 0) + 1;
      counts.set(move, results);
      if (games.size < MOST_LISTED) games.add(game);
    }
    const moves = [...counts].flatMap(([move, results]) => playedMove(position, move, results));
    return { moves: moves.sort((one, other) => other.games - one.games), games: [...games] };
  }

  private addMove([high, low]: readonly [number, number], move: number, game: number): void {
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

/** Pack a move into 16 bits: from, to, and the promotion (0 is none). */
function packMove({ from, to, promotion }: NormalMove): number {
  return from | (to << 6) | ((promotion ? ROLES.indexOf(promotion) + 1 : 0) << 12);
}

function unpackMove(bits: number): NormalMove {
  const role: Role | undefined = ROLES[(bits >> 12) - 1];
  const move = { from: bits & 63, to: (bits >> 6) & 63 };
  return role ? { ...move, promotion: role } : move;
}

/** Return a move with its results; empty if it is not legal, as two positions had one hash. */
function playedMove(position: Position, bits: number, counts: readonly number[]): PlayedMove[] {
  const move = unpackMove(bits);
  if (!position.isLegal(move)) return [];
  const [white = 0, draw = 0, black = 0, open = 0] = counts;
  const results = { white, draw, black, open };
  const games = white + draw + black + open;
  return [{ uci: makeUci(move), san: makeSan(position, move), results, games }];
}

/** The games that have been read so far. */
export interface ExplorerState {
  readonly index: MoveIndex;
  readonly games: readonly PgnGame[];
  /** The number of games that have been read. */
  readonly read: number;
  /** Whether they were played on this page, against engines. */
  readonly isOwn: boolean;
}

const SLICE = 8; // ms at once

/** Where the games come from: the open file, the server, or this browser. */
export type Source = "file" | "server" | "own";

/** The explorer of this page: of the games of a file, of the server, or of those played here. */
export class OpeningExplorer {
  readonly isOpen = signal(false);
  /** The source that the user has chosen; null is none. */
  readonly chosen = signal<Source | null>(null);
  readonly sources: ReadonlySignal<readonly Source[]>;
  /** The source that is shown: the chosen one if there are games of it, or else the first. */
  readonly source: ReadonlySignal<Source>;
  /** Null until some games have been read. */
  readonly state = signal<ExplorerState | null>(null);

  /**
   * Read games while the explorer is open, a few at a time; `file` has those of the open file.
   * `isServed` says whether the server has games; `finished` changes with those of this browser.
   */
  constructor(
    file: ReadonlySignal<readonly PgnGame[]>,
    isServed: ReadonlySignal<boolean>,
    finished: ReadonlySignal<number>,
  ) {
    this.sources = computed(() => {
      const found: Source[] = file.value.length ? ["file"] : [];
      return isServed.value ? [...found, "server", "own"] : [...found, "own"];
    });
    this.source = computed(() => {
      const [first = "own"] = this.sources.value;
      const chosen = this.chosen.value;
      return chosen && this.sources.value.includes(chosen) ? chosen : first;
    });
    effect(() => {
      const source = this.source.value;
      const games = source === "file" ? file.value : [];
      if (source === "own") void finished.value;
      const ends = new AbortController();
      if (this.isOpen.value && source !== "server") void this.readGames(games, ends.signal);
      return () => ends.abort();
    });
  }

  toggle(): void {
    this.isOpen.value = !this.isOpen.peek();
  }

  private async readGames(file: readonly PgnGame[], ended: AbortSignal): Promise<void> {
    const isOwn = file.length === 0;
    const games = isOwn ? readPlayedGames() : file;
    const former = this.state.peek();
    if (!isOwn && former?.games === games && former.read === games.length) return;
    const index = new MoveIndex();
    let read = 0;
    do {
      const end = performance.now() + SLICE;
      while (read < games.length && performance.now() < end) addGame(index, games[read++]);
      this.state.value = { index, games, read, isOwn };
      await new Promise((resolve) => setTimeout(resolve));
    } while (read < games.length && !ended.aborted);
  }
}

/** Add a game; one that cannot be opened keeps its number, and has no moves. */
function addGame(index: MoveIndex, game: PgnGame | undefined): void {
  const start = game?.start();
  if (game && start) index.add(start, game.sans(), game.headers.get("Result"));
  else index.skipGame();
}
