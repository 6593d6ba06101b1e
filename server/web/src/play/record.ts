/** A game against an engine as it is written down: its headers, and what outlives a reload. */

import { readGames, writeGame } from "../game/pgn";
import { InputError } from "../game/position";
import { clockAt } from "../game/remark";
import { type GameNode, GameTree } from "../game/tree";
import { loadMatch, saveMatch } from "../settings";
import { type Color, other, type Times } from "./clock";
import { asTerms, strengthText, type Terms, timeControl } from "./terms";

/** A game that goes on. */
export interface Match {
  readonly terms: Terms;
  readonly tree: GameTree;
  /** What the clocks show; null is a game without. */
  readonly times: Times | null;
}

/** What both clocks showed at a move, as it was written down; what was not is the whole time. */
export function timesNoted(node: GameNode, base: number): Times {
  const [white, black] = [clockAt(node, "white"), clockAt(node, "black")];
  const inMs = (seconds: number | null) => (seconds === null ? base : 1000 * seconds);
  return { white: inMs(white), black: inMs(black) };
}

export const nameOf = (color: Color) => (color === "white" ? "White" : "Black");

/** A game that is about to begin. */
export function newTree(terms: Terms): GameTree {
  return new GameTree(terms.fen, headersOf(terms), terms.chess960);
}

/** Keep a game for a reload of this tab; null is that there is none to keep. */
export function keepMatch(match: Match | null): void {
  saveMatch(match && { terms: match.terms, pgn: writeGame(match.tree), times: match.times });
}

/** The game of before a reload; null if there is none that makes sense. */
export function keptMatch(): Match | null {
  const stored = loadMatch() as { terms?: unknown; pgn?: unknown; times?: Times } | null;
  const terms = asTerms(stored?.terms);
  if (!terms || typeof stored?.pgn !== "string") return null;
  return { terms, tree: treeOf(stored.pgn) ?? newTree(terms), times: stored.times ?? null };
}

/** The game of a PGN; null if it has no move yet. */
function treeOf(pgn: string): GameTree | null {
  try {
    return readGames(pgn)[0]?.open() ?? null;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

function headersOf(terms: Terms): [string, string][] {
  const today = new Date();
  const [month, day] = [today.getMonth() + 1, today.getDate()].map((n) =>
    String(n).padStart(2, "0"),
  );
  const engine = nameOf(other(terms.color));
  const headers: [string, string][] = [
    ["Event", "Game against an engine"],
    ["Site", location.host],
    ["Date", `${today.getFullYear()}.${month}.${day}`],
    ["White", "You"],
    ["Black", "You"],
    ["Result", "*"],
    ["TimeControl", timeControl(terms)],
  ];
  const named = new Map(headers).set(engine, terms.engine);
  if (terms.strength.kind === "elo") named.set(`${engine}Elo`, strengthText(terms));
  return [...named];
}
