/**
 * The games of a file with what a list shows of them.  Pure.
 *
 * Most games of large files have one plain form: tags, a blank line, moves from 1 on, and a result.
 * They are recognized without tokens, which is about ten times as fast.  All others are read by the
 * parser; a test compares both.
 */

import { defaultHeaders } from "chessops/pgn";
import {
  KNOWN_TAGS,
  type ParsedGame,
  type ParsedMove,
  parseGame,
  resultIn,
  splitGames,
} from "./parser";
import { finish, type Steps } from "./steps";

/** What a list shows of a game. */
export interface Description {
  /** The tags, with the result as PGN has it. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether it has moves, or tags. */
  readonly isGame: boolean;
}

const ENDS = /\r{0,2}\n|\r/g;
// Before it a game ends, whatever the game is.
const BOUNDARY = /\n[ \t]*\n(?=\[Event "[^"\\\n[\]]*"\]\n)/g;
const VALUE = '[^"\\\\[\\]\\p{Cc}\\p{Zl}\\p{Zp}]*';
const TAG = new RegExp(`\\[([A-Z][A-Za-z0-9]*) "(${VALUE})"\\]\\n`, "uy");
const COMMENT = /\{[^{}]*\}/g;
const MOVES = /^1\. ?[KQRBNa-h][a-h]?[1-8]([\s\S]*)\s(?:1-0|0-1|1\/2-1\/2)\s*$/;
// Something that the parser has to read, or the number of the first move once more.
const UNUSUAL = /[{}[\];"%*]|\n[ \t]*\n|[\s()]0*1\.?(?![.…\d])/;
const RESULTS = new Set(["1-0", "0-1", "1/2-1/2"]);

/** Split a file into the texts of its games. */
export function* listGames(file: string): Iterable<string> {
  const text = file.includes("\r") ? file.replace(ENDS, "\n") : file;
  let start = 0;
  for (const { 0: gap, index } of text.matchAll(BOUNDARY)) {
    yield* gamesIn(text.slice(start, index + 1));
    start = index + gap.length;
  }
  yield* gamesIn(text.slice(start));
}

function* gamesIn(text: string): Iterable<string> {
  if (plainDescription(text)) yield text;
  else yield* splitGames(text);
}

/** Describe a game by its text, which is parsed only if it has not the plain form. */
export function describeGame(text: string): Description {
  return finish(describeGameInSteps(text));
}

export function* describeGameInSteps(text: string, parse = parseGame): Steps<Description> {
  return plainDescription(text) ?? describeParsed(yield* parse(text));
}

function describeParsed({ tags, root, result }: ParsedGame): Description {
  const headers = new Map([...defaultHeaders(), ...tags]);
  const said = resultIn(headers.get("Result") ?? "");
  headers.set("Result", (said && said !== "*" ? said : result) ?? "*");
  return { headers, isGame: tags.size > 0 || root.children.some(isMove) };
}

/** Return whether a word has the form of a move. */
function isMove({ written }: ParsedMove): boolean {
  return written?.to !== undefined || written?.san !== undefined;
}

/** Describe a game of the plain form; null if its text is something else. */
function plainDescription(text: string): Description | null {
  const headers = defaultHeaders();
  let [end, events] = [0, 0];
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag; tag = TAG.exec(text)) {
    const [, name = "", value = ""] = tag;
    if (isMiswritten(name)) return null;
    if (name === "Event") events++;
    headers.set(name, value);
    end = TAG.lastIndex;
  }
  if (!end || events > 1 || text[end] !== "\n") return null;
  if (!RESULTS.has(headers.get("Result") ?? "")) return null;
  const moves = text.slice(end + 1).replace(COMMENT, "");
  const rest = MOVES.exec(moves)?.[1];
  return rest === undefined || UNUSUAL.test(rest) ? null : { headers, isGame: true };
}

const LOWER_TAGS = new Map(KNOWN_TAGS.map((name) => [name.toLowerCase(), name]));

/** Return whether the parser would correct the name of a tag. */
function isMiswritten(name: string): boolean {
  return (LOWER_TAGS.get(name.toLowerCase()) ?? name) !== name;
}
