/**
 * The review of a whole game: the score of each position, and the loss of each move.
 *
 * It names the position to search next and takes the findings.  Positions in which the game is over
 * need no engine.  Results of an earlier review stand until there are newer ones.
 */

import type { Findings } from "../engine/findings";
import { isSuggestion, withoutSentence } from "../game/annotation";
import { type GameNode, type GameTree, normalUci } from "../game/tree";
import type { Score } from "../uci/line";
import { accuracy, type Judgement, judgeLoss, winChanceLoss } from "./score";

interface Summary {
  readonly accuracy: number | null;
  readonly counts: Readonly<Record<Judgement, number>>;
}

export class Review {
  readonly nodes: readonly GameNode[];
  private index = 0;

  constructor(readonly tree: GameTree) {
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
    if (line) {
      const { score, depth } = line;
      node.verdict = { score, depth, best: best && normalUci(node.fen, best) };
    }
    this.judgeMove(node);
    this.index++;
    this.skipFinal();
  }

  private skipFinal(): void {
    for (let node = this.current; node; node = this.current) {
      const score = finalScore(node);
      if (!score) return;
      node.verdict = { score, depth: 0, best: null };
      this.judgeMove(node);
      this.index++;
    }
  }

  private judgeMove(node: GameNode): void {
    const points = pointsLost(node);
    // The engine's own move is no mistake, whatever a deeper search finds.
    const isBest = node.parent?.verdict?.best === node.uci;
    node.judgement = points === null || isBest ? null : judgeLoss(points);
    removeSuggestions(node);
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
  if (!parent?.verdict || !verdict) return null;
  return winChanceLoss(parent.verdict.score, verdict.score, parent.turn);
}

/** Return the score of a position in which the game is over; null if it is not. */
export function finalScore(node: GameNode): Score | null {
  const position = node.position();
  if (position.isCheckmate()) return { kind: "mate", value: node.turn === "white" ? -1 : 1 };
  if (position.isStalemate() || position.isInsufficientMaterial()) return { kind: "cp", value: 0 };
  return null;
}
