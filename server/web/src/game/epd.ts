/**
 * Positions with operations (EPD): `bm Nf3; id "first"; ce 31;`.  Pure.
 *
 * They become a game without moves: best moves are green arrows, moves to avoid red ones, an
 * evaluation is `[%eval]`, and the rest is a comment.
 */

import { parseSan } from "chessops/san";
import type { Move } from "chessops/types";
import { makeSquare, parseUci } from "chessops/util";
import { withoutBraces } from "./annotation";
import { looksLikeFen, normalizeFen, nullIfInvalid } from "./fen";
import { checkedFen, positionOf } from "./position";

const OPERATIONS = /([A-Za-z]\w*)\s+((?:"[^"]*"|[^;"])*)(?:;|$)/g;
const KNOWN = /^(?:bm|am|id|ce|acd|dm|hmvc|fmvn|c\d)$/;
const LONGEST = 4000; // characters

/** A position, and its operations by their names. */
interface Epd {
  readonly fen: string;
  readonly operations: ReadonlyMap<string, string>;
}

/** Read the FEN of a line, without operations; null if there is none. */
export function readFenLine(line: string): string | null {
  return readEpd(line)?.fen ?? null;
}

/** Return whether a line is a position with operations. */
export function hasOperations(line: string): boolean {
  return Boolean(readEpd(line)?.operations.size);
}

/** Turn positions, one a line (FEN or EPD), into PGN; null if the text is something else. */
export function readPositions(text: string): string | null {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim());
  const isList = lines.length > 1 || hasOperations(lines[0] ?? "");
  const games = isList ? lines.map((line) => pgnOf(readEpd(line))) : [];
  return isList && games.every(Boolean) ? games.join("\n") : null;
}

function readEpd(written: string): Epd | null {
  const line = written.replace(/^(?:fen|epd)\b[\s:=]*/i, "");
  const fen = looksLikeFen(line) ? nullIfInvalid(() => normalizeFen(line).fen) : null;
  if (!fen) return null;
  // Behind four fields, and perhaps two counters.
  const rest = /^\s*(?:\S+\s+){4}(?:\d+\s+\d+\s+)?(.*)$/.exec(line.slice(0, LONGEST))?.[1] ?? "";
  const operations = new Map<string, string>();
  for (const [, name = "", value = ""] of rest.matchAll(OPERATIONS)) {
    if (KNOWN.test(name)) operations.set(name, value.trim());
  }
  return { fen: withCounters(fen, operations), operations };
}

function withCounters(fen: string, operations: ReadonlyMap<string, string>): string {
  const fields = fen.split(" ");
  fields[4] = operations.get("hmvc") ?? fields[4] ?? "";
  fields[5] = operations.get("fmvn") ?? fields[5] ?? "";
  return nullIfInvalid(() => normalizeFen(fields.join(" ")).fen) ?? fen;
}

function pgnOf(epd: Epd | null): string | null {
  if (!epd) return null;
  const { fen, operations } = epd;
  const comments = commentsOf(epd).map((each) => `{ ${withoutBraces(each)} } `);
  const event = unquoted(operations.get("id") ?? "").replace(/["\\]/g, "'");
  return `[Event "${event}"]\n[FEN "${fen}"]\n\n${comments.join("")}*\n`;
}

function commentsOf({ fen, operations }: Epd): string[] {
  const texts = [...operations].filter(([name]) => /^c\d$/.test(name));
  const [best, bad] = ["bm", "am"].map((name) => operations.get(name) ?? "") as [string, string];
  const arrows = [...arrowsOf(fen, best, "G"), ...arrowsOf(fen, bad, "R")];
  const parts = [
    best && `Best: ${best}.`,
    bad && `To avoid: ${bad}.`,
    arrows.length ? `[%cal ${arrows.join(",")}]` : "",
    evaluationOf(fen, operations),
  ];
  const all = [...texts.map(([, text]) => unquoted(text)), parts.filter(Boolean).join(" ")];
  return all.filter(Boolean);
}

function arrowsOf(fen: string, moves: string, color: string): string[] {
  return moves.split(/[\s,]+/).flatMap((text) => {
    const move = nullIfInvalid(() => moveOf(fen, text));
    return move && "from" in move ? `${color}${makeSquare(move.from)}${makeSquare(move.to)}` : [];
  });
}

function moveOf(fen: string, text: string): Move | null {
  const position = positionOf(checkedFen(fen).fen);
  const move = parseSan(position, text.replace(/[!?]+$/, "")) ?? parseUci(text);
  return move && position.isLegal(move) ? move : null;
}

/** Return the evaluation, which is that of the side to move, as PGN has it. */
function evaluationOf(fen: string, operations: ReadonlyMap<string, string>): string {
  const sign = fen.split(" ")[1] === "b" ? -1 : 1;
  const [value, mate, depth] = ["ce", "dm", "acd"].map((name) => numberOf(operations.get(name)));
  const behind = depth ? `,${depth}` : "";
  if (mate) return `[%eval #${sign * mate}${behind}]`;
  return value === null || value === undefined
    ? ""
    : `[%eval ${((sign * value) / 100).toFixed(2)}${behind}]`;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d{1,5}$/.test(text) ? Number(text) : null;
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, "").trim();
}
