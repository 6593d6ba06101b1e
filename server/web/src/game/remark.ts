/**
 * Remarks of engines on their moves, as programs for matches write them into comments.  Pure.
 *
 * cutechess and fastchess write `+0.16/13 0.074s`, with `n=12345 sd=20` or `, White mates` behind;
 * Arena `(Nf6) +0.16/13 5`; Banksia GUI `+0.16/13 74ms 12345`; TCEC `d=13, ev=0.16, mt=00:00:05`.
 * A score is that of the side that has moved, except TCEC's `wv`.  Only a whole comment is a remark,
 * since people write numbers, too.
 */

import type { Score } from "../uci/line";

/** A remark; each part is null if it is missing. */
export interface Remark {
  /** The score for the side that has moved. */
  readonly score: Score | null;
  /** The score for White. */
  readonly whiteScore: Score | null;
  readonly depth: number | null;
  /** The time that the move took. */
  readonly seconds: number | null;
  /** Words for people behind the numbers; may be empty. */
  readonly text: string;
}

const NUMBER = "[+\\-−]?\\d{1,4}[.,]\\d{1,3}";
const SCORE = `(${NUMBER}|[+\\-−]?[M#][+\\-−]?\\d{1,3})`;
const TIME = "(\\d{1,3}(?::\\d\\d){1,2}(?:\\.\\d+)?|\\d{1,9}(?:\\.\\d+)?\\s?(?:ms|s|min)?)";
const SLASHED = new RegExp(
  `^(?:\\([^()]{2,40}\\)\\s*)?${SCORE}/(\\d{1,3})(?:/\\d{1,3})?(?:\\s+${TIME})?(?=$|[\\s,;])`,
);
const BARE = new RegExp(`^(?:\\(${SCORE}\\)|([+\\-−]\\d{1,3}\\.\\d\\d|0\\.00))$`);
const FIELD = /^\s*([a-z]\w*)\s*=\s*(.*)$/is;
// Behind the score: `n=12345`, `pv="e2e4 e7e5"`, or a number of nodes.
const EXTRA =
  /(?:^|[\s,;])(?:\w+=(?:"[^"]*"|[^\s,;]*)|\d+(?:\.\d+)?[kMG]?(?:\s?(?:nodes|nps|n\/s))?(?=$|[\s,;]))/g;
const NAMES: Readonly<Record<string, keyof Remark>> = {
  ev: "score",
  eval: "score",
  wv: "whiteScore",
  score: "score",
  d: "depth",
  depth: "depth",
  mt: "seconds",
  movetime: "seconds",
  t: "seconds",
  time: "seconds",
};
const BOOK = /^\s*(?:\(?book\)?|B 0|0 B\/ 0)\s*$/i; // also of Arena
const LONGEST = 2000; // characters
const NOTHING: Remark = { score: null, whiteScore: null, depth: null, seconds: null, text: "" };

/** Read a comment without commands (`[%clk]`) as a remark; null if it is something else. */
export function readRemark(comment: string): Remark | null {
  const text = comment.trim();
  if (!text || text.length > LONGEST) return null;
  return isBookMove(text) ? NOTHING : (readSlashed(text) ?? readFields(text) ?? readBare(text));
}

/** Return whether a comment says that the move is from a book, and nothing else. */
export function isBookMove(comment: string): boolean {
  return BOOK.test(comment);
}

function readSlashed(text: string): Remark | null {
  const found = SLASHED.exec(text);
  if (!found) return null;
  const [whole, score = "", depth, time] = found;
  const rest = text.slice(whole.length).replace(EXTRA, " ");
  return {
    ...NOTHING,
    score: scoreOf(score),
    depth: Number(depth) || null,
    seconds: time === undefined ? null : secondsOf(time),
    text: rest.replace(/^[\s,;]+|[\s,;]+$/g, "").replace(/\s+/g, " "),
  };
}

/** Read fields: `d=13, ev=0.16, pv=Nf3 d5, `. */
function readFields(text: string): Remark | null {
  const parts = text.split(/[\s,;]+(?=[a-z]\w*\s*=)/i);
  const remark: Record<string, unknown> = { ...NOTHING };
  for (const part of parts) {
    const [, name, said = ""] = FIELD.exec(part) ?? [];
    if (!name) return null;
    const value = said.replace(/[\s,;]+$/, "");
    const key = NAMES[name.toLowerCase()];
    if (key === "score" || key === "whiteScore") remark[key] = scoreOf(value);
    // TCEC writes hours, minutes and seconds, or milliseconds.
    else if (key === "seconds") remark[key] = secondsOf(/^\d+$/.test(value) ? `${value}ms` : value);
    else if (key === "depth") remark[key] = Number.parseInt(value, 10) || null;
  }
  const found = remark as unknown as Remark;
  return found.score || found.whiteScore ? found : null;
}

function readBare(text: string): Remark | null {
  const [, inner, signed] = BARE.exec(text) ?? [];
  const score = scoreOf(inner ?? signed ?? "");
  return score && { ...NOTHING, score };
}

function scoreOf(text: string): Score | null {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  const [, sign = "", inner = "", moves] = /^([+-]?)[M#]([+-]?)(\d+)$/.exec(plain) ?? [];
  if (moves !== undefined) {
    return { kind: "mate", value: (`${sign}${inner}`.includes("-") ? -1 : 1) * Number(moves) };
  }
  if (!/^[+-]?\d+(\.\d+)?$/.test(plain)) return null;
  return { kind: "cp", value: Math.round(100 * Number(plain)) || 0 };
}

/** Read a time: `0.074s`, `74ms`, `5`, `1:05` or `00:01:05`; null if it is none. */
export function secondsOf(text: string): number | null {
  const [, digits, unit] = /^([\d:.]+)\s?(ms|s|min)?$/.exec(text.trim()) ?? [];
  if (!digits) return null;
  const value = digits.split(":").reduce((sum, each) => 60 * sum + Number(each), 0);
  if (Number.isNaN(value)) return null;
  return unit === "ms" ? value / 1000 : unit === "min" ? 60 * value : value;
}
