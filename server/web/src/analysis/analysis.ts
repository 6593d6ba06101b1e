/**
 * The analysis of the game on the board: what the engines are to search, and for whom.
 *
 * The search follows from the position on the board and the settings, each time anew
 * (`wantedSearch`).  The first engine also judges whole games and answers of practice, and is the one
 * that a room watches; where another page has control, this one only observes.
 */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { opposite } from "chessops/util";
import type { SearchRequest } from "../engine/conversation";
import type { Findings, Variation } from "../engine/findings";
import type { EngineSession, SessionEvent } from "../engine/session";
import { afterNullMove, positionOf } from "../game/position";
import type { Study } from "../game/study";
import { enginePosition, findingsKey, type GameNode, type GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import type { ObservedCommand } from "../room/observer";
import type { Room } from "../room/room";
import { type Handover, type Settings, saveHandover } from "../settings";
import type { Toasts } from "../toasts";
import { limitWords } from "../uci/line";
import { noticeEffect, type Problem } from "../uci/notice";
import { Companions } from "./companions";
import { finalScore, Review } from "./review";
import { Searcher, type WantedSearch } from "./searcher";

/** The parts of the page on which the analysis depends. */
interface AnalysisContext {
  readonly settings: Signal<Settings>;
  /** The name of the engine that is chosen. */
  readonly engine: ReadonlySignal<string>;
  readonly token: ReadonlySignal<string | null>;
  readonly study: Study;
  readonly room: Room;
  readonly toasts: Toasts;
  /** Return whether the board is for something else: a game, a position that is set up. */
  isBusy(): boolean;
  /** The server admits no session until the user does something. */
  onStopped(problem: Problem): void;
}

/** A position that is searched for the sake of its score. */
interface Evaluation {
  readonly tree: GameTree;
  readonly node: GameNode;
  readonly done: (best: Variation | null) => void;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

const EVALUATION_MS = 500; // at least, for a position whose score decides something

export class Analysis {
  /** The engine of the page's choice. */
  readonly main: Searcher;
  /** The engines beside it. */
  readonly companions: Companions;
  readonly progress = signal<Progress | null>(null);
  /** The position as if the other side were to move, while its threat is searched. */
  readonly threat = signal<string | null>(null);
  /** The position whose findings are shown. */
  readonly shownFen = computed(() => this.threat.value ?? this.context.study.node.value.fen);
  readonly shownKey = computed(() => this.threat.value ?? this.boardKey.value);
  /** The score of the position on the board if the game is over there. */
  readonly finalScore = computed(() => finalScore(this.context.study.node.value));
  readonly running = computed(() => this.context.settings.value.running);
  /** The position on the board, as findings for it are kept. */
  readonly boardKey = computed(() => {
    const { tree, node } = this.context.study;
    return findingsKey(tree.value, node.value);
  });

  private review: Review | null = null;
  private evaluation: Evaluation | null = null;
  private isHidden = document.hidden;

  constructor(private readonly context: AnalysisContext) {
    const { settings, engine, token, toasts, room } = context;
    this.main = new Searcher({
      settings,
      engine,
      token,
      toasts,
      shownKey: this.shownKey,
      wantedSearch: () => this.wantedSearch(),
      isFollowing: () => !room.hasControl.peek(),
      onEvent: (event) => this.onEvent(event),
    });
    this.companions = new Companions({
      settings,
      token,
      toasts,
      shownKey: this.shownKey,
      wantedSearch: () => (this.isBoardFree ? this.searchOfBoard() : null),
      reviewSearch: (review) => this.searchOfReview(review),
      onReview: () => this.onReview(),
    });
  }

  // --- the session

  /** Begin a session, or continue one that the page before has left. */
  connect(handover: Handover | null = null): void {
    this.main.connect(this.context.room.watched.peek(), handover);
  }

  /** Continue with a session that has begun. */
  attach(session: EngineSession): void {
    this.main.attach(session);
  }

  /** End the session; if it has a room, leave it to the next page of this tab. */
  handOver(room: Handover["room"] | null): void {
    if (room) saveHandover(this.main.handOver(room));
    this.disconnect();
  }

  disconnect(): void {
    this.main.disconnect();
    this.companions.disconnect();
  }

  checkConnection(): void {
    for (const each of this.searchers) each.checkConnection();
  }

  private get searchers(): readonly Searcher[] {
    return [this.main, ...this.companions.searchers];
  }

  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (!isHidden) this.checkConnection();
    this.requestSearch();
  }

  private onEvent(event: SessionEvent): void {
    switch (event.type) {
      case "bestmove":
        this.onBestmove(event.request.key, event.findings, event.move);
        break;
      case "notice":
        if (noticeEffect(event.notice.code) === "refused") this.onRefused();
        break;
      case "ready":
        // Not before: the first line of the page is that of its first engine.
        if (this.context.room.watched.peek() === null) this.companions.connect();
        break;
      case "started":
        this.context.room.onSessionStart(event.isInherited);
        break;
      case "room":
        this.context.room.receive(event.line);
        break;
      case "connection":
        if (event.state.type === "stopped") this.context.onStopped(event.state.problem);
        break;
      default:
    }
  }

  /** Nothing waits any longer for the search that the server has refused. */
  private onRefused(): void {
    const { evaluation } = this;
    this.evaluation = null;
    evaluation?.done(null);
    if (this.review) this.breakReview();
    else if (evaluation) this.requestSearch();
  }

  // --- the search

  /** Request the search that should run now. */
  requestSearch(): void {
    if (this.evaluation && !this.context.isBusy()) this.evaluation = null;
    for (const each of this.searchers) each.requestSearch();
    this.showProgress();
  }

  private showProgress(): void {
    const { review, companions } = this;
    const total = this.context.study.tree.peek().mainline().length;
    const isOther = !review && companions.isReviewing; // The second engine is still at work.
    if (review) this.progress.value = { done: review.done, total: review.nodes.length };
    else this.progress.value = isOther ? { done: total, total } : null;
  }

  private onReview(): void {
    this.showProgress();
    this.context.study.changed();
  }

  private wantedSearch(): WantedSearch | null {
    const { reviewMs } = this.context.settings.peek();
    if (this.evaluation) {
      const { tree, node } = this.evaluation;
      const limits = `movetime ${Math.max(reviewMs, EVALUATION_MS)}`;
      return { request: searchFor(tree, node, limits), lines: 1 };
    }
    if (this.context.isBusy()) return null;
    if (this.review) return this.searchOfReview(this.review);
    return this.context.settings.peek().running ? this.searchOfBoard() : null;
  }

  private searchOfReview({ tree, current }: Review): WantedSearch | null {
    const { reviewMs } = this.context.settings.peek();
    const request = current && searchFor(tree, current, `movetime ${reviewMs}`);
    return request && { request, lines: 1 };
  }

  /** Whether the engines are for the position on the board, and not for a game or for practice. */
  private get isBoardFree(): boolean {
    return !this.evaluation && !this.review && !this.context.isBusy();
  }

  /** Return the search of the position on the board, or of its threat; null if none is wanted. */
  private searchOfBoard(): WantedSearch | null {
    const { settings, room, study } = this.context;
    const { stopsWhenHidden, limits, lines } = settings.peek();
    const hasViewers = room.viewerCount.peek() > 0;
    const isPaused = this.isHidden && stopsWhenHidden && !hasViewers;
    if (isPaused || this.finalScore.peek()) return null;
    const [threat, tree] = [this.threat.peek(), study.tree.peek()];
    const request = searchFor(tree, study.node.peek(), limitWords(limits));
    if (!threat) return { request, lines };
    const turn = opposite(request.turn);
    return {
      request: { ...request, fen: threat, key: threat, turn, start: threat, moves: [] },
      lines,
    };
  }

  private onBestmove(key: string, findings: Findings | null, move: string | null): void {
    const { evaluation, review } = this;
    if (evaluation && findingsKey(evaluation.tree, evaluation.node) === key) {
      this.evaluation = null;
      this.requestSearch();
      evaluation.done(findings?.lines[0] ?? null);
    } else if (review?.current && findingsKey(review.tree, review.current) === key) {
      if (!findings) {
        this.breakReview();
        return;
      }
      this.context.study.changeFromOutside(() => {
        review.addFindings(findings, move);
        if (review.isOver) this.review = null;
        return true;
      });
      this.requestSearch();
    }
  }

  // --- in a room

  /** Observe a command of the page that has control. */
  observe(command: ObservedCommand): void {
    this.main.observe(command);
  }

  /** React to another page, or this one, having got control. */
  onControl(): void {
    const { room } = this.context;
    this.main.update((conversation) => {
      conversation.isFollowing = !room.hasControl.peek();
      if (room.watched.peek() !== null) conversation.endDescription();
    });
    if (!room.hasControl.peek()) this.endReview();
    this.requestSearch();
  }

  // --- the position that is shown

  /** React to another position on the board. */
  onMove(): void {
    this.threat.value = null;
    for (const each of this.searchers) each.onMove();
  }

  /** Search the other side's threat, or the best move again; return whether there is a threat. */
  toggleThreat(): boolean {
    const fen = this.threat.peek()
      ? null
      : afterNullMove(this.context.study.node.peek().position());
    this.threat.value = fen && !positionOf(fen).isEnd() ? fen : null;
    for (const each of this.searchers) each.showPosition();
    return this.threat.peek() !== null;
  }

  /** The findings for the position on the board itself, and not for a threat. */
  get boardFindings(): Findings | null {
    const findings = this.main.findings.value;
    return this.threat.value === null ? findings : this.main.knownFindings(this.boardKey.value);
  }

  /** The best move that is known on the board; null if none is. */
  get bestMove(): string | null {
    if (this.threat.peek()) return null;
    return this.main.findings.peek()?.lines[0]?.pv[0] ?? null;
  }

  toggleEngine(): void {
    const running = !this.running.peek();
    if (!running && this.threat.peek()) this.toggleThreat();
    const { settings } = this.context;
    settings.value = { ...settings.peek(), running };
    if (running && this.main.isDown) this.connect();
  }

  // --- a whole game

  startReview(): void {
    const { study, room } = this.context;
    const tree = study.tree.peek();
    if (!room.hasControl.peek() || !tree.root.children.length) return;
    if (this.main.isDown) this.connect();
    else if (this.main.connection.peek().type !== "open") this.checkConnection();
    this.review = new Review(tree);
    for (const node of this.review.nodes) node.second = null;
    // The first position may have been searched with the same limits: search it once more.
    this.main.update((conversation) => conversation.requestSearch(null));
    if (this.threat.peek()) this.toggleThreat();
    study.changed();
    if (this.review.isOver) this.endReview();
    else this.companions.judge?.startReview(tree);
    this.requestSearch();
  }

  /** Search one position, for as long at least as the analysis of a game does. */
  evaluate(tree: GameTree, node: GameNode, done: Evaluation["done"]): void {
    this.evaluation = { tree, node, done };
    this.requestSearch();
  }

  /** End the review, and keep its results: a search has found nothing. */
  private breakReview(): void {
    const { done, nodes } = this.review ?? { done: 0, nodes: [] };
    this.endReview();
    this.context.toasts.addNote(
      text("report-stopped"),
      text("report-found-nothing", { number: String(done + 1), total: String(nodes.length) }),
    );
  }

  endReview(): void {
    if (!this.review && !this.companions.isReviewing) return;
    this.review = null;
    this.companions.endReview();
    this.context.study.changed();
    this.requestSearch();
  }
}

function searchFor(tree: GameTree, node: GameNode, limits: string): SearchRequest {
  return { ...enginePosition(tree, node), limits };
}
