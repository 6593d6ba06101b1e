/** The tags of a game: their order in PGN, what a user may write, the result.  Pure. */

import { defaultHeaders } from "chessops/pgn";
import type { Color } from "chessops/types";
import { finalScore } from "../analysis/review";
import type { Said } from "./fen";
import type { GameTree } from "./tree";

export type Headers = ReadonlyMap<string, string>;

/** Tags that a user can edit, in the order of the form; the others of a game are kept. */
export const EDITED = [
  "White",
  "WhiteElo",
  "Black",
  "BlackElo",
  "Result",
  "Event",
  "Site",
  "Date",
  "Round",
  "ECO",
  "Annotator",
] as const;

export type EditedTag = (typeof EDITED)[number];

const UNKNOWN = /^[?.]*$/;
const LONGEST = 255; // characters, as in the files that pgn-extract reads
const MOST_RATING = 4000;
const MOST_NAMES = 1000; // that are offered while the user types

/** Return the tags in the order of the standard: the seven that each game has, then the others. */
export function writtenHeaders(tree: GameTree): Map<string, string> {
  return new Map([...defaultHeaders(), ...tree.headers, ["Result", resultOf(tree)]]);
}

/** Return the result of a game: by its tag, or else by its last position. */
export function resultOf(tree: GameTree): string {
  const said = tree.headers.get("Result") ?? "*";
  return said === "*" ? (resultOnBoard(tree) ?? "*") : said;
}

/** Return the result by the last position: mate, stalemate, or too little material to mate. */
export function resultOnBoard(tree: GameTree): string | null {
  const last = tree.root.line().at(-1) ?? tree.root;
  const score = finalScore(last);
  if (!score) return null;
  if (score.kind === "cp") return "1/2-1/2";
  return score.value > 0 ? "1-0" : "0-1";
}

/** Return the side at the bottom of the board by a game's tag `Orientation`; null if it has none. */
export function orientationOf({ headers }: GameTree): Color | null {
  const side = headers.get("Orientation")?.trim().toLowerCase();
  return side === "white" || side === "black" ? side : null;
}

/** Return the value of a tag as the form shows it: nothing where it is unknown. */
export function shownTag(headers: Headers, tag: string): string {
  const value = headers.get(tag) ?? "";
  if (UNKNOWN.test(value)) return "";
  return tag === "Date" ? value.replace(/(\.\?\?)+$/, "") : value;
}

/** Tags that were edited, or what is wrong with them. */
export interface Edit {
  readonly headers: Map<string, string>;
  readonly faults: ReadonlyMap<EditedTag, Said>;
}

/** Read what a user has written; a value that was not changed stays, whatever it is. */
export function editHeaders(tree: GameTree, values: ReadonlyMap<EditedTag, string>): Edit {
  const headers = new Map(tree.headers);
  const faults = new Map<EditedTag, Said>();
  for (const [tag, text] of values) {
    const former = tag === "Result" ? resultOf(tree) : shownTag(tree.headers, tag);
    if (text === former) continue;
    const value = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim();
    const read = readTag(tag, value, tree);
    if ("fault" in read) faults.set(tag, read.fault);
    else if (read.value || defaultHeaders().has(tag)) {
      headers.set(tag, read.value || (defaultHeaders().get(tag) ?? "?"));
    } else headers.delete(tag);
  }
  return { headers, faults };
}

type Reading = { readonly value: string } | { readonly fault: Said };

function readTag(tag: EditedTag, value: string, tree: GameTree): Reading {
  if (value.length > LONGEST)
    return { fault: { id: "headers-too-long", variables: { most: LONGEST } } };
  switch (tag) {
    case "Date":
      return readDate(value);
    case "WhiteElo":
    case "BlackElo":
      return /^\d*$/.test(value) && Number(value) <= MOST_RATING
        ? { value }
        : { fault: { id: "headers-no-rating" } };
    case "ECO":
      return /^([A-E]\d\d[a-z]?)?$/i.test(value)
        ? { value: value.charAt(0).toUpperCase() + value.slice(1) }
        : { fault: { id: "headers-no-code" } };
    case "Result": {
      const onBoard = resultOnBoard(tree);
      return onBoard && value !== onBoard
        ? { fault: { id: onBoard === "1/2-1/2" ? "headers-is-draw" : "headers-is-mate" } }
        : { value };
    }
    default:
      return { value };
  }
}

/** Read a date: `2026.11.26`, `2026-11`, `2026`, `26.11.2026`; parts that are unknown are `??`. */
function readDate(text: string): Reading {
  if (!text) return { value: "" };
  const byYear = /^(\d{4}|\?{4})(?:[.\-/](\d{1,2}|\?\?)(?:[.\-/](\d{1,2}|\?\?))?)?$/.exec(text);
  const byDay = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  const parts = byYear?.slice(1) ?? byDay?.slice(1).reverse();
  if (!parts) return { fault: { id: "headers-no-date" } };
  const [year = "????", month = "??", day = "??"] = parts.map((part) => part?.padStart(2, "0"));
  const isMonth = month === "??" || (+month >= 1 && +month <= 12);
  // A leap year stands for one that is unknown.
  const days = month === "??" ? 31 : new Date(Date.UTC(+year || 2000, +month, 0)).getUTCDate();
  if (!isMonth) return { fault: { id: "headers-no-month", variables: { month } } };
  if (day !== "??" && (+day < 1 || +day > days))
    return { fault: { id: "headers-no-day", variables: { day: +day } } };
  return { value: `${year}.${month}.${day}` };
}

/** Return the names that are known from the games of a file, the most frequent ones first. */
export function knownValues(games: Iterable<{ headers: Headers }>, tags: readonly string[]) {
  const counts = new Map<string, number>();
  for (const { headers } of games) {
    for (const tag of tags) {
      const value = shownTag(headers, tag);
      if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, MOST_NAMES).map(([value]) => value);
}
