/**
 * UCI lines to values and back, for the client.  Pure: no sockets, no board.
 *
 * Unknown words are skipped, as UCI asks; a line that makes no sense is null, because a faulty
 * engine must not stop the page.
 */

import { type Option, parseOption } from "./option";

/** A position as an engine gets it. */
export interface EnginePosition {
  readonly fen: string;
  /** The name under which findings are kept: the position with what counts of its history. */
  readonly key: string;
  readonly turn: "white" | "black";
  /** `startpos`, or a FEN. */
  readonly start: string;
  readonly moves: readonly string[];
  readonly chess960: boolean;
}

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The first position of a standard game. */
export const START: EnginePosition = {
  fen: START_FEN,
  key: START_FEN,
  turn: "white",
  start: "startpos",
  moves: [],
  chess960: false,
};

export const LIMIT_KINDS = ["infinite", "depth", "movetime", "nodes", "mate"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** The end of a search; `value` is in plies, milliseconds, nodes or moves, by `kind`. */
export interface Limits {
  readonly kind: LimitKind;
  readonly value: number;
}

export const INFINITE: Limits = { kind: "infinite", value: 0 };

export type Score =
  | { readonly kind: "cp"; readonly value: number }
  | { readonly kind: "mate"; readonly value: number };

export type Bound = "exact" | "lower" | "upper";

/** The content of one `info` line.  Scores are of the side to move; times are in milliseconds. */
export interface Info {
  readonly multipv: number;
  readonly depth?: number;
  readonly seldepth?: number;
  readonly time?: number;
  readonly nodes?: number;
  readonly nps?: number;
  readonly hashfull?: number;
  readonly tbhits?: number;
  readonly currmove?: string;
  readonly score?: Score;
  readonly bound?: Bound;
  readonly wdl?: readonly [number, number, number];
  readonly pv?: readonly string[];
  readonly text?: string;
}

/** A message of the server itself: a code for programs and a sentence for people. */
export interface Notice {
  readonly code: string;
  readonly text: string;
}

type EngineLine =
  | { readonly type: "info"; readonly info: Info }
  | { readonly type: "notice"; readonly notice: Notice }
  | { readonly type: "bestmove"; readonly move: string | null; readonly ponder: string | null }
  | { readonly type: "id"; readonly key: string; readonly value: string }
  | { readonly type: "option"; readonly option: Option }
  | { readonly type: "uciok" };

const NUMBERS = new Set([
  "depth",
  "seldepth",
  "time",
  "nodes",
  "nps",
  "hashfull",
  "tbhits",
  "multipv",
]);
const NOTICE = /^info string rookery ([a-z-]+): (.*)$/s;

export function positionCommand({ start, moves }: EnginePosition): string {
  const from = start === "startpos" ? start : `fen ${start}`;
  return `position ${from}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
}

/** Return the words after `go`. */
export function limitWords({ kind, value }: Limits): string {
  return kind === "infinite" ? kind : `${kind} ${value}`;
}

/** Read a line of the server; null if the page has no use for it. */
export function parseLine(line: string): EngineLine | null {
  const notice = NOTICE.exec(line);
  if (notice) return { type: "notice", notice: { code: notice[1] ?? "", text: notice[2] ?? "" } };
  const words = line.trim().split(/\s+/);
  switch (words[0]) {
    case "info":
      return { type: "info", info: parseInfo(words, line) };
    case "bestmove":
      return {
        type: "bestmove",
        move: moveOf(words[1]),
        ponder: words[2] === "ponder" ? moveOf(words[3]) : null,
      };
    case "id":
      return { type: "id", key: words[1] ?? "", value: words.slice(2).join(" ") };
    case "option": {
      const option = parseOption(line);
      return option && { type: "option", option };
    }
    case "uciok":
      return { type: "uciok" };
    default:
      return null;
  }
}

type Draft = { -readonly [Key in keyof Info]: Info[Key] };

function parseInfo(words: readonly string[], line: string): Info {
  const info: Draft = { multipv: 1 };
  let at = 1;
  while (at < words.length) {
    const word = words[at++] as string;
    if (NUMBERS.has(word)) {
      const value = numberOf(words[at]);
      if (value !== null) {
        (info as unknown as Record<string, number>)[word] = value;
        at++;
      }
    } else if (word === "score") {
      at = parseScore(words, at, info);
    } else if (word === "wdl") {
      const [win, draw, loss] = [0, 1, 2].map((each) => numberOf(words[at + each]));
      if (win != null && draw != null && loss != null) {
        info.wdl = [win, draw, loss];
        at += 3;
      }
    } else if (word === "currmove") {
      const move = moveOf(words[at++]);
      if (move) info.currmove = move;
    } else if (word === "pv") {
      const start = at;
      while (at < words.length && moveOf(words[at])) at++;
      info.pv = words.slice(start, at);
    } else if (word === "string") {
      info.text = line.slice(line.indexOf("string") + "string".length).trim();
      break;
    }
  }
  return info;
}

function parseScore(words: readonly string[], start: number, info: Draft): number {
  let at = start;
  for (;;) {
    const word = words[at];
    const value = numberOf(words[at + 1]);
    if ((word === "cp" || word === "mate") && value !== null) {
      info.score = { kind: word, value };
      info.bound ??= "exact";
      at += 2;
    } else if (word === "lowerbound" || word === "upperbound") {
      info.bound = word === "lowerbound" ? "lower" : "upper";
      at++;
    } else return at;
  }
}

function numberOf(word: string | undefined): number | null {
  return word !== undefined && /^[+-]?\d{1,15}$/.test(word) ? Number(word) : null;
}

/** Return a move in UCI; null for `(none)`, `0000` and anything that is no move. */
function moveOf(word: string | undefined): string | null {
  return word !== undefined && /^([a-h][1-8]){2}[qrbnk]?$/.test(word) ? word : null;
}
