/**
 * The review of a whole game: the score of each position, and the loss of each move.
 *
 * It names the position to search next and takes the findings.  Positions in which the game is over
 * need no engine.  Results of an earlier review stand until there are newer ones.
 */

import type { Color } from "chessops/types";
import type { Findings } from "../engine/findings";
import { isSuggestion, SUGGESTION, withoutSentence } from "../game/annotation";
import { type GameNode, type GameTree, normalLine, normalUci, type Verdict } from "../game/tree";
import type { Score } from "../uci/line";
import { accuracy, type Judgement, judgeLoss, winChanceLoss } from "./score";

/** The moves of both sides that are kept of a better line. */
export const LONGEST_LINE = 8;

interface Summary {
  readonly accuracy: number | null;
  readonly counts: Readonly<Record<Judgement, number>>;
}

export class Review {
  readonly nodes: readonly GameNode[];
  private index = 0;

  /** `second`: the engine whose opinion stands beside that of the first one. */
  constructor(
    readonly tree: GameTree,
    private readonly second: string | null = null,
  ) {
    this.nodes = tree.mainline();
    this.skipFinal();
  }

  /** The position to search; null when there is none left. */
  get current(): GameNode | null {
    return this.nodes[this.index] ?? null;
  }

  get done(): number {
    return this.index;
  }

  get isOver(): boolean {
    return this.index >= this.nodes.length;
  }

  /** Add the findings for the current position. */
  addFindings({ lines: [line] }: Findings, best: string | null): void {
    const node = this.current;
    if (!node) return;
    const verdict = line && {
      score: line.score,
      depth: line.depth,
      best: best && normalUci(node.fen, best),
      ...lineOf(node, line.pv, best),
    };
    this.judge(node, verdict ?? this.verdictOf(node));
    this.index++;
    this.skipFinal();
  }

  private skipFinal(): void {
    for (let node = this.current; node; node = this.current) {
      const score = finalScore(node);
      if (!score) return;
      this.judge(node, { score, depth: 0, best: null });
      this.index++;
    }
  }

  private verdictOf(node: GameNode | null): Verdict | null {
    return (this.second === null ? node?.verdict : node?.second?.verdict) ?? null;
  }

  private judge(node: GameNode, verdict: Verdict | null): void {
    const before = this.verdictOf(node.parent);
    // The engine's own move is no mistake, whatever a deeper search finds.
    const isBest = before?.best === node.uci;
    const points = node.parent && lossOf(before, verdict, node.parent.turn);
    const judgement = points === null || isBest ? null : judgeLoss(points);
    if (this.second !== null) {
      node.second = verdict && { engine: this.second, verdict, judgement };
      return;
    }
    [node.verdict, node.judgement] = [verdict, judgement];
    removeSuggestions(node);
    renewSuggestion(this.tree, node);
    node.comments = withoutSentence(node.comments);
  }
}

/** Remove the better moves that an earlier review suggested, if this one does not. */
function removeSuggestions(node: GameNode): void {
  const { verdict, children = [] } = node.parent ?? {};
  const isCurrent = (each: GameNode) => node.judgement !== null && each.uci === verdict?.best;
  const kept = children.filter((each) => each === node || !isSuggestion(each) || isCurrent(each));
  children.splice(0, children.length, ...kept);
}

/** Return the line of an analysis, if it begins with the move that the engine has chosen. */
function lineOf(node: GameNode, pv: readonly string[] | undefined, best: string | null) {
  if (!pv || pv[0] !== best) return {};
  return { line: normalLine(node.fen, pv.slice(0, LONGEST_LINE)) };
}

/** Replace the line of a suggestion that an earlier review has made, too. */
function renewSuggestion(tree: GameTree, { parent, judgement }: GameNode): void {
  const { verdict, children = [] } = parent ?? {};
  const suggestion = children.find((each) => each.uci === verdict?.best && isSuggestion(each));
  const [, ...rest] = verdict?.line ?? [];
  if (!verdict || !judgement || !suggestion || !rest.length) return;
  suggestion.comments = [SUGGESTION];
  suggestion.children.splice(0);
  const last = tree.playAll(suggestion, rest);
  last.verdict = endOfLine(verdict, parent?.turn ?? "white", rest.length + 1, last.san);
}

/** Return the verdict on the end of a line by that on its beginning; null after a checkmate. */
export function endOfLine(
  { score, depth }: Verdict,
  turn: Color,
  plies: number,
  san: string,
): Verdict | null {
  if (san.endsWith("#")) return null;
  if (score.kind === "cp") return { score, depth, best: null };
  const isMating = score.value > 0 === (turn === "white");
  const played = isMating ? Math.ceil(plies / 2) : Math.floor(plies / 2);
  const left = Math.max(1, Math.abs(score.value) - played);
  return { score: { kind: "mate", value: Math.sign(score.value) * left }, depth, best: null };
}

/** Return how well a side has played; the accuracy is null without a judged move. */
export function summarize(tree: GameTree, color: "white" | "black"): Summary {
  const counts: Record<Judgement, number> = { inaccuracy: 0, mistake: 0, blunder: 0 };
  const values: number[] = [];
  for (const node of tree.root.line()) {
    if (node.parent?.turn !== color) continue;
    if (node.judgement) counts[node.judgement]++;
    const points = pointsLost(node);
    if (points !== null) values.push(accuracy(points));
  }
  const sum = values.reduce((total, value) => total + value, 0);
  return { accuracy: values.length ? sum / values.length : null, counts };
}

/** How much of a game is judged. */
export interface Coverage {
  readonly moves: number;
  /** The moves with the score of an analysis before and after them. */
  readonly judged: number;
  /** The positions with any score. */
  readonly scored: number;
  /** Whether so few are missing that the numbers of mistakes say something about the game. */
  readonly isReport: boolean;
}

/** Count the moves of the main line that are judged; remarks of the players judge none. */
export function coverageOf(tree: GameTree): Coverage {
  const line = tree.root.line();
  const isScored = (node: GameNode | null) => Boolean(node?.verdict && !node.verdict.isRemark);
  const judged = isJudged(line)
    ? line.filter((node) => isScored(node) && isScored(node.parent)).length
    : 0;
  // Programs leave out the first position, or the last one.
  const isReport = judged > 0 && judged >= Math.min(0.9 * line.length, line.length - 1);
  const scored = tree.mainline().filter(({ verdict }) => verdict).length;
  return { moves: line.length, judged, scored, isReport };
}

/** Return whether scores have been judged: some programs write them, and no glyph for a blunder. */
function isJudged(line: readonly GameNode[]): boolean {
  const isMissed = (node: GameNode) =>
    judgeLoss(pointsLost(node) ?? 0) === "blunder" && node.parent?.verdict?.best !== node.uci;
  return line.some(({ judgement }) => judgement) || !line.some(isMissed);
}

function pointsLost({ parent, verdict }: GameNode): number | null {
  return parent && lossOf(parent.verdict, verdict, parent.turn);
}

function lossOf(before: Verdict | null, after: Verdict | null, mover: Color): number | null {
  return before && after && winChanceLoss(before.score, after.score, mover);
}

/** Return the moves of the main line that two engines judge differently. */
export function disputedMoves(tree: GameTree): GameNode[] {
  return tree.root.line().filter(isDisputed);
}

export function isDisputed({ judgement, second }: GameNode): boolean {
  return second !== null && second.judgement !== judgement;
}

/** Return the score of a position in which the game is over; null if it is not. */
export function finalScore(node: GameNode): Score | null {
  const position = node.position();
  if (position.isCheckmate()) return { kind: "mate", value: node.turn === "white" ? -1 : 1 };
  if (position.isStalemate() || position.isInsufficientMaterial()) return { kind: "cp", value: 0 };
  return null;
}
