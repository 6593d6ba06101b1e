/**
 * The mistakes of a game, once more: its positions before them are asked one after another,
 * and a better move is to be found.
 *
 * A move is good enough if the analysis of the game likes it best, or if it loses too little
 * to be called anything.  What it loses is for the engine to say (`examine`).
 */

import { signal } from "@preact/signals";
import type { Move } from "chessops/types";
import type { Study } from "../game/study";
import type { GameNode, GameTree } from "../game/tree";
import type { Score } from "../uci/line";
import { finalScore } from "./review";
import { judge, loss } from "./score";

export type Color = "white" | "black";

/** How it stands with the move that is asked for. */
export type Answer = "asked" | "examined" | "right" | "wrong" | "shown";

export interface PracticeEvents {
  /** What is searched may be something else now. */
  changed(): void;
  /** Have a position looked at. */
  examine(tree: GameTree, node: GameNode, done: (score: Score | null) => void): void;
  /** What a move is worth could not be found out. */
  unanswered(): void;
}

export class Practice {
  /** The mistake whose place is taken; null is that nobody practises. */
  readonly mistake = signal<GameNode | null>(null);
  readonly answer = signal<Answer>("asked");
  /** How many were found without help. */
  readonly found = signal(0);
  private mistakes: readonly GameNode[] = [];
  private isClean = true; // no wrong move yet at this one
  private turned: { readonly from: Color; readonly to: Color } | null = null; // the board, for this

  constructor(
    private readonly study: Study,
    private readonly events: PracticeEvents,
  ) {}

  get number(): number {
    const mistake = this.mistake.peek();
    return mistake ? this.mistakes.indexOf(mistake) + 1 : 0;
  }

  get total(): number {
    return this.mistakes.length;
  }

  start(color: Color): void {
    this.mistakes = mistakesOf(this.study.tree.peek(), color);
    const [first] = this.mistakes;
    if (!first) return;
    this.found.value = 0;
    this.turned = { from: this.study.orientation.peek(), to: color };
    this.study.orientation.value = color;
    this.ask(first);
  }

  /** To the next mistake; after the last, practising ends. */
  next(): void {
    const next = this.mistakes[this.number];
    if (next) this.ask(next);
    else this.end();
  }

  /** Try the same once more. */
  again(): void {
    const before = this.mistake.peek()?.parent;
    if (!before) return;
    this.answer.value = "asked";
    this.study.go(before);
  }

  end(): void {
    if (!this.mistake.peek()) return;
    this.mistake.value = null;
    this.turnBack();
    this.events.changed();
  }

  /** Have the board as it was before, unless it has been turned by hand since. */
  private turnBack(): void {
    const { orientation } = this.study;
    if (this.turned && orientation.peek() === this.turned.to) orientation.value = this.turned.from;
    this.turned = null;
  }

  /** Show what the analysis likes best. */
  show(): void {
    const before = this.mistake.peek()?.parent;
    const best = before?.verdict?.best;
    if (!before || !best) return;
    this.answer.value = "shown";
    this.study.arrive(this.study.tree.peek().playAll(before, [best]));
  }

  /** Take a move as the answer. */
  play(move: Move): void {
    const [mistake, tree] = [this.mistake.peek(), this.study.tree.peek()];
    const before = mistake?.parent;
    const node = before && this.answer.peek() === "asked" ? tree.play(before, move) : null;
    if (!mistake || !node) return;
    this.answer.value = "examined";
    this.study.arrive(node);
    const known = finalScore(node) ?? node.verdict?.score;
    if (node.uci === before?.verdict?.best) this.judged(true);
    else if (node === mistake) this.judged(false);
    else if (known) this.judged(isGood(node, known));
    else {
      this.events.examine(tree, node, (score) => {
        const isStill = this.mistake.peek() === mistake && this.answer.peek() === "examined";
        if (!isStill) return;
        if (score) this.judged(isGood(node, score));
        else {
          this.again();
          this.events.unanswered();
        }
      });
    }
  }

  private ask(mistake: GameNode): void {
    this.mistake.value = mistake;
    this.answer.value = "asked";
    this.isClean = true;
    if (mistake.parent) this.study.go(mistake.parent);
    this.events.changed();
  }

  private judged(isRight: boolean): void {
    this.answer.value = isRight ? "right" : "wrong";
    if (isRight && this.isClean) this.found.value++;
    this.isClean &&= isRight;
  }
}

/** The moves of a side that an analysis has called a mistake or a blunder. */
export function mistakesOf(tree: GameTree, color: Color): GameNode[] {
  return tree.root.line().filter(({ parent, judgement }) => {
    const isOurs = parent?.turn === color && parent.verdict?.best;
    return isOurs && (judgement === "mistake" || judgement === "blunder");
  });
}

/** Whether a move loses so little that it has no bad name. */
function isGood(node: GameNode, score: Score): boolean {
  const before = node.parent?.verdict;
  return !before || judge(loss(before.score, score, node.parent?.turn ?? "white")) === null;
}
