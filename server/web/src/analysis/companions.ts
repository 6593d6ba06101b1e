/** Further engines at the position on the board, each with a session, lines and a switch of its own. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Findings } from "../engine/findings";
import type { SessionEvent } from "../engine/session";
import { findingsKey, type GameTree } from "../game/tree";
import type { CompanionChoice, Settings } from "../settings";
import { noticeEffect } from "../uci/notice";
import { Review } from "./review";
import { winChance } from "./score";
import { Searcher, type SearcherContext, type WantedSearch } from "./searcher";

export const MOST_COMPANIONS = 3;
const LEAST_DEPTH = 8; // of findings that are compared
const POINTS = 10; // of the chance to win, by which opinions differ

/** The parts of the analysis on which the companions depend. */
interface CompanionsContext
  extends Pick<SearcherContext, "token" | "toasts" | "shownKey" | "wantedSearch"> {
  readonly settings: Signal<Settings>;
  /** Return the search of a position that is to be judged; null if none is left. */
  reviewSearch(review: Review): WantedSearch | null;
  /** A position was judged, or no more will be. */
  onReview(): void;
}

export class Companion {
  readonly searcher: Searcher;
  readonly choice: Signal<CompanionChoice>;
  private review: Review | null = null;

  constructor(
    private readonly context: CompanionsContext,
    choice: CompanionChoice,
  ) {
    this.choice = signal(choice);
    this.searcher = new Searcher({
      ...context,
      engine: computed(() => this.choice.value.engine),
      wantedSearch: () => {
        if (this.review) return context.reviewSearch(this.review);
        const { isRunning, lines } = this.choice.peek();
        const wanted = isRunning ? context.wantedSearch() : null;
        return wanted && { ...wanted, lines };
      },
      isFollowing: () => false,
      onEvent: (event) => this.onEvent(event),
    });
  }

  get isReviewing(): boolean {
    return this.review !== null;
  }

  /** Have it judge a game, too. */
  startReview(tree: GameTree): void {
    this.review = new Review(tree, this.choice.peek().engine);
    this.searcher.restart();
  }

  endReview(): void {
    this.review = null;
    this.searcher.requestSearch();
  }

  private onEvent(event: SessionEvent): void {
    const { review } = this;
    const isRefused = event.type === "notice" && noticeEffect(event.notice.code) === "refused";
    if (event.type === "bestmove" && review?.current) {
      const { findings, move, request } = event;
      if (request.key !== findingsKey(review.tree, review.current)) return;
      if (findings) review.addFindings(findings, move);
      if (findings && !review.isOver) this.searcher.requestSearch();
      else this.endReview();
      this.context.onReview();
    } else if (review && isRefused) {
      this.review = null;
      this.context.onReview();
    }
  }
}

export class Companions {
  readonly list: ReadonlySignal<readonly Companion[]>;
  private readonly companions: Signal<readonly Companion[]>;
  private isConnected = false;

  constructor(private readonly context: CompanionsContext) {
    const { companions } = context.settings.peek();
    this.companions = signal(companions.map((choice) => new Companion(context, choice)));
    this.list = this.companions;
  }

  get searchers(): readonly Searcher[] {
    return this.companions.peek().map(({ searcher }) => searcher);
  }

  /** Begin the sessions of those that have none. */
  connect(): void {
    this.isConnected = true;
    for (const searcher of this.searchers) if (searcher.isDown) searcher.connect();
  }

  disconnect(): void {
    this.isConnected = false;
    for (const searcher of this.searchers) searcher.disconnect();
  }

  /** Have one more engine; there are at most `MOST_COMPANIONS`. */
  add(engine: string): void {
    if (this.companions.peek().length >= MOST_COMPANIONS) return;
    const companion = new Companion(this.context, { engine, lines: 1, isRunning: true });
    this.keep([...this.companions.peek(), companion]);
    if (this.isConnected) companion.searcher.connect();
  }

  remove(companion: Companion): void {
    companion.searcher.disconnect();
    this.keep(this.companions.peek().filter((each) => each !== companion));
  }

  /** Change the engine of a companion, its lines, or whether it runs. */
  change(companion: Companion, change: Partial<CompanionChoice>): void {
    const before = companion.choice.peek();
    companion.choice.value = { ...before, ...change };
    this.keep(this.companions.peek());
    const { searcher } = companion;
    const isOther = companion.choice.peek().engine !== before.engine;
    if (this.isConnected && (isOther || searcher.isDown)) searcher.connect();
    else searcher.requestSearch();
  }

  /** The one that judges a game beside the first engine: the first that runs. */
  get judge(): Companion | null {
    return this.companions.peek().find(({ choice }) => choice.peek().isRunning) ?? null;
  }

  get isReviewing(): boolean {
    return this.companions.peek().some(({ isReviewing }) => isReviewing);
  }

  endReview(): void {
    for (const each of this.companions.peek()) if (each.isReviewing) each.endReview();
  }

  private keep(companions: readonly Companion[]): void {
    this.companions.value = companions;
    const choices = companions.map(({ choice }) => choice.peek());
    this.context.settings.value = { ...this.context.settings.peek(), companions: choices };
  }
}

/**
 * Return how the opinion of one engine differs from that of another: in the best move, in the chance
 * to win; null if it does not, or if they cannot be compared.
 */
export function disagreement(
  one: Findings | null,
  other: Findings | null,
): "move" | "score" | null {
  if (!one || !other || one.key !== other.key) return null;
  const [mine, theirs] = [one.lines[0], other.lines[0]];
  if (!mine || !theirs || Math.min(mine.depth, theirs.depth) < LEAST_DEPTH) return null;
  if (mine.pv[0] !== theirs.pv[0]) return "move";
  return Math.abs(winChance(mine.score) - winChance(theirs.score)) >= POINTS ? "score" : null;
}
