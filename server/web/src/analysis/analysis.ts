/**
 * The engine that analyses: its session, the search that is wanted, and the findings that are shown.
 *
 * The search follows from the position on the board and the settings, each time anew
 * (`wantedSearch`); what is shown was found for that position and no other.  In a room where
 * another page has control, this one only observes.
 */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { opposite } from "chessops/util";
import type { SearchRequest } from "../engine/conversation";
import { type Findings, FindingsCache } from "../engine/findings";
import { type ConnectionState, EngineSession, type SessionEvent } from "../engine/session";
import { applySettings, growHash, MOST_LINES, mostLines, setLines } from "../engine/setup";
import { afterNullMove, positionOf } from "../game/position";
import type { Study } from "../game/study";
import { enginePosition, type GameNode, type GameTree } from "../game/tree";
import type { ObservedCommand } from "../room/observer";
import type { Room } from "../room/room";
import { type Handover, type Settings, saveHandover } from "../settings";
import type { Toasts } from "../toasts";
import { limitWords, type Notice, type Score } from "../uci/line";
import { noticeEffect, type Problem, problemOf } from "../uci/notice";
import { EngineOptions } from "./options";
import { finalScore, Review } from "./review";

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
  readonly done: (score: Score | null) => void;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

const EVALUATION_MS = 500; // at least, for a position whose score decides something
const UPDATE_INTERVAL = 50; // ms

export class Analysis {
  readonly connection = signal<ConnectionState>({ type: "off" });
  readonly roundTrip = signal<number | null>(null);
  readonly engineName = signal("");
  readonly options: EngineOptions;
  /** The place in the server's queue, in its own words. */
  readonly waiting = signal<string | null>(null);
  /** The reason why the server does not search, though the connection is good. */
  readonly blocked = signal<Problem | null>(null);
  readonly isSearching = signal(false);
  readonly findings = signal<Findings | null>(null);
  readonly progress = signal<Progress | null>(null);
  /** The position as if the other side were to move, while its threat is searched. */
  readonly threat = signal<string | null>(null);
  /** The position whose findings are shown. */
  readonly shownFen = computed(() => this.threat.value ?? this.context.study.node.value.fen);
  /** The score of the position on the board if the game is over there. */
  readonly finalScore = computed(() => finalScore(this.context.study.node.value));
  readonly running = computed(() => this.context.settings.value.running);

  private session: EngineSession | null = null;
  private readonly cache = new FindingsCache();
  private review: Review | null = null;
  private evaluation: Evaluation | null = null;
  private isUpdateDue = false;
  private updatedAt = -UPDATE_INTERVAL;
  private isHidden = document.hidden;

  constructor(private readonly context: AnalysisContext) {
    const { settings, engine } = context;
    const forget = () => this.cache.clear();
    this.options = new EngineOptions(settings, engine, () => this.session, forget);
  }

  // --- the session

  /** Begin a session, or continue one that the page before has left. */
  connect(handover: Handover | null = null): void {
    this.disconnect();
    const { engine, token, room } = this.context;
    if (!engine.peek()) return;
    const setup = { purpose: "analysis", room: room.watched.peek(), handover } as const;
    const session = new EngineSession(engine.peek(), token.peek(), setup);
    this.applySettings(session);
    this.attach(session);
    session.open();
  }

  /** Continue with a session that has begun. */
  attach(session: EngineSession): void {
    this.session = session;
    session.listen((event) => this.onEvent(session, event));
    this.requestSearch();
  }

  /** End the session; if it has a room, leave it to the next page of this tab. */
  handOver(room: Handover["room"] | null): void {
    if (room) saveHandover(this.session?.handOver(room) ?? null);
    this.disconnect();
  }

  disconnect(): void {
    this.session?.close();
    this.session = null;
    batch(() => {
      this.connection.value = { type: "off" };
      this.engineName.value = "";
      this.options.offered.value = [];
      this.waiting.value = this.blocked.value = null;
      this.findings.value = null;
      this.isSearching.value = false;
    });
  }

  checkConnection(): void {
    this.session?.check();
  }

  sendToServer(line: string): void {
    this.session?.sendToServer(line);
  }

  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (!isHidden) this.checkConnection();
    this.requestSearch();
  }

  private applySettings(session: EngineSession): void {
    if (session.setup.room) return;
    const settings = this.context.settings.peek();
    session.update((conversation) => applySettings(conversation, session.engine, settings));
  }

  private onEvent(session: EngineSession, event: SessionEvent): void {
    switch (event.type) {
      case "info":
      case "searches":
        this.scheduleUpdate();
        break;
      case "cached":
        this.cache.add(session.engine, event.findings);
        this.scheduleUpdate();
        break;
      case "bestmove":
        this.onBestmove(event.request.fen, event.findings, event.move);
        break;
      case "notice":
        this.onNotice(event.notice);
        break;
      case "ready":
        this.onReady(session);
        break;
      case "started":
        this.waiting.value = null;
        this.context.room.onSessionStart(event.isInherited);
        break;
      case "room":
        this.context.room.receive(event.line);
        break;
      case "connection":
        this.onConnection(event.state);
        break;
      case "round-trip":
        this.roundTrip.value = event.ms;
    }
  }

  private onConnection(state: ConnectionState): void {
    this.connection.value = state;
    if (state.type !== "open") this.roundTrip.value = null;
    if (state.type !== "stopped") return;
    this.isSearching.value = false;
    this.context.onStopped(state.problem);
  }

  private onReady(session: EngineSession): void {
    batch(() => {
      this.engineName.value = session.conversation.name || session.engine;
      this.options.offered.value = [...session.conversation.options.values()];
    });
    this.applySettings(session);
    this.requestSearch();
  }

  private onNotice({ code, text }: Notice): void {
    const effect = noticeEffect(code);
    if (code === "waiting") {
      this.waiting.value = text;
      return;
    }
    if (effect === "refused") this.onRefused();
    const problem = problemOf(code, text);
    if (effect !== "put-off") this.context.toasts.addProblem(problem);
    // Nothing is searched until the user tries again.  The notice before `no-search` says more.
    else if (code !== "no-search" || !this.blocked.peek()) this.blocked.value = problem;
  }

  /** Nothing waits any longer for the search that the server has refused. */
  private onRefused(): void {
    const { evaluation } = this;
    this.evaluation = null;
    evaluation?.done(null);
    if (this.review) this.breakReview();
    else if (evaluation) this.requestSearch();
  }

  /** Request once more the search that was put off. */
  retry(): void {
    this.blocked.value = null;
    this.session?.update((conversation) => conversation.requestSearch(null));
    this.requestSearch();
  }

  // --- the search

  /** Request the search that should run now. */
  requestSearch(): void {
    if (this.evaluation && !this.context.isBusy()) this.evaluation = null;
    this.session?.update((conversation) => {
      conversation.isFollowing = !this.context.room.hasControl.peek();
      conversation.requestSearch(this.wantedSearch());
    });
    this.scheduleUpdate();
  }

  private wantedSearch(): SearchRequest | null {
    const { settings, room, study } = this.context;
    const { running, stopsWhenHidden, limits, lines, reviewMs } = settings.peek();
    if (this.evaluation) {
      this.setLines(1);
      const { tree, node } = this.evaluation;
      return searchFor(tree, node, `movetime ${Math.max(reviewMs, EVALUATION_MS)}`);
    }
    if (this.context.isBusy()) return null;
    if (this.review) {
      this.setLines(1);
      const { tree, current } = this.review;
      return current && searchFor(tree, current, `movetime ${reviewMs}`);
    }
    const hasViewers = room.viewerCount.peek() > 0;
    const isPaused = this.isHidden && stopsWhenHidden && !hasViewers;
    if (!running || isPaused || this.finalScore.peek()) return null;
    this.setLines(lines);
    const [threat, tree] = [this.threat.peek(), study.tree.peek()];
    const search = searchFor(tree, study.node.peek(), limitWords(limits));
    if (!threat) return search;
    return { ...search, fen: threat, turn: opposite(search.turn), start: threat, moves: [] };
  }

  private setLines(lines: number): void {
    if (this.session && !this.session.setup.room) setLines(this.session.conversation, lines);
  }

  /** The number of lines that are wanted, as far as the engine has as many. */
  get lines(): number {
    return Math.min(this.context.settings.value.lines, this.mostLines);
  }

  get mostLines(): number {
    void this.options.offered.value; // It follows from these.
    return this.session ? mostLines(this.session.conversation) : MOST_LINES;
  }

  private onBestmove(fen: string, findings: Findings | null, move: string | null): void {
    const { evaluation, review } = this;
    if (evaluation?.node.fen === fen) {
      this.evaluation = null;
      this.requestSearch();
      evaluation.done(findings?.lines[0]?.score ?? null);
    } else if (review?.current?.fen === fen) {
      if (!findings) {
        this.breakReview();
        return;
      }
      review.addFindings(findings, move);
      if (review.isOver) this.endReview();
      else this.requestSearch();
      this.context.study.changed();
    }
  }

  // --- in a room

  /** Observe a command of the page that has control. */
  observe(command: ObservedCommand): void {
    this.session?.update((conversation) => {
      if (command.type === "option") conversation.observeOption(command.name, command.value);
      if (command.type === "go") conversation.observeSearch(command.request);
    });
    this.scheduleUpdate();
  }

  /** React to another page, or this one, having got control. */
  onControl(): void {
    const { room } = this.context;
    const hasControl = room.hasControl.peek();
    this.session?.update((conversation) => {
      conversation.isFollowing = !hasControl;
      if (room.watched.peek() !== null) conversation.endDescription();
    });
    if (!hasControl) this.endReview();
    this.requestSearch();
  }

  // --- what is shown

  /**
   * Update what is shown with the next frame, but no more often than a person can read.  The first
   * findings for a position are shown at once.
   */
  private scheduleUpdate(): void {
    if (this.findings.peek()?.fen !== this.shownFen.peek() && this.newFindings) this.update();
    if (this.isUpdateDue) return;
    this.isUpdateDue = true;
    const wait = this.updatedAt + UPDATE_INTERVAL - performance.now();
    const update = () => requestAnimationFrame(() => this.update());
    if (wait <= 0) update();
    else setTimeout(update, wait);
  }

  /** The findings of the search that runs, if they are for the position that is shown. */
  private get newFindings(): Findings | null {
    const findings = this.session?.conversation.findings;
    return findings?.lines.length && findings.fen === this.shownFen.peek() ? findings : null;
  }

  private update(): void {
    this.isUpdateDue = false;
    this.updatedAt = performance.now();
    const conversation = this.session?.conversation;
    const found = conversation?.findings ?? null;
    const engine = this.context.engine.peek();
    if (found?.lines.length) this.cache.add(engine, found);
    const { newFindings, review } = this;
    const known = this.cache.get(engine, this.shownFen.peek());
    // A search that begins anew is shown when it is as deep as the one before.
    const isBehind = newFindings && known && newFindings.depth < known.depth;
    batch(() => {
      this.isSearching.value = Boolean(conversation?.pending);
      if (found) this.waiting.value = this.blocked.value = null;
      this.findings.value = isBehind ? withFigures(known, newFindings) : (newFindings ?? known);
      this.progress.value = review && { done: review.done, total: review.nodes.length };
    });
  }

  /** React to another position on the board. */
  onMove(): void {
    const { session } = this;
    this.threat.value = null;
    if (session && !session.setup.room) {
      growHash(session.conversation, session.engine, this.context.settings.peek());
    }
    this.showPosition();
  }

  /** Search the other side's threat, or the best move again; return whether there is a threat. */
  toggleThreat(): boolean {
    const fen = this.threat.peek()
      ? null
      : afterNullMove(this.context.study.node.peek().position());
    this.threat.value = fen && !positionOf(fen).isEnd() ? fen : null;
    this.showPosition();
    return this.threat.peek() !== null;
  }

  private showPosition(): void {
    this.requestSearch();
    // Cached findings are shown at once; those of another position never are.
    this.findings.value = this.cache.get(this.context.engine.peek(), this.shownFen.peek());
  }

  /** The findings for the position on the board itself, and not for a threat. */
  get boardFindings(): Findings | null {
    const findings = this.findings.value;
    if (this.threat.value === null) return findings;
    return this.cache.get(this.context.engine.value, this.context.study.node.value.fen);
  }

  /** The best move that is known on the board; null if none is. */
  get bestMove(): string | null {
    if (this.threat.peek()) return null;
    return this.findings.peek()?.lines[0]?.pv[0] ?? null;
  }

  toggleEngine(): void {
    const running = !this.running.peek();
    if (!running && this.threat.peek()) this.toggleThreat();
    const { settings } = this.context;
    settings.value = { ...settings.peek(), running };
    if (running && this.isDown) this.connect();
  }

  private get isDown(): boolean {
    const { type } = this.connection.peek();
    return type === "stopped" || type === "off";
  }

  // --- a whole game

  startReview(): void {
    const { study, room } = this.context;
    const tree = study.tree.peek();
    if (!room.hasControl.peek() || !tree.root.children.length) return;
    if (this.isDown) this.connect();
    else if (this.connection.peek().type !== "open") this.checkConnection();
    this.review = new Review(tree);
    // The first position may have been searched with the same limits: search it once more.
    this.session?.update((conversation) => conversation.requestSearch(null));
    if (this.threat.peek()) this.toggleThreat();
    study.changed();
    if (this.review.isOver) this.endReview();
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
      "The game analysis has stopped",
      `The engine found nothing for position ${done + 1} of ${nodes.length}.`,
    );
  }

  endReview(): void {
    if (!this.review) return;
    this.review = null;
    this.context.study.changed();
    this.requestSearch();
  }
}

function searchFor(tree: GameTree, node: GameNode, limits: string): SearchRequest {
  return { ...enginePosition(tree, node), limits };
}

/** Return known findings with the figures of the search that is to become as deep. */
function withFigures(known: Findings, { nodes, nps, hashfull, tbhits, depth }: Findings): Findings {
  return { ...known, nodes, nps, hashfull, tbhits, newerDepth: depth };
}
