/**
 * The engine that analyses: its connection, what it is to search, what it has found.
 *
 * What is to be searched follows from the position on the board and the settings, each time
 * anew (`wish`); what is shown follows from what was found for that position, and no other.
 * In a room where another has control it only follows what that one asks.
 */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { passed, positionOf } from "../game/position";
import { type GameNode, type GameTree, wordsOf } from "../game/tree";
import type { LinkState } from "../link/link";
import { type Problem, problemOf } from "../link/problem";
import type { Said } from "../room/overheard";
import { type Baton, type Settings, saveBaton } from "../settings";
import type { Limits } from "../uci/limits";
import type { Notice, Score } from "../uci/line";
import { meaningOf } from "../uci/meaning";
import { Choices } from "./choices";
import type { Findings, Wish } from "./engine";
import { Memory } from "./memory";
import { finalScore, Review } from "./review";
import { MOST_LINES, Session } from "./session";

/** What the analysis has to know of the rest of the page. */
export interface Home {
  readonly settings: ReadonlySignal<Settings>;
  readonly chosen: ReadonlySignal<string>;
  readonly tree: ReadonlySignal<GameTree>;
  readonly node: ReadonlySignal<GameNode>;
  readonly token: string | null;
  /** Whether the board is for something else: a game, a position that is set up. */
  readonly isBusy: boolean;
  /** The room that is watched; null is an engine of one's own. */
  readonly visited: string | null;
  /** Whether others look on, who want the search to go on while this page is hidden. */
  readonly isWatched: boolean;
  /** Whether this page speaks with the engine, and not another in the room. */
  readonly hasControl: boolean;
  change(settings: Partial<Settings>): void;
  tell(problem: Problem): void;
  say(title: string, text: string): void;
  /** The game has new annotations. */
  annotated(): void;
  /** The server wants another token. */
  refused(problem: Problem): void;
  /** A line about the room that the session is, or that is watched. */
  room(line: string): void;
  /** A session begins, or goes on that the page before has left. */
  fresh(isInherited: boolean): void;
}

/** A position that is looked at for the sake of its score. */
interface Examined {
  readonly tree: GameTree;
  readonly node: GameNode;
  readonly done: (score: Score | null) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

const EXAMINED = 500; // ms at least for a position whose score decides something
const EVERY = 50; // ms from one look of what is found to the next

export class Analysis {
  readonly link = signal<LinkState>({ kind: "off" });
  readonly roundTrip = signal<number | null>(null);
  readonly engineName = signal("");
  readonly choices: Choices;
  readonly place = signal<string | null>(null);
  /** Why the server does not search, though the connection is good. */
  readonly blocked = signal<Problem | null>(null);
  readonly isSearching = signal(false);
  readonly findings = signal<Findings | null>(null);
  readonly progress = signal<Progress | null>(null);
  /** The position as if the other side were to move, while its threat is looked for. */
  readonly threat = signal<string | null>(null);
  /** Of which position something is shown. */
  readonly target = computed(() => this.threat.value ?? this.home.node.value.fen);
  /** Where the game is over in the current position: what it is worth. */
  readonly final = computed(() => finalScore(this.home.node.value));
  readonly running = computed(() => this.home.settings.value.running);

  private session: Session | null = null;
  private readonly memory = new Memory();
  private review: Review | null = null;
  private examined: Examined | null = null;
  private isDue = false; // something is to be shown
  private shownAt = -EVERY;
  private isHidden = document.hidden;

  constructor(private readonly home: Home) {
    const analysis = this;
    this.choices = new Choices({
      settings: home.settings,
      chosen: home.chosen,
      get engine() {
        return analysis.session?.engine ?? null;
      },
      change: (settings) => home.change(settings),
      forget: () => this.memory.forget(),
    });
  }

  // --- the connection

  /** Begin a session, or go on with one that a page before has left. */
  connect(baton: Baton | null = null): void {
    this.disconnect();
    const name = this.home.chosen.peek();
    if (!name) return;
    const session = new Session(name, this.home.token, this.home.visited, baton);
    session.prepare(this.home.settings.peek());
    this.adopt(session);
    session.open();
  }

  /** Go on with a session that has begun. */
  adopt(session: Session): void {
    this.session = session;
    session.listen({
      fresh: (isInherited) => {
        this.place.value = null;
        this.home.fresh(isInherited);
      },
      introduced: () => this.introduced(session),
      changed: () => this.schedule(),
      notice: (notice) => this.noticed(notice),
      known: (findings) => {
        this.memory.keep(session.name, findings);
        this.schedule();
      },
      finished: (wish, findings, best) => this.finished(wish, findings, best),
      room: (line) => this.home.room(line),
      state: (state) => this.linked(state),
      roundTrip: (ms) => setTo(this.roundTrip, ms),
    });
    this.seek();
  }

  /** End what this page has of the session; if it has a room, the next page may go on with it. */
  leave(room: Baton["room"] | null): void {
    if (room) saveBaton(this.session?.leave(room) ?? null);
    this.disconnect();
  }

  /** End the session: the engine is wanted for something else, or not at all. */
  disconnect(): void {
    this.session?.close();
    this.session = null;
    batch(() => {
      this.link.value = { kind: "off" };
      this.engineName.value = "";
      this.choices.options.value = [];
      this.place.value = this.blocked.value = null;
      this.findings.value = null;
      this.isSearching.value = false;
    });
  }

  /** Look whether the connection is still good. */
  check(): void {
    this.session?.check();
  }

  /** Say something to the server itself, which is no part of the session. */
  tellServer(line: string): void {
    this.session?.tellServer(line);
  }

  hide(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (!isHidden) this.check();
    this.seek();
  }

  private linked(state: LinkState): void {
    this.link.value = state;
    if (state.kind !== "open") this.roundTrip.value = null;
    if (state.kind !== "stopped") return;
    this.isSearching.value = false;
    this.home.refused(state.problem);
  }

  private introduced(session: Session): void {
    batch(() => {
      this.engineName.value = session.engine.name || session.name;
      this.choices.options.value = [...session.engine.options.values()];
    });
    session.prepare(this.home.settings.peek());
    this.seek();
  }

  private noticed(notice: Notice): void {
    const meaning = meaningOf(notice.code);
    if (notice.code === "waiting") {
      this.place.value = notice.text;
      return;
    }
    if (meaning === "refused") this.refused();
    const problem = problemOf(notice.code, notice.text);
    // Nothing is searched until it is asked for again.
    if (meaning === "put-off") this.block(problem);
    else this.home.tell(problem);
  }

  private block(problem: Problem): void {
    // That there is no search comes of what was said before it, which says more.
    if (problem.code !== "no-search" || !this.blocked.peek()) this.blocked.value = problem;
  }

  /** The server does not have searched what was asked for: nobody need wait for it. */
  private refused(): void {
    const { examined } = this;
    this.examined = null;
    examined?.done(null);
    if (this.review) this.breakReview();
    else if (examined) this.seek();
  }

  /** Ask once more for the search that was refused. */
  retry(): void {
    this.blocked.value = null;
    this.session?.engine.want(null);
    this.seek();
  }

  // --- the search

  /** Ask for what should be searched now. */
  seek(): void {
    if (this.examined && !this.home.isBusy) this.examined = null;
    if (this.session) {
      this.session.engine.isFollowing = !this.home.hasControl;
      this.session.engine.want(this.wish());
    }
    this.schedule();
  }

  private wish(): Wish | null {
    const settings = this.home.settings.peek();
    if (this.examined) {
      this.session?.setLines(1);
      const limits: Limits = { kind: "movetime", value: Math.max(settings.reviewMs, EXAMINED) };
      return { ...wordsOf(this.examined.tree, this.examined.node), limits };
    }
    if (this.home.isBusy) return null;
    if (this.review) {
      this.session?.setLines(1);
      const node = this.review.current;
      const limits: Limits = { kind: "movetime", value: settings.reviewMs };
      return node && { ...wordsOf(this.review.tree, node), limits };
    }
    const paused = this.isHidden && settings.stopsWhenHidden && !this.home.isWatched;
    if (!settings.running || paused || this.final.peek()) return null;
    this.session?.setLines(settings.lines);
    const threat = this.threat.peek();
    if (threat) return threatOf(threat, this.home.tree.peek().chess960, settings.limits);
    return {
      ...wordsOf(this.home.tree.peek(), this.home.node.peek()),
      limits: settings.limits,
    };
  }

  /** How many lines are wanted, as far as the engine has as many. */
  get lines(): number {
    return Math.min(this.home.settings.value.lines, this.mostLines);
  }

  get mostLines(): number {
    void this.choices.options.value; // by which it is known
    return this.session?.mostLines ?? MOST_LINES;
  }

  private finished(wish: Wish, findings: Findings | null, best: string | null): void {
    const { examined } = this;
    if (examined?.node.fen === wish.fen) {
      this.examined = null;
      this.seek();
      examined.done(findings?.lines[0]?.score ?? null);
      return;
    }
    if (this.review?.current?.fen !== wish.fen) return;
    if (!findings) {
      this.breakReview();
      return;
    }
    this.review.take(findings, best);
    if (this.review.isOver) this.endReview();
    else this.seek();
    this.home.annotated();
  }

  // --- in a room

  /** Another has told the engine something. */
  follow(said: Said): void {
    const engine = this.session?.engine;
    if (said.kind === "option") engine?.overhearOption(said.name, said.value);
    if (said.kind === "go") engine?.overhearSearch(said.wish);
    this.schedule();
  }

  /** Who speaks with the engine is known now, or is another. */
  controlled(): void {
    const engine = this.session?.engine;
    if (engine) engine.isFollowing = !this.home.hasControl;
    if (!this.home.hasControl) this.endReview();
    if (this.home.visited !== null) engine?.arrive();
    this.seek();
  }

  // --- what is shown

  /**
   * Show what is there with the next frame, but not oftener than anybody reads.  The first of a
   * position is what one waits for: it is shown at once.
   */
  private schedule(): void {
    if (this.findings.peek()?.fen !== this.target.peek() && this.fresh) this.show();
    if (this.isDue) return;
    this.isDue = true;
    const wait = this.shownAt + EVERY - performance.now();
    if (wait <= 0) requestAnimationFrame(() => this.show());
    else setTimeout(() => requestAnimationFrame(() => this.show()), wait);
  }

  /** What the engine has found for the position on the board; null if nothing yet. */
  private get fresh(): Findings | null {
    const found = this.session?.engine.findings;
    return found?.lines.length && found.fen === this.target.peek() ? found : null;
  }

  private show(): void {
    this.isDue = false;
    this.shownAt = performance.now();
    const engine = this.session?.engine;
    const found = engine?.findings ?? null;
    const name = this.home.chosen.peek();
    if (found?.lines.length) this.memory.keep(name, found);
    const fresh = this.fresh;
    const known = this.memory.get(name, this.target.peek());
    // A search that begins anew is shown once it has looked as far as the one before.
    const isBehind = fresh && known && fresh.depth < known.depth;
    batch(() => {
      this.isSearching.value = engine?.isSearching ?? false;
      if (found) this.place.value = this.blocked.value = null;
      this.findings.value = isBehind ? withFigures(known, fresh) : (fresh ?? known);
      const review = this.review;
      this.progress.value = review && { done: review.done, total: review.nodes.length };
    });
  }

  /** Another position is on the board. */
  moved(): void {
    this.threat.value = null;
    this.session?.grow(this.home.settings.peek());
    this.retarget();
  }

  /** Look for what the other side threatens, or for the best move again; says whether it can. */
  toggleThreat(): boolean {
    const node = this.home.node.peek();
    const fen = this.threat.peek() ? null : passed(node.position());
    this.threat.value = fen && !positionOf(fen).isEnd() ? fen : null;
    this.retarget();
    return this.threat.peek() !== null;
  }

  private retarget(): void {
    this.seek();
    // What is known of this position is there at once; nothing of another one ever is.
    this.findings.value = this.memory.get(this.home.chosen.peek(), this.target.peek());
  }

  /** What has been found for the position on the board itself. */
  get own(): Findings | null {
    const findings = this.findings.value;
    if (this.threat.value === null) return findings;
    return this.memory.get(this.home.chosen.value, this.home.node.value.fen);
  }

  /** The best move that is known here; null if none is. */
  get best(): string | null {
    if (this.threat.peek()) return null;
    return this.findings.peek()?.lines[0]?.pv[0] ?? null;
  }

  toggle(): void {
    const state = this.link.peek().kind;
    const running = !this.running.peek();
    if (!running && this.threat.peek()) this.toggleThreat();
    this.home.change({ running });
    if (running && (state === "stopped" || state === "off")) this.connect();
  }

  // --- a whole game

  startReview(): void {
    const tree = this.home.tree.peek();
    if (!this.home.hasControl || !tree.root.children.length) return;
    const state = this.link.peek().kind;
    if (state === "stopped" || state === "off") this.connect();
    else if (state !== "open") this.check();
    this.review = new Review(tree);
    // The first position may have been searched so already, and would not be once more.
    this.session?.engine.want(null);
    if (this.threat.peek()) this.toggleThreat();
    this.home.annotated();
    if (this.review.isOver) this.endReview();
    this.seek();
  }

  /** Look at one position, for as long as an analysis of the game does at least. */
  examine(tree: GameTree, node: GameNode, done: Examined["done"]): void {
    this.examined = { tree, node, done };
    this.seek();
  }

  /** There is nothing to hear of a position: end, and keep what there is. */
  private breakReview(): void {
    const { done, nodes } = this.review ?? { done: 0, nodes: [] };
    this.endReview();
    this.home.say(
      "The game analysis has stopped",
      `The engine found nothing for position ${done + 1} of ${nodes.length}.`,
    );
  }

  endReview(): void {
    if (!this.review) return;
    this.review = null;
    this.home.annotated();
    this.seek();
  }
}

/** What was known before, with the figures of the search that is to catch up with it. */
function withFigures(known: Findings, { nodes, nps, hashfull, tbhits, depth }: Findings): Findings {
  return { ...known, nodes, nps, hashfull, tbhits, behind: depth };
}

/** A search for what a side would do that is not to move. */
function threatOf(fen: string, chess960: boolean, limits: Limits): Wish {
  const turn = fen.split(" ")[1] === "b" ? "black" : "white";
  return { fen, turn, start: fen, moves: [], chess960, limits };
}

function setTo<T>(to: Signal<T>, value: T): void {
  to.value = value;
}
