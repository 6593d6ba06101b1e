/**
 * Practice with the mistakes of a game: the user looks for a better move in each position.
 *
 * A move is good enough if the analysis of the game likes it best, or if it loses too little to be
 * called an inaccuracy.  The engine evaluates moves that the analysis has not seen.  What the user
 * tries does not become part of the game.
 */

import { signal } from "@preact/signals";
import type { Color, Move } from "chessops/types";
import { parseUci } from "chessops/util";
import type { Study } from "../game/study";
import type { GameNode, GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import type { Toasts } from "../toasts";
import type { Score } from "../uci/line";
import type { Analysis } from "./analysis";
import { finalScore } from "./review";
import { judgeLoss, winChanceLoss } from "./score";

/** The state of the answer to a mistake. */
export type Answer = "asked" | "examined" | "right" | "wrong" | "shown";

export class Practice {
  /** The mistake to correct; null if there is no practice. */
  readonly mistake = signal<GameNode | null>(null);
  readonly answer = signal<Answer>("asked");
  /** The last move that was tried. */
  readonly tried = signal<GameNode | null>(null);
  /** The moves by which the other side answers a wrong move, in UCI; there may be none. */
  readonly refutation = signal<readonly string[]>([]);
  /** The number of mistakes that were corrected at once and without help. */
  readonly foundCount = signal(0);
  private mistakes: readonly GameNode[] = [];
  private isFirstTry = true;
  private orientation: { readonly before: Color; readonly during: Color } | null = null;

  constructor(
    private readonly study: Study,
    private readonly toasts: Toasts,
    private readonly analysis: Pick<Analysis, "evaluate" | "requestSearch">,
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
    this.foundCount.value = 0;
    this.orientation = { before: this.study.orientation.peek(), during: color };
    this.study.orientation.value = color;
    this.showMistake(first);
  }

  /** Go to the next mistake; after the last one, practice ends. */
  next(): void {
    const next = this.mistakes[this.number];
    if (next) this.showMistake(next);
    else this.end();
  }

  retry(): void {
    const before = this.mistake.peek()?.parent;
    if (!before) return;
    this.answer.value = "asked";
    this.study.goTo(before);
  }

  end(): void {
    if (!this.mistake.peek()) return;
    this.mistake.value = null;
    this.study.goTo(this.study.node.peek().inGame);
    this.restoreOrientation();
    this.analysis.requestSearch();
  }

  /** Turn the board as it was before, unless the user has turned it since. */
  private restoreOrientation(): void {
    const { orientation } = this.study;
    if (this.orientation && orientation.peek() === this.orientation.during) {
      orientation.value = this.orientation.before;
    }
    this.orientation = null;
  }

  /** Show the best move of the analysis. */
  showMove(): void {
    const before = this.mistake.peek()?.parent;
    const best = parseUci(before?.verdict?.best ?? "");
    const node = before && best && this.study.tree.peek().tryMove(before, best);
    if (!node) return;
    this.answer.value = "shown";
    this.study.showNode(node);
  }

  /** Judge a move of the user. */
  play(move: Move): void {
    const [mistake, tree] = [this.mistake.peek(), this.study.tree.peek()];
    const before = mistake?.parent;
    const node = before && this.answer.peek() === "asked" ? tree.tryMove(before, move) : null;
    if (!mistake || !node) return;
    this.answer.value = "examined";
    this.tried.value = node;
    this.study.showNode(node);
    const known = finalScore(node) ?? node.verdict?.score;
    const reply = node.verdict?.best ? [node.verdict.best] : [];
    if (node.uci === before?.verdict?.best) this.setResult(true);
    else if (node === mistake) this.setResult(false, reply);
    else if (known) this.setResult(isGoodEnough(node, known), reply);
    else this.evaluate(mistake, tree, node);
  }

  private evaluate(mistake: GameNode, tree: GameTree, node: GameNode): void {
    this.analysis.evaluate(tree, node, (best) => {
      if (this.mistake.peek() !== mistake || this.answer.peek() !== "examined") return;
      if (best) this.setResult(isGoodEnough(node, best.score), best.pv);
      else {
        this.retry();
        this.toasts.addNote(text("practice-no-answer"), text("practice-try-again"));
      }
    });
  }

  private showMistake(mistake: GameNode): void {
    this.mistake.value = mistake;
    this.answer.value = "asked";
    this.isFirstTry = true;
    if (mistake.parent) this.study.goTo(mistake.parent);
    this.analysis.requestSearch();
  }

  private setResult(isRight: boolean, reply: readonly string[] = []): void {
    this.refutation.value = reply;
    this.answer.value = isRight ? "right" : "wrong";
    if (isRight && this.isFirstTry) this.foundCount.value++;
    this.isFirstTry &&= isRight;
  }
}

/** Return the moves of a side that an analysis has called mistakes or blunders. */
export function mistakesOf(tree: GameTree, color: Color): GameNode[] {
  return tree.root.line().filter(({ parent, judgement }) => {
    const isCorrectable = parent?.turn === color && parent.verdict?.best;
    return isCorrectable && (judgement === "mistake" || judgement === "blunder");
  });
}

function isGoodEnough({ parent }: GameNode, score: Score): boolean {
  if (!parent?.verdict) return true;
  return judgeLoss(winChanceLoss(parent.verdict.score, score, parent.turn)) === null;
}
