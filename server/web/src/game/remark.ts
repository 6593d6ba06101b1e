/**
 * What is said of a move: words, drawings on the board, and what programs noted beside them.
 *
 * All of it is in the comments of a PGN, the latter as commands (`[%clk]`, `[%eval]`, `[%cal]`
 * ...).  Whoever changes a part leaves the others as they are, those that only another program
 * understands among them.
 */

import { type CommentShape, makeComment, parseComment } from "chessops/pgn";
import type { GameNode } from "./tree";

/** What an analysis says of the move that would have been better. */
export const BETTER = "better";
const COMMAND = /\[%\w+(?:\s[^\]]*)?\]/g; // of which the reader knows some
const MOST_GLYPHS = 6; // `$1` to `$6` are what is thought of a move: `!`, `?`, ... `?!`

/**
 * The same without what would end a comment: braces become parentheses, for PGN has no other way,
 * and control characters blanks, for pgn-extract ends at NUL.
 */
export function braceless(text: string): string {
  const plain = text.replaceAll("{", "(").replaceAll("}", ")");
  return plain.replace(/(?![\t\n])\p{Cc}/gu, " ");
}

/** A comment without what is only for programs (`[%eval]`, `[%clk]` ...). */
export function commentText(comment: string): string {
  return parseComment(comment).text.replace(COMMAND, " ").trim();
}

/** What is said about a move, without what is only for programs. */
export function wordsOn(node: GameNode): string {
  return node.comments.map(commentText).filter(Boolean).join("\n");
}

/** Say something about a move; its clock, evaluation and drawings stay. */
export function comment(node: GameNode, text: string): void {
  const parsed = node.comments.map(parseComment);
  const unknown = parsed.flatMap((each) => each.text.match(COMMAND) ?? []);
  // The first of each: a clock is not undone by a comment that has none.
  const fields = [...parsed].reverse().flatMap((each) => Object.entries(each));
  const known = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  const shapes = parsed.flatMap((each) => each.shapes);
  const said = makeComment({ ...known, shapes, text: braceless(text).trim() });
  const all = [said, ...unknown].filter(Boolean).join(" ");
  node.comments = all ? [all] : [];
}

/** The arrows and circles of a position, each pair of squares once. */
export function drawingsOn(node: GameNode): CommentShape[] {
  const all = node.comments.flatMap((each) => parseComment(each).shapes);
  return [...new Map(all.map((shape) => [`${shape.from} ${shape.to}`, shape])).values()];
}

/** Have these instead; all else that is said stays. */
export function draw(node: GameNode, shapes: CommentShape[]): void {
  const [first = "", ...rest] = node.comments;
  const comments = [withShapes(first, shapes), ...rest.map((each) => withShapes(each, []))];
  node.comments = comments.filter(Boolean);
}

function withShapes(comment: string, shapes: CommentShape[]): string {
  const parsed = parseComment(comment);
  if (!shapes.length && !parsed.shapes.length) return comment;
  return makeComment({ ...parsed, shapes }).trim();
}

/** What somebody thinks of a move, by a glyph (`$1` to `$6`); null if nothing is said. */
export function ratingOf(node: GameNode): number | null {
  return node.nags.find(isRating) ?? null;
}

export const isRating = (nag: number) => nag <= MOST_GLYPHS;

/** Set it; null takes it away. */
export function rate(node: GameNode, nag: number | null): void {
  const others = node.nags.filter((each) => !isRating(each));
  node.nags = nag === null ? others : [nag, ...others];
}

/** Whether a move is there only because an analysis has found it better than the one played. */
export function isFound({ children, comments, nags }: GameNode): boolean {
  return !children.length && !nags.length && comments.length === 1 && comments[0] === BETTER;
}

/** What the clock of a side showed after its last move, in seconds; null if nobody has noted it. */
export function clockAt(node: GameNode, color: "white" | "black"): number | null {
  for (let at: GameNode | null = node; at?.parent; at = at.parent) {
    if (at.parent.turn !== color) continue;
    const clocks = at.comments.map((each) => parseComment(each).clock);
    return clocks.find((each) => each !== undefined) ?? null;
  }
  return null;
}
