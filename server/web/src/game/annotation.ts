/**
 * Annotations of a move: comments, drawings on the board, clocks, glyphs.
 *
 * Comments in PGN contain words and commands of programs (`[%clk]`, `[%eval]`, `[%cal]` ...).
 * Changing one part leaves the others as they are, even commands that only other programs know.
 */

import { type CommentShape, makeComment, parseComment } from "chessops/pgn";
import { type Judgement, NAG_OF } from "../analysis/score";
import { drawingsIn, withDrawings } from "./drawing";
import { readRemark, secondsOf } from "./remark";
import type { GameNode } from "./tree";

/** The comment on a move that an analysis suggests. */
export const SUGGESTION = "better";
const COMMAND = /\[%\w+(?:[^\w\]][^\]]*)?\]/g; // of a program
const EVAL = /^\[%eval [^\]]*\]$/;
// The place after a blank line where readers have another game begin, even within a comment.
const GAME_START = /(?<=\n[^\S\n]*\n)(?=\[\s*Event\s+")/g;
const CENTIPAWNS = /\[%eval\s+([+-]?\d{1,5}),(\d{1,5})\]/g; // whole, with a depth: of ChessBase
const LAST_RATING = 6; // `$1` to `$6` rate a move: `!`, `?`, ... `?!`

/**
 * Replace characters that would end a comment: braces become parentheses, as PGN cannot quote
 * them, and control characters become blanks, as pgn-extract ends at NUL.  A line that
 * would begin another game gets a blank before it.
 */
export function withoutBraces(text: string): string {
  const plain = text.replaceAll("{", "(").replaceAll("}", ")");
  return plain.replace(/(?![\t\n])\p{Cc}/gu, " ").replace(GAME_START, " ");
}

/** Write the evaluations of ChessBase, `[%eval 25,12]`, as all others have them: `[%eval 0.25,12]`. */
export function withPawns(comment: string): string {
  return comment.replace(
    CENTIPAWNS,
    (_, score, depth) => `[%eval ${(Number(score) / 100).toFixed(2)},${depth}]`,
  );
}

/** Return a comment without the words of programs: `[%clk]` and the like, remarks of engines. */
export function commentText(comment: string): string {
  const text = withoutCommands(comment);
  return readRemark(text)?.text ?? text;
}

/** Return a comment without commands of programs. */
export function withoutCommands(comment: string): string {
  return parseComment(comment).text.replace(COMMAND, " ").trim();
}

/** Return the comments on a move, without words of programs. */
export function commentOn(node: GameNode): string {
  return node.comments.map(commentText).filter(Boolean).join("\n");
}

/** Set the comment on a move; its clock, evaluation and drawings stay, and an engine's remark. */
export function setComment(node: GameNode, text: string): void {
  const isRemark = (each: string) => readRemark(withoutCommands(each)) !== null;
  const remarks = node.comments.filter(isRemark).map(withoutWords);
  const parsed = node.comments.filter((each) => !isRemark(each)).map(parseComment);
  const unknown = parsed.flatMap((each) => each.text.match(COMMAND) ?? []);
  // The first of each counts, and a comment without a clock does not remove that of another.
  const fields = [...parsed].reverse().flatMap((each) => Object.entries(each));
  const known = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  const shapes = parsed.flatMap((each) => each.shapes);
  const comment = makeComment({ ...known, shapes, text: withoutBraces(text).trim() });
  const all = [comment, ...unknown].filter(Boolean).join(" ");
  node.comments = [...remarks, all].filter(Boolean);
}

/** Return an engine's remark without words for people (`, White mates`). */
function withoutWords(remark: string): string {
  const text = commentText(remark);
  return text ? remark.replace(text, "").replace(/[\s,;]+$/, "") : remark;
}

/** Return the arrows and circles of a position, each pair of squares once. */
export function drawingsOn(node: GameNode): CommentShape[] {
  return drawingsIn(node.comments);
}

/** Replace the arrows and circles of a position; the rest of its comments stays. */
export function setDrawings(node: GameNode, shapes: CommentShape[]): void {
  const [first = "", ...rest] = node.comments;
  const comments = [withDrawings(first, shapes), ...rest.map((each) => withDrawings(each, []))];
  node.comments = comments.filter(Boolean);
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

// The words of the server, and of Lichess, on a bad move: `(0.10 → 2.35) Blunder. Nc6 was best.`
const CHANGE = "\\(\\S{1,12}\\s+→\\s+\\S{1,12}\\)\\s*";
const BEST = "\\s+(\\S{2,9})\\s+was\\s+best\\.";
const NAME = "(Inaccuracy|Mistake|Blunder)\\.";
const MATE =
  "(?:Checkmate\\s+is\\s+now\\s+unavoidable|Lost\\s+forced\\s+checkmate\\s+sequence|" +
  "Not\\s+the\\s+best\\s+checkmate\\s+sequence)\\.";
const SENTENCE = new RegExp(
  `\\s*(?:(?:${CHANGE})?\\b${NAME}${BEST}|${CHANGE}(?:${NAME}|${MATE})(?:${BEST})?)`,
);

/** Words of a judgement; it is null where they only speak of a mate. */
interface Sentence {
  readonly judgement: Judgement | null;
  /** The better move in SAN. */
  readonly better: string | null;
}

/** Return the judgement that a comment has in words; null if none. */
export function sentenceOn({ comments }: GameNode): Sentence | null {
  const found = SENTENCE.exec(comments.join(" "));
  if (!found) return null;
  const [, name, better, other, otherBetter] = found;
  const judgement = (name ?? other)?.toLowerCase() as Judgement | undefined;
  return { judgement: judgement ?? null, better: better ?? otherBetter ?? null };
}

function withJoinedSentence(comment: string): string {
  return comment.replace(SENTENCE, (words) => words.replace(/\s+/g, " ")).trim();
}

/** Return comments without the judgement of an earlier analysis. */
export function withoutSentence(comments: readonly string[]): string[] {
  return comments.map((each) => each.replace(SENTENCE, "").trim()).filter(Boolean);
}

/** Return whether a move is there only because an analysis suggests it. */
export function isSuggestion(node: GameNode): boolean {
  const { children, comments, nags } = node;
  if (comments.length === 1 && comments[0] === SUGGESTION) {
    return !nags.length && (!children.length || isWrittenLine(node));
  }
  const [played] = node.parent?.children ?? [];
  const better = played && played !== node ? sentenceOn(played)?.better : null;
  return better?.replace(/[+#]$/, "") === node.san.replace(/[+#]$/, "") && isPlainLine(node);
}

/** Return whether the moves after a suggested one are those of the analysis: a score ends them. */
function isWrittenLine({ children }: GameNode): boolean {
  const [next] = children;
  const end = next && [next, ...next.line()].at(-1);
  if (!next || !end || children.length > 1) return false;
  const isScored = end.verdict !== null && !end.verdict.isRemark;
  return (isScored || end.san.endsWith("#")) && isPlainLine(next, end);
}

/** Return whether no variation, comment or glyph is in a line; the score of its end is none. */
function isPlainLine(node: GameNode, end: GameNode | null = null): boolean {
  for (let at: GameNode | undefined = node; at; at = at.children[0]) {
    const comments = at === end ? at.comments.filter((each) => !EVAL.test(each)) : at.comments;
    const said = comments.length + at.startingComments.length + at.nags.length;
    if (said || at.children.length > 1) return false;
  }
  return true;
}

/** Return a side's last move up to a position; null if it has not moved. */
export function lastMoveOf(node: GameNode, color: "white" | "black"): GameNode | null {
  let at: GameNode | null = node;
  while (at?.parent && at.parent.turn !== color) at = at.parent;
  return at?.parent ? at : null;
}

/** Return a side's clock after its last move, in seconds; null if it was not recorded. */
export function clockAt(node: GameNode, color: "white" | "black"): number | null {
  const clocks = lastMoveOf(node, color)?.comments.map((each) => parseComment(each).clock) ?? [];
  return clocks.find((each) => each !== undefined) ?? null;
}

const SPENT = /\[%(emt|timestamp)\s+([\d:.]{1,12})\]/;

/** Return the time that a move took, in seconds; null if it was not recorded. */
export function timeSpent({ comments }: GameNode): number | null {
  for (const comment of comments) {
    const [, name, value = ""] = SPENT.exec(comment) ?? [];
    // Chess.com counts tenths of a second.
    const seconds = name === "timestamp" ? Number(value) / 10 : secondsOf(value);
    const found = name ? seconds : (readRemark(withoutCommands(comment))?.seconds ?? null);
    if (found !== null) return found;
  }
  return null;
}

/** Return a time for a move in words: `0.07 s`, `5 s`, `1:05`. */
export function spentText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 1 ? 2 : 1))} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
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
  const isMistakable =
    verdict !== null && !verdict.isRemark && nags.some((nag) => JUDGEMENTS.has(nag));
  return isMistakable ? [...nags, NONE] : [...nags];
}

/** Separate the judgement from glyphs that were read; without an evaluation there is none. */
export function splitNags(node: GameNode): void {
  if (!node.verdict || node.verdict.isRemark) return;
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
