/**
 * A game against an engine: whose turn it is, what the clocks show, and how it ends.
 *
 * The page is the arbiter.  The clocks start when each side has moved.  The engine's clock is halted
 * while there is no connection or no engine, and the time of its moves on the network is not
 * counted; its flag falls only if the server has answered a later ping and there was still no move.
 */

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { makeComment } from "chessops/pgn";
import type { Move } from "chessops/types";
import { opposite } from "chessops/util";
import type { SearchRequest } from "../engine/conversation";
import type { Findings } from "../engine/findings";
import { type ConnectionState, EngineSession, type SessionEvent } from "../engine/session";
import { writeGame } from "../game/pgn";
import { sideName } from "../game/position";
import type { Study } from "../game/study";
import { enginePosition, fenAfter, type GameNode, GameTree, normalUci } from "../game/tree";
import { text } from "../language/catalogue";
import { addPlayed } from "../settings";
import type { Toasts } from "../toasts";
import type { Notice } from "../uci/line";
import { type NoticeEffect, noticeEffect, type Problem, problemOf } from "../uci/notice";
import { Clock, type Times } from "./clock";
import {
  limitsOf,
  type Match,
  newTree,
  optionsOf,
  recordedTimes,
  storedMatch,
  storeMatch,
  type Terms,
} from "./match";
import {
  agreed,
  centipawnsOf,
  drawPolicy,
  madeNoMove,
  type Outcome,
  outcomeOf,
  resigned,
  timeIsUp,
} from "./outcome";
import { timeToTake } from "./pace";

/** The parts of the page on which a game depends. */
interface PlayContext {
  readonly study: Study;
  readonly toasts: Toasts;
  readonly token: ReadonlySignal<string | null>;
  /** Return whether engines at a weak level take their time, as people do. */
  isPaced(): boolean;
  /** The board is for a game now. */
  onStart(): void;
  /** The board is for analysis again. */
  onLeave(): void;
  /** The server admits no session until the user does something. */
  onStopped(problem: Problem): void;
}

const TICK = 100; // ms between updates of the clocks
const PING_INTERVAL = 500; // ms, while the engine is to move
const SILENCE = 1000; // ms without an answer after which the server, not the engine, is late
// Effects of notices after which the engine's move is none for this position.
const REFUSALS: readonly NoticeEffect[] = ["put-off", "refused"];
const UNREPORTED = ["waiting", "option-clamped"];

export class Play {
  /** The terms of the game; null if there is none. */
  readonly game = signal<Terms | null>(null);
  /** The position after the last move. */
  readonly head = signal<GameNode | null>(null);
  /** Whether the clocks run: the first move of each side costs no time, and earns none. */
  readonly isTimed = computed(() => Boolean(this.head.value?.parent?.parent));
  readonly outcome = signal<Outcome | null>(null);
  /** The number of games that have ended here; it rises when one is stored. */
  readonly finished = signal(0);
  /** The times on the clocks; null in a game without. */
  readonly times = signal<Times | null>(null);
  readonly connection = signal<ConnectionState>({ type: "off" });
  /** The place in the server's queue, in its own words. */
  readonly waiting = signal<string | null>(null);
  /** The reason why the engine may not search now. */
  readonly blocked = signal<Problem | null>(null);
  /** Whether the engine offers a draw. */
  readonly isDrawOffered = signal(false);
  readonly opponentName = signal("");
  /** Whether the server does not answer, though there is a connection. */
  readonly isSilent = signal(false);
  /** Whether the engine has got the terms. */
  readonly isReady = signal(false);

  private tree = new GameTree();
  private clock: Clock | null = null;
  private session: EngineSession | null = null;
  private ticker: ReturnType<typeof setInterval> | undefined;
  private roundTrip = 0;
  private pingedAt = 0;
  private flaggedAt: number | null = null; // when the engine's time was over
  private askedAt = 0; // when the engine's move was requested
  private heldMove: ReturnType<typeof setTimeout> | undefined; // the engine's, until it is shown
  private scores: (number | null)[] = [];
  private expectedMove: string | null = null;
  private readonly timesAt = new WeakMap<GameNode, Times>();

  constructor(private readonly context: PlayContext) {}

  // --- start and end

  start(terms: Terms): void {
    this.startMatch({ terms, tree: newTree(terms), times: null });
  }

  /** Continue the game from before a reload; return whether there is one. */
  resume(): boolean {
    const match = storedMatch();
    if (match) this.startMatch(match);
    return match !== null;
  }

  private startMatch({ terms, tree, times }: Match): void {
    const head = tree.mainline().at(-1) ?? tree.root;
    this.reset();
    this.context.onStart();
    this.tree = tree;
    this.clock = terms.base === null ? null : new Clock(terms.base, terms.increment);
    if (times) this.clock?.setTimes(times);
    this.scores = [];
    batch(() => {
      this.game.value = terms;
      this.head.value = head;
      this.outcome.value = outcomeOf(head);
      this.opponentName.value = terms.engine;
      this.context.study.load(tree, head);
      this.context.study.orientation.value = terms.color;
    });
    this.showTimes();
    this.connect();
    this.ticker = setInterval(() => this.tick(), TICK);
  }

  /** Return to analysis; a game that is not over is abandoned. */
  leaveGame(): void {
    this.reset();
    this.game.value = null;
    storeMatch(null);
    this.context.onLeave();
  }

  private reset(): void {
    clearInterval(this.ticker);
    clearTimeout(this.heldMove);
    this.endSession();
    this.isReady.value = false;
    this.flaggedAt = null;
    batch(() => {
      this.outcome.value = this.waiting.value = this.blocked.value = null;
      this.isDrawOffered.value = this.isSilent.value = false;
    });
  }

  private finish(outcome: Outcome): void {
    if (this.outcome.peek()) return;
    this.clock?.halt(performance.now());
    this.showTimes();
    clearInterval(this.ticker);
    clearTimeout(this.heldMove);
    this.outcome.value = outcome;
    this.isDrawOffered.value = false;
    this.tree.headers.set("Result", outcome.result);
    this.tree.headers.set("Termination", outcome.termination);
    addPlayed(writeGame(this.tree));
    this.finished.value++;
    storeMatch(null);
    this.endSession();
    this.context.study.changed();
  }

  /** Store the game, and disconnect: the page is left, perhaps for a reload. */
  suspend(): void {
    this.store();
    this.endSession();
  }

  private store(): void {
    const terms = this.game.peek();
    if (!terms || this.outcome.peek() || !this.head.peek()) return;
    const times = this.clock?.timesAt(performance.now()) ?? null;
    storeMatch({ terms, tree: this.tree, times });
  }

  // --- the session

  connect(): void {
    const terms = this.game.peek();
    if (!terms || this.outcome.peek()) return;
    this.endSession();
    const session = new EngineSession(terms.engine, this.context.token.peek(), { purpose: "game" });
    this.session = session;
    this.isReady.value = false;
    session.update((conversation) => {
      for (const [name, value] of optionsOf(terms)) conversation.setOption(name, value);
    });
    session.listen((event) => this.onEvent(session, terms, event));
    session.open();
  }

  private endSession(): void {
    if (!this.session) return;
    this.session.close();
    this.onConnection({ type: "off" });
    this.session = null;
  }

  checkConnection(): void {
    this.session?.check();
  }

  private onEvent(session: EngineSession, terms: Terms, event: SessionEvent): void {
    switch (event.type) {
      case "ready":
        this.onReady(session.conversation.name || terms.engine, terms);
        break;
      case "info":
        if (this.isEngineToMove && event.info.text === undefined) this.onThinking();
        break;
      case "bestmove":
        this.onBestmove(event.move, event.ponder, event.findings);
        break;
      case "notice":
        this.onNotice(event.notice);
        break;
      case "connection":
        this.onConnection(event.state);
        break;
      case "round-trip":
        this.onRoundTrip(event.ms);
        break;
      default:
    }
  }

  private onConnection(state: ConnectionState): void {
    this.connection.value = state;
    if (state.type === "open") this.startClock();
    // The engine's time ends with the last line that came from it.
    else if (this.isEngineToMove) this.haltClock(this.session?.heardAt ?? performance.now());
    if (state.type === "stopped") this.context.onStopped(state.problem);
  }

  private onReady(name: string, terms: Terms): void {
    this.opponentName.value = name;
    this.tree.headers.set(sideName(opposite(terms.color)), name);
    this.context.study.changed();
    if (this.isReady.peek()) return;
    this.isReady.value = true;
    this.requestSearch();
  }

  private onNotice({ code, text }: Notice): void {
    if (code === "waiting") {
      this.waiting.value = text;
      if (this.isEngineToMove) this.clock?.halt(performance.now());
      return;
    }
    const problem = problemOf(code, text);
    if (REFUSALS.includes(noticeEffect(code)) && this.isEngineToMove) {
      this.clock?.halt(performance.now());
      this.waiting.value = null;
      this.blocked.value = problem;
    } else if (!UNREPORTED.includes(code)) this.context.toasts.addProblem(problem);
  }

  /** Request the search once more that was put off. */
  retry(): void {
    this.blocked.value = null;
    this.requestSearch();
  }

  private onThinking(): void {
    this.waiting.value = null;
    if (this.clock?.turn === null) this.startClock();
  }

  // --- moves

  private get isEngineToMove(): boolean {
    const terms = this.game.peek();
    return terms !== null && this.head.peek()?.turn !== terms.color;
  }

  /** Play the user's move. */
  play(move: Move): void {
    const head = this.head.peek();
    if (!head || this.isEngineToMove || this.outcome.peek() || !this.isReady.peek()) return;
    const next = this.tree.play(head, move);
    if (next) this.advance(next, 0);
  }

  /** Play the engine's move; at a weak level, when a person would have found it. */
  private onBestmove(uci: string | null, ponder: string | null, findings: Findings | null): void {
    const wait = this.askedAt + this.timeFor(uci) - performance.now();
    if (wait <= 0) this.playForEngine(uci, ponder, findings, this.roundTrip);
    // The network's time is part of the wait.
    else this.heldMove = setTimeout(() => this.playForEngine(uci, ponder, findings, 0), wait);
  }

  private timeFor(uci: string | null): number {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (!terms || !head || !uci) return 0;
    if (terms.strength.kind === "full" || !this.context.isPaced()) return 0;
    const left = this.clock?.timeLeft(opposite(terms.color), performance.now()) ?? null;
    return timeToTake(head, uci, left, terms.increment);
  }

  private playForEngine(
    uci: string | null,
    ponder: string | null,
    findings: Findings | null,
    lag: number,
  ): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (!head || !terms || this.outcome.peek()) return;
    const color = opposite(terms.color);
    const next = uci ? this.tree.playAll(head, [uci]) : head;
    if (next === head) {
      this.finish(madeNoMove(color));
      return;
    }
    this.flaggedAt = null;
    this.isSilent.value = false;
    this.expectedMove = ponder && normalUci(next.fen, ponder);
    const score = findings?.lines[0]?.score;
    this.scores.push(score ? centipawnsOf(score, color) : null);
    this.advance(next, lag);
    const isOffered = !this.outcome.peek() && drawPolicy.offers(this.scores, next.ply);
    if (isOffered) this.isDrawOffered.value = true;
  }

  private advance(next: GameNode, lag: number): void {
    if (this.clock) this.pressClock(this.clock, next, lag);
    // A user who looks at an earlier move stays there.
    const isFollowed = this.context.study.node.peek() === this.head.peek();
    batch(() => {
      this.head.value = next;
      this.isDrawOffered.value = false;
      if (isFollowed) this.context.study.showNode(next);
      else this.context.study.changed();
    });
    const outcome = outcomeOf(next);
    if (outcome) this.finish(outcome);
    else this.requestSearch();
    this.store();
    this.showTimes();
  }

  /** Start the other clock after a move, and record both times. */
  private pressClock(clock: Clock, next: GameNode, lag: number): void {
    const [now, mover] = [performance.now(), opposite(next.turn)];
    if (this.isTimed.peek()) {
      if (!clock.turn) clock.start(mover, now);
      clock.press(now, lag);
    }
    const times = clock.timesAt(now);
    this.timesAt.set(next, times);
    next.comments = [makeComment({ text: "", clock: Math.floor(times[mover] / 1000) }).trim()];
  }

  /** Request a search if the engine is to move; otherwise let it ponder, if it may. */
  private requestSearch(): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (!terms || !head || this.outcome.peek()) return;
    clearTimeout(this.heldMove);
    this.askedAt = performance.now();
    this.startClock();
    const limits = limitsOf(terms, this.clock?.timesAt(performance.now()) ?? null);
    const request = { ...enginePosition(this.tree, head), limits };
    if (this.isEngineToMove) this.searchFor(request);
    else if (terms.ponders && terms.base !== null && this.expectedMove) {
      const moves = [...request.moves, this.expectedMove];
      const fen = fenAfter(head.fen, [this.expectedMove]);
      this.searchFor({ ...request, moves, fen, turn: opposite(head.turn), isPonder: true });
    }
  }

  private searchFor(request: SearchRequest | null): void {
    this.session?.update((conversation) => conversation.requestSearch(request));
  }

  // --- the clock

  /** Start the clock of the side to move, if nothing holds it. */
  private startClock(): void {
    const turn = this.head.peek()?.turn;
    if (!turn || !this.clock || this.outcome.peek() || !this.isReady.peek()) return;
    if (!this.isTimed.peek()) return;
    const isHeld = this.waiting.peek() || this.blocked.peek() || this.isSilent.peek();
    const isHalted = this.isEngineToMove && (isHeld || this.connection.peek().type !== "open");
    // The user's move has started it.
    if (isHalted) this.clock.halt(performance.now());
    else if (this.clock.turn !== turn) this.clock.start(turn, performance.now());
  }

  /** Halt the engine's clock at a time in the past: its flag has not fallen since. */
  private haltClock(at: number): void {
    this.clock?.halt(at);
    this.flaggedAt = null;
  }

  private tick(): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    const now = performance.now();
    if (this.isEngineToMove && this.connection.peek().type === "open") this.watchServer(now);
    this.showTimes();
    const turn = this.clock?.turn;
    if (!terms || !head || !turn || !this.clock || this.clock.timeLeft(turn, now) > 0) return;
    if (turn === terms.color) this.finish(timeIsUp(head, turn));
    else if (this.clock.timeLeft(turn, now - this.roundTrip) === 0) {
      this.flaggedAt ??= now;
      this.checkConnection();
    }
  }

  /** Ping the server; halt the engine's clock while there is no answer. */
  private watchServer(now: number): void {
    const delay = this.session?.answerDelay ?? 0;
    if (delay > Math.max(SILENCE, 2 * this.roundTrip)) {
      this.isSilent.value = true;
      this.haltClock(now - delay);
    }
    if (now - this.pingedAt < PING_INTERVAL) return;
    this.pingedAt = now;
    this.checkConnection();
  }

  private onRoundTrip(ms: number): void {
    if (this.isSilent.peek()) {
      this.isSilent.value = false;
      this.startClock();
    } else this.roundTrip = ms;
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (this.flaggedAt === null || !terms || !head || !this.isEngineToMove) return;
    const pingedAt = performance.now() - ms;
    if (pingedAt > this.flaggedAt) this.finish(timeIsUp(head, opposite(terms.color)));
    else this.checkConnection();
  }

  private showTimes(): void {
    this.times.value = this.clock?.timesAt(performance.now()) ?? null;
  }

  // --- the user's other actions

  resign(): void {
    const terms = this.game.peek();
    if (terms) this.finish(resigned(terms.color));
  }

  /** Offer a draw, or accept the engine's offer. */
  offerDraw(): void {
    const head = this.head.peek();
    if (!head || this.outcome.peek()) return;
    const isAgreed = this.isDrawOffered.peek() || drawPolicy.accepts(this.scores, head.ply);
    if (isAgreed) this.finish(agreed());
    else this.context.toasts.addNote(text("play-declines"), text("play-declines-reason"));
  }

  get mayTakeBack(): boolean {
    return this.lastOwnPosition() !== null && !this.outcome.value;
  }

  /** Go back to the position before the user's last move, with the clocks as they were. */
  takeBack(): void {
    const target = this.lastOwnPosition();
    const head = this.head.peek();
    if (!target || !head || this.outcome.peek()) return;
    this.searchFor(null);
    this.expectedMove = null;
    const undone = head.path()[target.path().length];
    if (undone) this.tree.remove(undone);
    const { clock } = this;
    clock?.setTimes(this.timesAt.get(target) ?? recordedTimes(target, clock.base));
    if (!this.isEngineToMove) this.scores.pop(); // of the engine's move that is gone
    this.waiting.value = this.blocked.value = null;
    this.flaggedAt = null;
    batch(() => {
      this.isDrawOffered.value = false;
      this.head.value = target;
      this.context.study.showNode(target);
    });
    this.requestSearch();
  }

  private lastOwnPosition(): GameNode | null {
    const [terms, head] = [this.game.value, this.head.value];
    const last = head?.turn === terms?.color ? head?.parent : head;
    return last?.parent ?? null;
  }

  /** Play once more, with the colours changed. */
  rematch(): void {
    const terms = this.game.peek();
    if (terms) this.start({ ...terms, color: opposite(terms.color) });
  }
}
