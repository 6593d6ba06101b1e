/** The games of the server's explorer, as it tells them (`ExplorerResult` in docs/api.md). */

import { text } from "../language/catalogue";
import type { PlayedMove } from "./explorer";

export const EXPLORER = "/v1/explorer";

export interface ServedGame {
  readonly id: number;
  readonly white: string;
  readonly black: string;
  readonly white_rating?: number;
  readonly black_rating?: number;
  readonly result: string;
  readonly year?: number;
}

export interface ServedMove {
  readonly uci: string;
  readonly san: string;
  readonly white: number;
  readonly draws: number;
  readonly black: number;
  readonly average_rating?: number;
  readonly last_year?: number;
  /** In an opening book. */
  readonly weight?: number;
}

export interface ServedPosition {
  /** Games, if it is not said. */
  readonly kind?: "book";
  readonly moves: readonly ServedMove[];
  readonly games: readonly ServedGame[];
}

/** Return a move as the explorer shows those of a file. */
export function playedMove({ uci, san, white, draws, black }: ServedMove): PlayedMove {
  const results = { white, draw: draws, black, open: 0 };
  return { uci, san, results, games: white + draws + black };
}

/** Return what else is known of a move; empty if nothing. */
export function noteOn({ average_rating: rating, last_year: year }: ServedMove): string {
  if (rating && year) {
    return text("explorer-rating-and-year", { rating: String(rating), year: String(year) });
  }
  if (rating) return text("explorer-rating", { rating: String(rating) });
  return year ? text("explorer-year", { year: String(year) }) : "";
}

/** Return the share of each move of an opening book, by its UCI: `60 %`. */
export function sharesOf(moves: readonly ServedMove[]): ReadonlyMap<string, string> {
  const total = moves.reduce((sum, { weight = 0 }) => sum + weight, 0) || 1;
  return new Map(
    moves.map(({ uci, weight = 0 }) => {
      const percent = (100 * weight) / total;
      return [uci, percent < 1 ? "< 1 %" : `${Math.round(percent)} %`];
    }),
  );
}

/** Return the players, the result and the year of a game. */
export function titleOfServed(game: ServedGame): string {
  const named = (name: string, rating?: number) => (rating ? `${name} (${rating})` : name);
  const white = named(game.white, game.white_rating);
  const players = `${white} – ${named(game.black, game.black_rating)}`;
  return [players, game.result.replace("1/2-1/2", "½-½"), game.year].filter(Boolean).join(", ");
}
