/**
 * A whole game, position after position: what each is worth, and what each move lost.
 *
 * It says which position to search next and takes what is found; who searches is not its
 * affair.  Positions in which the game is over need no engine.  What an earlier analysis has said
 * of a position stands until there is something newer.
 */

import { isFound } from "../game/remark";
import { type GameNode, type GameTree, normalUci } from "../game/tree";
import type { Score } from "../uci/line";
import type { Findings } from "./engine";
import { accuracy, type Judgement, judge, loss } from "./score";

export interface Summary {
  readonly accuracy: number | null;
  readonly counts: Readonly<Record<Judgement, number>>;
}

export class Review {
  readonly nodes: readonly GameNode[];
  private at = 0;

  constructor(readonly tree: GameTree) {
    this.nodes = tree.mainline();
    this.skipOver();
  }

  /** The position that is searched; null when all are. */
  get current(): GameNode | null {
    return this.nodes[this.at] ?? null;
  }

  get done(): number {
    return this.at;
  }

  get isOver(): boolean {
    return this.at >= this.nodes.length;
  }

  /** Take what was found for the current position. */
  take({ lines: [line] }: Findings, best: string | null): void {
    const node = this.current;
    if (!node) return;
    if (line) {
      const { score, depth } = line;
      node.verdict = { score, depth, best: best && normalUci(node.fen, best) };
    }
    this.judgeMove(node);
    this.at++;
    this.skipOver();
  }

  private skipOver(): void {
    for (let node = this.current; node; node = this.current) {
      const score = finalScore(node);
      if (!score) return;
      node.verdict = { score, depth: 0, best: null };
      this.judgeMove(node);
      this.at++;
    }
  }

  private judgeMove(node: GameNode): void {
    const points = pointsLost(node);
    // Who plays the engine's own move has made no mistake, whatever a deeper look says.
    const isBest = node.parent?.verdict?.best === node.uci;
    node.judgement = points === null || isBest ? null : judge(points);
    forgetFound(node);
  }
}

/** Take away what an earlier analysis has found better than a move, if this one does not. */
function forgetFound(node: GameNode): void {
  const { verdict, children = [] } = node.parent ?? {};
  const isKnown = (each: GameNode) => node.judgement !== null && each.uci === verdict?.best;
  const stay = children.filter((each) => each === node || !isFound(each) || isKnown(each));
  children.splice(0, children.length, ...stay);
}

/** How well a side has played; without a judged move, nothing is said. */
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

function pointsLost(node: GameNode): number | null {
  const before = node.parent?.verdict;
  if (!before || !node.verdict || !node.parent) return null;
  return loss(before.score, node.verdict.score, node.parent.turn);
}

/** What a position is worth in which the game is over; null if it is not. */
export function finalScore(node: GameNode): Score | null {
  const position = node.position();
  if (position.isCheckmate()) return { kind: "mate", value: node.turn === "white" ? -1 : 1 };
  if (position.isStalemate() || position.isInsufficientMaterial()) return { kind: "cp", value: 0 };
  return null;
}
