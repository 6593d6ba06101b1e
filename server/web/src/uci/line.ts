/**
 * UCI lines to values and back, for the client's side.  Pure: no sockets, no board.
 *
 * Words that are not known are skipped, as UCI asks; a line that makes no sense is null,
 * because an engine's slip must never stop the page.
 */

export type Score =
  | { readonly kind: "cp"; readonly value: number }
  | { readonly kind: "mate"; readonly value: number };

export type Bound = "exact" | "lower" | "upper";

/** What one `info` line says.  Scores are of the side to move; times are in milliseconds. */
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
  readonly currmovenumber?: number;
  readonly score?: Score;
  readonly bound?: Bound;
  readonly wdl?: readonly [number, number, number];
  readonly pv?: readonly string[];
  readonly text?: string;
}

/** The server speaks for itself: a code for programs and a sentence for people. */
export interface Notice {
  readonly code: string;
  readonly text: string;
}

export type Heard =
  | { readonly kind: "info"; readonly info: Info }
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "bestmove"; readonly move: string | null; readonly ponder: string | null }
  | { readonly kind: "id"; readonly key: string; readonly value: string }
  | { readonly kind: "option"; readonly line: string }
  | { readonly kind: "uciok" }
  | { readonly kind: "readyok" };

const NUMBERS = new Set([
  "depth",
  "seldepth",
  "time",
  "nodes",
  "nps",
  "hashfull",
  "tbhits",
  "currmovenumber",
  "multipv",
]);
const NOTICE = /^info string rookery ([a-z-]+): (.*)$/s;

/** Read a line of the server; null if there is nothing in it for us. */
export function parseLine(line: string): Heard | null {
  const notice = NOTICE.exec(line);
  if (notice) return { kind: "notice", notice: { code: notice[1] ?? "", text: notice[2] ?? "" } };
  const words = line.trim().split(/\s+/);
  switch (words[0]) {
    case "info":
      return { kind: "info", info: parseInfo(words, line) };
    case "bestmove":
      return {
        kind: "bestmove",
        move: moveOf(words[1]),
        ponder: words[2] === "ponder" ? moveOf(words[3]) : null,
      };
    case "id":
      return { kind: "id", key: words[1] ?? "", value: words.slice(2).join(" ") };
    case "option":
      return { kind: "option", line };
    case "uciok":
    case "readyok":
      return { kind: words[0] };
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

/** Return a move as UCI writes it; null for `(none)`, `0000` and what is no move. */
function moveOf(word: string | undefined): string | null {
  return word !== undefined && /^([a-h][1-8]){2}[qrbnk]?$/.test(word) ? word : null;
}
