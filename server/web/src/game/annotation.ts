/**
 * Annotations of a move: comments, drawings on the board, clocks, glyphs.
 *
 * Comments in PGN contain words and commands of programs (`[%clk]`, `[%eval]`, `[%cal]` ...).
 * Changing one part leaves the others as they are, even commands that only other programs know.
 */

import { type CommentShape, makeComment, parseComment } from "chessops/pgn";
import { type Judgement, NAG_OF } from "../analysis/score";
import type { GameNode } from "./tree";

/** The comment on a move that an analysis suggests. */
export const SUGGESTION = "better";
const COMMAND = /\[%\w+(?:\s[^\]]*)?\]/g; // of a program
const LAST_RATING = 6; // `$1` to `$6` rate a move: `!`, `?`, ... `?!`

/**
 * Replace characters that would end a comment: braces become parentheses, as PGN cannot quote
 * them, and control characters become blanks, as pgn-extract ends at NUL.
 */
export function withoutBraces(text: string): string {
  const plain = text.replaceAll("{", "(").replaceAll("}", ")");
  return plain.replace(/(?![\t\n])\p{Cc}/gu, " ");
}

/** Return a comment without commands of programs (`[%eval]`, `[%clk]` ...). */
export function commentText(comment: string): string {
  return parseComment(comment).text.replace(COMMAND, " ").trim();
}

/** Return the comments on a move, without commands of programs. */
export function commentOn(node: GameNode): string {
  return node.comments.map(commentText).filter(Boolean).join("\n");
}

/** Set the comment on a move; its clock, evaluation and drawings stay. */
export function setComment(node: GameNode, text: string): void {
  const parsed = node.comments.map(parseComment);
  const unknown = parsed.flatMap((each) => each.text.match(COMMAND) ?? []);
  // The first of each counts, and a comment without a clock does not remove that of another.
  const fields = [...parsed].reverse().flatMap((each) => Object.entries(each));
  const known = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  const shapes = parsed.flatMap((each) => each.shapes);
  const comment = makeComment({ ...known, shapes, text: withoutBraces(text).trim() });
  const all = [comment, ...unknown].filter(Boolean).join(" ");
  node.comments = all ? [all] : [];
}

/** Return the arrows and circles of a position, each pair of squares once. */
export function drawingsOn(node: GameNode): CommentShape[] {
  const all = node.comments.flatMap((each) => parseComment(each).shapes);
  return [...new Map(all.map((shape) => [`${shape.from} ${shape.to}`, shape])).values()];
}

/** Replace the arrows and circles of a position; the rest of its comments stays. */
export function setDrawings(node: GameNode, shapes: CommentShape[]): void {
  const [first = "", ...rest] = node.comments;
  const comments = [withShapes(first, shapes), ...rest.map((each) => withShapes(each, []))];
  node.comments = comments.filter(Boolean);
}

function withShapes(comment: string, shapes: CommentShape[]): string {
  const parsed = parseComment(comment);
  if (!shapes.length && !parsed.shapes.length) return comment;
  return makeComment({ ...parsed, shapes }).trim();
}

/** Return the user's rating of a move (`$1` to `$6`); null if there is none. */
export function ratingOf(node: GameNode): number | null {
  return node.nags.find(isRating) ?? null;
}

const isRating = (nag: number) => nag <= LAST_RATING;

/** Set the rating of a move; null removes it. */
export function setRating(node: GameNode, nag: number | null): void {
  const others = node.nags.filter((each) => !isRating(each));
  node.nags = nag === null ? others : [nag, ...others];
}

// The words of the server, and of Lichess, on a bad move.
const SENTENCE = /\s*\b(Inaccuracy|Mistake|Blunder)\.\s+(\S+)\s+was\s+best\./;

/** Return the judgement that a comment has in words, and the better move in SAN; null if none. */
export function sentenceOn({
  comments,
}: GameNode): { judgement: Judgement; better: string } | null {
  const [, name, better] = SENTENCE.exec(comments.join(" ")) ?? [];
  return name && better ? { judgement: name.toLowerCase() as Judgement, better } : null;
}

function withJoinedSentence(comment: string): string {
  return comment.replace(SENTENCE, (words) => words.replace(/\s+/g, " ")).trim();
}

/** Remove the judgement of an earlier analysis from the comments on a move. */
export function removeSentence(node: GameNode): void {
  node.comments = node.comments.map((each) => each.replace(SENTENCE, "").trim()).filter(Boolean);
}

/** Return whether a move is there only because an analysis suggests it. */
export function isSuggestion({ children, comments, nags }: GameNode): boolean {
  return !children.length && !nags.length && comments.length === 1 && comments[0] === SUGGESTION;
}

/** Return a side's clock after its last move, in seconds; null if it was not recorded. */
export function clockAt(node: GameNode, color: "white" | "black"): number | null {
  for (let at: GameNode | null = node; at?.parent; at = at.parent) {
    if (at.parent.turn !== color) continue;
    const clocks = at.comments.map((each) => parseComment(each).clock);
    return clocks.find((each) => each !== undefined) ?? null;
  }
  return null;
}

// Glyphs are numbers in PGN (NAGs), and nothing there says whether the user or an analysis chose
// them.  So that a game which is written and read again is the same, the judgement of an analysis is
// the last rating of a move that has an evaluation; `$0`, PGN's null glyph, means that the analysis has
// found the move good enough, where a `?` of the user would be taken for its judgement.
const NONE = 0;
const JUDGEMENTS: ReadonlyMap<number, Judgement | null> = new Map([
  [NONE, null],
  ...(Object.keys(NAG_OF) as Judgement[]).map((name) => [NAG_OF[name], name] as const),
]);

/** Return the glyphs to show: the user's own rating, or else the judgement of an analysis. */
export function shownNags({ nags, judgement }: GameNode): number[] {
  const isOwn = nags.some(isRating);
  return judgement && !isOwn ? [NAG_OF[judgement], ...nags] : [...nags];
}

/** Return the glyphs to write to PGN: all of them. */
export function writtenNags(node: GameNode): number[] {
  const { nags, judgement, verdict } = node;
  if (!nags.some(isRating)) return shownNags(node);
  if (judgement) return [...nags, NAG_OF[judgement]];
  const isMistakable = verdict !== null && nags.some((nag) => JUDGEMENTS.has(nag));
  return isMistakable ? [...nags, NONE] : [...nags];
}

/** Separate the judgement from glyphs that were read; without an evaluation there is none. */
export function splitNags(node: GameNode): void {
  if (!node.verdict) return;
  const said = sentenceOn(node)?.judgement;
  // PGN has broken it to lines of its own width.
  if (said) node.comments = node.comments.map(withJoinedSentence);
  if (said && !node.nags.includes(NAG_OF[said])) {
    node.judgement = said; // The glyph is of someone who judged it otherwise.
    return;
  }
  const at = node.nags.findLastIndex((nag) => JUDGEMENTS.has(nag));
  node.judgement = JUDGEMENTS.get(node.nags[at] ?? NONE) ?? null;
  node.nags = node.nags.filter((_, index) => index !== at);
}
