/** A search of the library by what is known of its games.  Pure. */

import type { Key } from "../game/key";
import type { IndexedGame } from "./game_index";

/** What is searched; an empty text, and 0 as the least rating, is no condition. */
export interface Query {
  readonly words: string;
  /** Begins the path of each file. */
  readonly folder: string;
  readonly white: string;
  readonly black: string;
  readonly either: string;
  readonly event: string;
  /** An ECO code or its beginning, or words of a name. */
  readonly opening: string;
  /** Dates: a year, a month (2026.11) or a day. */
  readonly from: string;
  readonly to: string;
  readonly result: string;
  /** Of both players. */
  readonly rating: number;
  /** A position of the main line. */
  readonly position: { readonly fen: string; readonly key: Key } | null;
}

export const NO_QUERY: Query = {
  words: "",
  folder: "",
  white: "",
  black: "",
  either: "",
  event: "",
  opening: "",
  from: "",
  to: "",
  result: "",
  rating: 0,
  position: null,
};

const ECO = /^[a-e]\d{0,2}$/i;

/** Whether a query asks for more than words and a folder: then the index is needed. */
export function needsIndex(query: Query): boolean {
  const { words: _words, folder: _folder, ...rest } = query;
  return Object.values(rest).some(Boolean);
}

/** Whether a query has any condition but the folder. */
export function asksSomething(query: Query): boolean {
  return query.words.trim() !== "" || needsIndex(query);
}

/** Return whether a file is in the folder, or in one below it. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

/** Return whether a text has all words, in any order and case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** Return whether a game is as its fields are wanted, apart from words and position. */
export function isMatch(game: IndexedGame, query: Query): boolean {
  const { white, black, either, event, rating, result } = query;
  return (
    (!white || hasWords(game.white, white)) &&
    (!black || hasWords(game.black, black)) &&
    (!either || hasWords(game.white, either) || hasWords(game.black, either)) &&
    (!event || hasWords(game.event, event)) &&
    (!result || game.result === result) &&
    (!rating || Math.min(game.whiteElo, game.blackElo) >= rating) &&
    isInTime(game.date, query) &&
    hasOpening(game, query.opening.trim())
  );
}

function hasOpening({ eco, opening }: IndexedGame, wanted: string): boolean {
  if (!wanted) return true;
  if (ECO.test(wanted) && wanted.length > 1)
    return eco.toUpperCase().startsWith(wanted.toUpperCase());
  return hasWords(opening, wanted);
}

/** Return whether a date may be within the time; one that is not known is not. */
function isInTime(date: string, { from, to }: Query): boolean {
  if (!from.trim() && !to.trim()) return true;
  if (!date) return false;
  return dayOf(date, "9") >= dayOf(from, "0") && dayOf(date, "0") <= dayOf(to || "9999", "9");
}

/** Return a date as eight digits, with a digit for each that is not known. */
function dayOf(text: string, unknown: string): string {
  const [year = "", month = "", day = ""] = text.trim().replaceAll("?", unknown).split(/[-./]/);
  const padded = (part: string, length: number) =>
    part ? part.padStart(length, "0") : unknown.repeat(length);
  return padded(year, 4) + padded(month, 2) + padded(day, 2);
}
