/** A game against an engine: its terms, its headers in PGN, and what outlives a reload. */

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { clockAt } from "../game/annotation";
import { nullIfInvalid } from "../game/fen";
import { readGames, writeGame } from "../game/pgn";
import { sideName } from "../game/position";
import { type GameNode, GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import { loadMatch, type PlayChoice, saveMatch } from "../settings";
import type { Option } from "../uci/option";
import type { Times } from "./clock";

/** The colours, the clock and the strength of a game. */
export interface Terms {
  readonly engine: string;
  /** The colour of the user. */
  readonly color: Color;
  /** Milliseconds; null means no clock. */
  readonly base: number | null;
  readonly increment: number;
  readonly strength: { readonly kind: PlayChoice["strength"]; readonly value: number };
  readonly ponders: boolean;
  readonly fen: string;
  readonly chess960: boolean;
}

/** A game that is not over. */
export interface Match {
  readonly terms: Terms;
  readonly tree: GameTree;
  /** The times on the clocks; null means no clock. */
  readonly times: Times | null;
}

const MOVE_TIME = 1000; // ms for a move of the engine without a clock

/** Return the kinds of strength that an engine offers, with the least and the most of each. */
export function strengthsOf(options: readonly Option[]): Map<"elo" | "skill", [number, number]> {
  const found = new Map<"elo" | "skill", [number, number]>();
  for (const option of options) {
    if (option.type !== "spin") continue;
    if (option.name === "UCI_Elo") found.set("elo", [option.min, option.max]);
    if (option.name === "Skill Level") found.set("skill", [option.min, option.max]);
  }
  if (!options.some((option) => option.name === "UCI_LimitStrength")) found.delete("elo");
  return found;
}

/** Return the options by which the engine plays by the terms. */
export function optionsOf(terms: Terms): Map<string, string> {
  const { kind, value } = terms.strength;
  const options = new Map([["Ponder", String(terms.ponders)]]);
  if (kind === "elo") options.set("UCI_LimitStrength", "true").set("UCI_Elo", String(value));
  if (kind === "skill") options.set("Skill Level", String(value));
  return options;
}

export function strengthText({ strength }: Terms): string {
  if (strength.kind === "full") return "";
  return strength.kind === "elo"
    ? `${strength.value}`
    : text("play-at-level", { level: String(strength.value) });
}

/** Return the words after `go`. */
export function limitsOf(terms: Terms, left: Readonly<Record<Color, number>> | null): string {
  if (!left) return `movetime ${MOVE_TIME}`;
  const [white, black] = [left.white, left.black].map((each) => Math.max(1, Math.round(each)));
  return `wtime ${white} btime ${black} winc ${terms.increment} binc ${terms.increment}`;
}

/** Return the clock as PGN has it. */
export function timeControl(terms: Terms): string {
  if (terms.base === null) return "-";
  const increment = terms.increment ? `+${terms.increment / 1000}` : "";
  return `${terms.base / 1000}${increment}`;
}

/** Read stored terms; null if they are none. */
export function readTerms(value: unknown): Terms | null {
  const terms = value as Partial<Terms> | null;
  const isGood =
    terms !== null &&
    typeof terms === "object" &&
    typeof terms.engine === "string" &&
    (terms.color === "white" || terms.color === "black") &&
    (terms.base === null || typeof terms.base === "number") &&
    typeof terms.increment === "number" &&
    typeof terms.strength === "object" &&
    typeof terms.fen === "string";
  return isGood ? (terms as Terms) : null;
}

/** Return the times of both clocks at a move, as its comments have them. */
export function recordedTimes(node: GameNode, base: number): Times {
  const inMs = (seconds: number | null) => (seconds === null ? base : 1000 * seconds);
  return { white: inMs(clockAt(node, "white")), black: inMs(clockAt(node, "black")) };
}

export function newTree(terms: Terms): GameTree {
  return new GameTree(terms.fen, headersOf(terms), terms.chess960);
}

/** Store a game for a reload of this tab; null removes it. */
export function storeMatch(match: Match | null): void {
  saveMatch(match && { terms: match.terms, pgn: writeGame(match.tree), times: match.times });
}

/** Return the game from before a reload; null if there is none that makes sense. */
export function storedMatch(): Match | null {
  const stored = loadMatch() as { terms?: unknown; pgn?: unknown; times?: Times } | null;
  const terms = readTerms(stored?.terms);
  if (!terms || typeof stored?.pgn !== "string") return null;
  const { pgn, times = null } = stored;
  const tree = nullIfInvalid(() => readGames(pgn)[0]?.open()); // It may have no move yet.
  return { terms, tree: tree ?? newTree(terms), times };
}

function headersOf(terms: Terms): Map<string, string> {
  const today = new Date();
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  const day = `${twoDigits(today.getMonth() + 1)}.${twoDigits(today.getDate())}`;
  const engine = sideName(opposite(terms.color));
  const headers = new Map([
    ["Event", "Game against an engine"],
    ["Site", location.host],
    ["Date", `${today.getFullYear()}.${day}`],
    ["White", "You"],
    ["Black", "You"],
    ["Result", "*"],
    ["TimeControl", timeControl(terms)],
    [engine, terms.engine],
  ]);
  if (terms.strength.kind === "elo") headers.set(`${engine}Elo`, strengthText(terms));
  return headers;
}
