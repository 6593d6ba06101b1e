/**
 * A game against an engine: whose turn it is, what the clocks show, and how it ends.
 *
 * The page is the arbiter.  The clocks start when each side has moved.  The engine's clock stands while there is no connection, or no
 * engine for us, and is spared the way of its move; its flag falls only when the server,
 * asked after that, has answered and still there was no move.
 */

import { batch, computed, signal } from "@preact/signals";
import { makeComment } from "chessops/pgn";
import type { Move } from "chessops/types";
import { writeGame } from "../game/pgn";
import type { Study } from "../game/study";
import { type GameNode, GameTree, normalUci, wordsOf } from "../game/tree";
import { Ledger } from "../link/ledger";
import { Link, type LinkState } from "../link/link";
import { type Problem, problemOf } from "../link/problem";
import type { Notes } from "../notes";
import { addPlayed } from "../settings";
import type { Notice, Score } from "../uci/line";
import { type Meaning, meaningOf } from "../uci/meaning";
import { Clock, other, type Times } from "./clock";
import { centipawns, offersDraw, takesDraw } from "./manners";
import { Opponent } from "./opponent";
import { agreed, type Outcome, outcomeOf, resigned, speechless, timeIsUp } from "./outcome";
import { keepMatch, keptMatch, type Match, nameOf, newTree, timesNoted } from "./record";
import { limitsOf, optionsOf, type Terms } from "./terms";

export interface PlayHome {
  readonly study: Study;
  readonly notes: Notes;
  token(): string | null;
  /** The board is for a game now, and then for analysis again. */
  began(): void;
  left(): void;
  /** The server wants another token, or none for a while. */
  refused(problem: Problem): void;
}

const TICK = 100; // ms between looks at the clocks
const ASK = 500; // ms between questions whether the server is there, while its engine thinks
const SILENT = 1000; // ms without an answer after which the server, and not the engine, is late
// What a notice means after which the engine's move is none for this position.
const REFUSING = new Set<Meaning>(["put-off", "refused"]);
const QUIET = new Set(["waiting", "option-clamped", "cached"]);

export class Play {
  /** What was agreed; null is that nobody plays. */
  readonly game = signal<Terms | null>(null);
  readonly head = signal<GameNode | null>(null);
  /** Whether the clocks may run: the first move of each side costs no time, and earns none. */
  readonly isTimed = computed(() => Boolean(this.head.value?.parent?.parent));
  readonly outcome = signal<Outcome | null>(null);
  /** What the clocks show; null is a game without. */
  readonly times = signal<Times | null>(null);
  readonly link = signal<LinkState>({ kind: "off" });
  readonly place = signal<string | null>(null);
  /** Why the engine may not think now. */
  readonly blocked = signal<Problem | null>(null);
  /** The engine offers a draw. */
  readonly offered = signal(false);
  readonly opponentName = signal("");
  /** The server does not answer, though there is a connection. */
  readonly isSilent = signal(false);
  /** The engine has heard what was agreed. */
  readonly isReady = signal(false);

  private tree = new GameTree();
  private clock: Clock | null = null;
  private opponent: Opponent | null = null;
  private socket: Link | null = null;
  private ticker = 0;
  private roundTrip = 0;
  private askedAt = 0;
  private flaggedAt: number | null = null;
  private scores: (number | null)[] = [];
  private expected: string | null = null;
  private readonly timesAt = new WeakMap<GameNode, Times>();

  constructor(private readonly home: PlayHome) {}

  // --- beginning and end

  start(terms: Terms): void {
    this.begin({ terms, tree: newTree(terms), times: null });
  }

  /** Go on with the game of before a reload; says whether there is one. */
  resume(): boolean {
    const match = keptMatch();
    if (match) this.begin(match);
    return match !== null;
  }

  private begin({ terms, tree, times }: Match): void {
    const head = tree.mainline().at(-1) ?? tree.root;
    this.end();
    this.home.began();
    this.tree = tree;
    this.clock = terms.base === null ? null : new Clock(terms.base, terms.increment);
    if (times) this.clock?.set(times);
    this.scores = [];
    batch(() => {
      this.game.value = terms;
      this.head.value = head;
      this.outcome.value = outcomeOf(head);
      this.opponentName.value = terms.engine;
      this.home.study.load(tree, head);
      this.home.study.orientation.value = terms.color;
    });
    this.showTimes();
    this.connect();
    this.ticker = setInterval(() => this.tick(), TICK) as unknown as number;
  }

  /** Back to analysis; a game that goes on is given up. */
  leave(): void {
    this.end();
    this.game.value = null;
    keepMatch(null);
    this.home.left();
  }

  private end(): void {
    clearInterval(this.ticker);
    this.socket?.close();
    this.socket = this.opponent = null;
    this.isReady.value = false;
    this.flaggedAt = null;
    batch(() => {
      this.outcome.value = this.place.value = this.blocked.value = null;
      this.offered.value = this.isSilent.value = false;
      this.link.value = { kind: "off" };
    });
  }

  private finish(outcome: Outcome): void {
    if (this.outcome.peek()) return;
    this.clock?.halt(performance.now());
    this.showTimes();
    clearInterval(this.ticker);
    this.outcome.value = outcome;
    this.offered.value = false;
    this.tree.headers.set("Result", outcome.result);
    this.tree.headers.set("Termination", outcome.termination);
    addPlayed(writeGame(this.tree));
    keepMatch(null);
    this.socket?.close();
    this.socket = null;
    this.home.study.changed();
  }

  /** The page is left, perhaps for a reload. */
  hide(): void {
    this.keep();
    this.socket?.close();
  }

  private keep(): void {
    const terms = this.game.peek();
    if (!terms || this.outcome.peek() || !this.head.peek()) return;
    const times = this.clock?.both(performance.now()) ?? null;
    keepMatch({ terms, tree: this.tree, times });
  }

  // --- the connection

  connect(): void {
    const terms = this.game.peek();
    if (!terms || this.outcome.peek()) return;
    this.socket?.close();
    const opponent = this.makeOpponent(terms);
    const link: Link = new Link(terms.engine, this.home.token(), new Ledger(), {
      fresh: () => opponent.fresh(),
      line: (line) => opponent.hear(line),
      state: (state) => this.socket === link && this.linked(state),
      roundTrip: (ms) => this.answered(ms),
    });
    this.opponent = opponent;
    this.socket = link;
    this.isReady.value = false;
    link.open();
  }

  check(): void {
    this.socket?.check();
  }

  private makeOpponent(terms: Terms): Opponent {
    const opponent: Opponent = new Opponent(optionsOf(terms), {
      say: (line) => this.socket?.say(line),
      ready: () => this.ready(opponent),
      moved: (move, ponder, score) => this.answer(move, ponder, score),
      thinks: () => this.thinks(),
      notice: (notice) => this.noticed(notice),
    });
    return opponent;
  }

  private linked(state: LinkState): void {
    this.link.value = state;
    if (state.kind === "open") this.runFor();
    // What is not heard of the engine has not been its time.
    else if (this.isEngines) this.clock?.halt(this.socket?.heardAt ?? performance.now());
    if (state.kind === "stopped") this.home.refused(state.problem);
  }

  private ready(opponent: Opponent): void {
    const terms = this.game.peek();
    if (!terms) return;
    this.opponentName.value = opponent.name || terms.engine;
    this.tree.headers.set(nameOf(other(terms.color)), this.opponentName.peek());
    this.home.study.changed();
    if (this.isReady.peek()) return;
    this.isReady.value = true;
    this.ask();
  }

  private noticed(notice: Notice): void {
    if (notice.code === "waiting") {
      this.place.value = notice.text;
      if (this.isEngines) this.clock?.halt(performance.now());
      return;
    }
    const problem = problemOf(notice.code, notice.text);
    if (REFUSING.has(meaningOf(notice.code)) && this.isEngines) {
      this.opponent?.refuse();
      this.clock?.halt(performance.now());
      this.place.value = null;
      this.blocked.value = problem;
    } else if (!QUIET.has(notice.code)) this.home.notes.tell(problem);
  }

  /** Ask the engine once more, after it was not let think. */
  retry(): void {
    this.blocked.value = null;
    this.ask();
  }

  private thinks(): void {
    this.place.value = null;
    if (this.clock?.turn === null) this.runFor();
  }

  // --- moves

  get isEngines(): boolean {
    const terms = this.game.peek();
    return terms !== null && this.head.peek()?.turn !== terms.color;
  }

  /** A move on the board, of who plays here. */
  move(move: Move): void {
    const head = this.head.peek();
    if (!head || this.isEngines || this.outcome.peek() || !this.isReady.peek()) return;
    const next = this.tree.play(head, move);
    if (next) this.advance(next, 0);
  }

  private answer(uci: string | null, ponder: string | null, score: Score | null): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (!head || !terms || this.outcome.peek()) return;
    const next = uci ? this.tree.playAll(head, [uci]) : head;
    if (next === head) {
      this.finish(speechless(other(terms.color)));
      return;
    }
    this.flaggedAt = null;
    this.isSilent.value = false;
    this.expected = ponder && normalUci(next.fen, ponder);
    this.scores.push(score && centipawns(score));
    this.advance(next, this.roundTrip);
    if (!this.outcome.peek() && offersDraw(this.scores, next.ply)) this.offered.value = true;
  }

  private advance(next: GameNode, spared: number): void {
    if (this.clock) this.press(this.clock, next, spared);
    // Who looks at an earlier move goes on doing so.
    const isFollowed = this.home.study.node.peek() === this.head.peek();
    batch(() => {
      this.head.value = next;
      this.offered.value = false;
      if (isFollowed) this.home.study.arrive(next);
      else this.home.study.changed();
    });
    const outcome = outcomeOf(next);
    if (outcome) this.finish(outcome);
    else this.ask();
    this.keep();
    this.showTimes();
  }

  /** Let the other clock run after a move, and note what both show. */
  private press(clock: Clock, next: GameNode, spared: number): void {
    const [now, mover] = [performance.now(), other(next.turn)];
    if (this.isTimed.peek()) {
      if (!clock.turn) clock.run(mover, now);
      clock.press(now, spared);
    }
    const times = clock.both(now);
    this.timesAt.set(next, times);
    next.comments = [makeComment({ text: "", clock: Math.floor(times[mover] / 1000) }).trim()];
  }

  /** Let the engine think if it is its turn, and ponder if it may. */
  private ask(): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (!terms || !head || this.outcome.peek()) return;
    this.runFor();
    const limits = limitsOf(terms, this.clock?.both(performance.now()) ?? null);
    const { start, moves } = wordsOf(this.tree, head);
    if (this.isEngines) this.opponent?.think({ start, moves, limits });
    else if (terms.ponders && terms.base !== null && this.expected) {
      this.opponent?.ponder({ start, moves: [...moves, this.expected], limits });
    }
  }

  // --- the clock

  /** Let the clock run for whose turn it is, if nothing holds it. */
  private runFor(): void {
    const turn = this.head.peek()?.turn;
    if (!turn || !this.clock || this.outcome.peek() || !this.isReady.peek()) return;
    if (!this.isTimed.peek()) return;
    const isHeld = this.place.peek() || this.blocked.peek() || this.isSilent.peek();
    if (this.isEngines && (isHeld || this.link.peek().kind !== "open")) return;
    if (this.clock.turn !== turn) this.clock.run(turn, performance.now());
  }

  private tick(): void {
    const [terms, head] = [this.game.peek(), this.head.peek()];
    const now = performance.now();
    if (this.isEngines && this.link.peek().kind === "open") this.listen(now);
    this.showTimes();
    const turn = this.clock?.turn;
    if (!terms || !head || !turn || !this.clock || this.clock.left(turn, now) > 0) return;
    if (turn === terms.color) this.finish(timeIsUp(head, turn));
    else if (this.clock.left(turn, now - this.roundTrip) === 0) {
      this.flaggedAt ??= now;
      this.socket?.check();
    }
  }

  /** Ask whether the server is there; while it is not, the engine's clock stands. */
  private listen(now: number): void {
    const waiting = this.socket?.waiting ?? 0;
    if (waiting > Math.max(SILENT, 2 * this.roundTrip)) {
      this.isSilent.value = true;
      this.clock?.halt(now - waiting);
    }
    if (now - this.askedAt < ASK) return;
    this.askedAt = now;
    this.socket?.check();
  }

  private answered(ms: number): void {
    if (this.isSilent.peek()) {
      this.isSilent.value = false;
      this.runFor();
    } else this.roundTrip = ms;
    const [terms, head] = [this.game.peek(), this.head.peek()];
    if (this.flaggedAt === null || !terms || !head || !this.isEngines) return;
    const askedAt = performance.now() - ms;
    if (askedAt > this.flaggedAt) this.finish(timeIsUp(head, other(terms.color)));
    else this.socket?.check();
  }

  private showTimes(): void {
    this.times.value = this.clock?.both(performance.now()) ?? null;
  }

  // --- what else players do

  resign(): void {
    const terms = this.game.peek();
    if (terms) this.finish(resigned(terms.color));
  }

  offerDraw(): void {
    const head = this.head.peek();
    if (!head || this.outcome.peek()) return;
    if (this.offered.peek() || takesDraw(this.scores, head.ply)) this.finish(agreed());
    else this.home.notes.say("The engine declines the draw", "It thinks it can do better.");
  }

  get mayTakeBack(): boolean {
    return this.takenBackTo() !== null && !this.outcome.value;
  }

  /** Back to the last own move, with the clocks as they were. */
  takeBack(): void {
    const target = this.takenBackTo();
    const head = this.head.peek();
    if (!target || !head || this.outcome.peek()) return;
    this.opponent?.stop();
    this.expected = null;
    const undone = head.path()[target.path().length];
    if (undone) this.tree.remove(undone);
    if (this.clock) this.clock.set(this.timesAt.get(target) ?? timesNoted(target, this.clock.base));
    if (!this.isEngines) this.scores.pop(); // what it thought of the move that is gone
    this.place.value = this.blocked.value = null;
    this.flaggedAt = null;
    batch(() => {
      this.offered.value = false;
      this.head.value = target;
      this.home.study.arrive(target);
    });
    this.ask();
  }

  private takenBackTo(): GameNode | null {
    const [terms, head] = [this.game.value, this.head.value];
    const last = head?.turn === terms?.color ? head?.parent : head;
    return last?.parent ?? null;
  }

  /** The same once more, with the colours changed. */
  rematch(): void {
    const terms = this.game.peek();
    if (terms) this.start({ ...terms, color: other(terms.color) });
  }
}
