/**
 * One engine at the position on the board: its session, and what is shown of its search.
 *
 * The page may have several.  Each asks what it is to search (`wantedSearch`), and shows what it has
 * found for the position that is shown, and for no other.
 */

import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation, SearchRequest } from "../engine/conversation";
import { type Findings, FindingsCache } from "../engine/findings";
import { type ConnectionState, EngineSession, type SessionEvent } from "../engine/session";
import {
  applySettings,
  growHash,
  linesOption,
  MOST_LINES,
  mostLines,
  useHash,
} from "../engine/setup";
import type { ObservedCommand } from "../room/observer";
import type { Handover, Settings } from "../settings";
import type { Toasts } from "../toasts";
import type { Notice } from "../uci/line";
import { noticeEffect, type Problem, problemOf } from "../uci/notice";
import { EngineOptions } from "./options";

/** The parts of the page on which a searcher depends. */
export interface SearcherContext {
  readonly settings: Signal<Settings>;
  /** The name of its engine. */
  readonly engine: ReadonlySignal<string>;
  readonly token: ReadonlySignal<string | null>;
  readonly toasts: Pick<Toasts, "addProblem">;
  /** The position whose findings are shown, by its key. */
  readonly shownKey: ReadonlySignal<string>;
  /** Return the search that should run now; null if none should. */
  wantedSearch(): WantedSearch | null;
  /** Return whether another page directs the engine. */
  isFollowing(): boolean;
  /** React to what is not only of this engine's panel, before the searcher does. */
  onEvent(event: SessionEvent): void;
}

export interface WantedSearch {
  readonly request: SearchRequest;
  readonly lines: number;
}

const UPDATE_INTERVAL = 50; // ms

export class Searcher {
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

  private session: EngineSession | null = null;
  private readonly cache = new FindingsCache();
  private isUpdateDue = false;
  private updatedAt = -UPDATE_INTERVAL;

  constructor(private readonly context: SearcherContext) {
    const { settings, engine } = context;
    const forget = () => this.cache.clear();
    this.options = new EngineOptions(settings, engine, () => this.session, forget);
  }

  get engine(): string {
    return this.context.engine.value;
  }

  // --- the session

  /** Begin a session, or watch that of a room, or continue one that the page before has left. */
  connect(room: string | null = null, handover: Handover | null = null): void {
    this.disconnect();
    const { engine, token } = this.context;
    if (!engine.peek()) return;
    const setup = { purpose: "analysis", room, handover } as const;
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

  /** End the connection, and return what the next page needs to continue the session. */
  handOver(room: Handover["room"]): Handover | null {
    return this.session?.handOver(room) ?? null;
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

  /** Whether nothing is done about a connection. */
  get isDown(): boolean {
    const { type } = this.connection.peek();
    return type === "stopped" || type === "off";
  }

  checkConnection(): void {
    this.session?.check();
  }

  sendToServer(line: string): void {
    this.session?.sendToServer(line);
  }

  /** Change the conversation with the engine, if there is one. */
  update(change: (conversation: Conversation) => void): void {
    this.session?.update(change);
  }

  /** Take a command of the page that directs the engine. */
  observe(command: ObservedCommand): void {
    this.session?.update((conversation) => {
      if (command.type === "option") conversation.observeOption(command.name, command.value);
      if (command.type === "go") conversation.observeSearch(command.request);
    });
    this.scheduleUpdate();
  }

  private get isWatching(): boolean {
    return Boolean(this.session?.setup.room);
  }

  private applySettings(session: EngineSession): void {
    if (session.setup.room) return;
    const settings = this.context.settings.peek();
    session.update((conversation) => applySettings(conversation, session.engine, settings));
  }

  private onEvent(session: EngineSession, event: SessionEvent): void {
    this.context.onEvent(event);
    switch (event.type) {
      case "info":
      case "searches":
        this.scheduleUpdate();
        break;
      case "cached":
        this.cache.add(session.engine, event.findings);
        this.scheduleUpdate();
        break;
      case "notice":
        this.onNotice(event.notice);
        break;
      case "ready":
        this.onReady(session);
        break;
      case "started":
        this.waiting.value = null;
        break;
      case "connection":
        this.connection.value = event.state;
        if (event.state.type !== "open") this.roundTrip.value = null;
        if (event.state.type === "stopped") this.isSearching.value = false;
        break;
      case "round-trip":
        this.roundTrip.value = event.ms;
        break;
      default:
    }
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
    if (code === "waiting") {
      this.waiting.value = text;
      return;
    }
    const problem = problemOf(code, text);
    if (noticeEffect(code) !== "put-off") this.context.toasts.addProblem(problem);
    // Nothing is searched until the user tries again.  The notice before `no-search` says more.
    else if (code !== "no-search" || !this.blocked.peek()) this.blocked.value = problem;
  }

  // --- the search

  /** Request the search that should run now. */
  requestSearch(): void {
    this.session?.update((conversation) => {
      const wanted = this.context.wantedSearch();
      conversation.isFollowing = this.context.isFollowing();
      const isIdle = !wanted && !conversation.isFollowing;
      if (isIdle) this.waiting.value = this.blocked.value = null; // Nothing waits any more.
      const values = wanted && !this.isWatching ? [linesOption(conversation, wanted.lines)] : [];
      conversation.requestSearch(wanted?.request ?? null, values);
    });
    this.scheduleUpdate();
  }

  /** Search anew, though the same is wanted. */
  restart(): void {
    this.session?.update((conversation) => conversation.requestSearch(null));
    this.requestSearch();
  }

  /** Request once more the search that was put off. */
  retry(): void {
    this.blocked.value = null;
    this.restart();
  }

  /** The number of lines that are shown, as far as the engine has as many. */
  linesOf(wanted: number): number {
    return Math.min(wanted, this.mostLines);
  }

  get mostLines(): number {
    void this.options.offered.value; // It follows from these.
    return this.session ? mostLines(this.session.conversation) : MOST_LINES;
  }

  // --- what is shown

  /**
   * Update what is shown with the next frame, but no more often than a person can read.  The first
   * findings for a position are shown at once.
   */
  private scheduleUpdate(): void {
    const { shownKey } = this.context;
    if (this.findings.peek()?.key !== shownKey.peek() && this.newFindings) this.showFindings();
    if (this.isUpdateDue) return;
    this.isUpdateDue = true;
    const wait = this.updatedAt + UPDATE_INTERVAL - performance.now();
    const update = () => requestAnimationFrame(() => this.showFindings());
    if (wait <= 0) update();
    else setTimeout(update, wait);
  }

  /** The findings of the search that runs, if they are for the position that is shown. */
  private get newFindings(): Findings | null {
    const findings = this.session?.conversation.findings;
    const isShown = findings?.lines.length && findings.key === this.context.shownKey.peek();
    return isShown ? findings : null;
  }

  private showFindings(): void {
    this.isUpdateDue = false;
    this.updatedAt = performance.now();
    const conversation = this.session?.conversation;
    const found = conversation?.findings ?? null;
    const { engine, shownKey } = this.context;
    if (found?.lines.length) this.cache.add(engine.peek(), found);
    const { newFindings } = this;
    const known = this.cache.get(engine.peek(), shownKey.peek());
    // A search that begins anew is shown when it is as deep as the one before.
    const isBehind = newFindings && known && newFindings.depth < known.depth;
    batch(() => {
      this.isSearching.value = Boolean(conversation?.pending);
      if (found) this.waiting.value = this.blocked.value = null;
      this.findings.value = isBehind ? withFigures(known, newFindings) : (newFindings ?? known);
    });
    if (!this.isWatching) this.session?.update(useHash);
  }

  /** React to another position on the board. */
  onMove(): void {
    const { session } = this;
    if (session && !this.isWatching) {
      growHash(session.conversation, session.engine, this.context.settings.peek());
    }
    this.showPosition();
  }

  /** Search the position that is shown, which has changed. */
  showPosition(): void {
    this.requestSearch();
    // Cached findings are shown at once; those of another position never are.
    this.findings.value = this.knownFindings(this.context.shownKey.peek());
  }

  /** Return the deepest findings for a position; null if there are none. */
  knownFindings(key: string): Findings | null {
    return this.cache.get(this.context.engine.value, key);
  }
}

/** Return known findings with the figures of the search that is to become as deep. */
function withFigures(known: Findings, { nodes, nps, hashfull, tbhits, depth }: Findings): Findings {
  return { ...known, nodes, nps, hashfull, tbhits, newerDepth: depth };
}
