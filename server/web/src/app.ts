/**
 * The page's state, and all that can be done to it.  The view reads the signals and calls
 * the methods; nothing here knows how anything looks.
 */

import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Move } from "chessops/types";
import { Engine, type Findings, type Wish } from "./analysis/engine";
import { finalScore, Review } from "./analysis/review";
import { addressOf, fromAddress } from "./game/address";
import { readGames, writeGame } from "./game/pgn";
import { InputError } from "./game/position";
import { type GameNode, GameTree } from "./game/tree";
import { Link, type LinkState } from "./link/link";
import { probe } from "./link/probe";
import { type Problem, problemOf } from "./link/problem";
import type { Settings } from "./settings";
import * as storage from "./settings";
import type { Limits } from "./uci/limits";
import type { Notice } from "./uci/line";
import type { Option } from "./uci/option";

export interface ServerInfo {
  readonly engines: readonly string[];
  readonly login: boolean;
  readonly terminal: string | null;
}

export type Dialog = "import" | "share" | "options" | "connect" | "signin" | "help" | "settings";

export interface Toast {
  readonly id: number;
  readonly problem: Problem;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

const REMEMBERED = 600; // positions whose findings are kept
const TOAST = 7000; // ms that a note is shown
const MOST_LINES = 10;
const SAVE = 400; // ms after the last change; browsers bound how often an address may change
// Codes after which nothing is searched until it is asked for again.
const BLOCKING = new Set(["queue-full", "quota-cpu"]);
const HARMLESS = new Set(["Threads", "Hash"]); // options that do not change what is found

export class App {
  readonly server = signal<ServerInfo | null>(null);
  readonly settings = signal<Settings>(storage.loadSettings());

  readonly tree = signal(new GameTree());
  readonly node = signal<GameNode>(this.tree.peek().root);
  /** Changes whenever the game does; nodes themselves are not signals. */
  readonly version = signal(0);
  readonly games = signal<readonly GameTree[]>([]);
  readonly orientation = signal<"white" | "black">("white");

  readonly link = signal<LinkState>({ kind: "off" });
  readonly roundTrip = signal<number | null>(null);
  readonly engineName = signal("");
  readonly options = signal<readonly Option[]>([]);
  readonly place = signal<string | null>(null);
  /** Why the server does not search, though the connection is good. */
  readonly blocked = signal<Problem | null>(null);
  readonly isSearching = signal(false);
  readonly findings = signal<Findings | null>(null);
  readonly progress = signal<Progress | null>(null);

  readonly dialog = signal<Dialog | null>(null);
  readonly toasts = signal<readonly Toast[]>([]);
  readonly said = signal("");

  /** Where the game is over in the current position: what it is worth. */
  readonly final = computed(() => finalScore(this.node.value));
  readonly running: ReadonlySignal<boolean> = computed(() => this.settings.value.running);

  private readonly engine: Engine;
  private socket: Link | null = null;
  private readonly memory = new Map<string, Findings>();
  private review: Review | null = null;
  private frame = 0;
  private saving = 0;
  private isHidden = false;
  private toastCount = 0;
  private token = storage.loadToken();

  constructor() {
    this.engine = new Engine({
      say: (line) => this.socket?.say(line),
      introduced: () => this.introduced(),
      changed: () => this.schedule(),
      notice: (notice) => this.noticed(notice),
      known: (findings) => {
        this.remember(findings);
        this.schedule();
      },
      finished: (wish, findings, best) => this.finished(wish, findings, best),
    });
    effect(() => storage.saveSettings(this.settings.value));
  }

  // --- the server

  async start(): Promise<void> {
    this.restore();
    this.watch();
    for (;;) {
      try {
        const answer = await fetch("/engines", { cache: "no-store" });
        if (!answer.ok) throw new Error(await answer.text());
        this.server.value = (await answer.json()) as ServerInfo;
        break;
      } catch {
        this.link.value = { kind: "lost", at: Date.now() + 2000, problem: null };
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
    if (this.server.value?.login && !this.token) this.dialog.value = "signin";
    else this.connect();
  }

  /** The engine that is chosen: the one of last time, or the server's default. */
  readonly chosen = computed(() => {
    const engines = this.server.value?.engines ?? [];
    const { engine } = this.settings.value;
    return engines.includes(engine) ? engine : (engines[0] ?? "");
  });

  choose(engine: string): void {
    if (engine === this.chosen.peek()) return;
    this.change({ engine });
    this.connect();
  }

  connect(): void {
    this.socket?.close();
    const name = this.chosen.peek();
    if (!name) return;
    batch(() => {
      this.engineName.value = "";
      this.options.value = [];
      this.place.value = this.blocked.value = null;
      this.findings.value = null;
      this.isSearching.value = false;
    });
    const link = new Link(`/engines/${encodeURIComponent(name)}`, this.token, {
      fresh: () => {
        this.place.value = null;
        this.engine.fresh();
      },
      line: (line) => this.engine.hear(line),
      state: (state) => this.socket === link && this.linked(state),
      roundTrip: (ms) => {
        this.roundTrip.value = ms;
      },
    });
    this.socket = link;
    link.open();
  }

  /** Try a token; says what is wrong with it, or nothing if it is good. */
  async signIn(token: string): Promise<string | null> {
    if (!/^[\x21-\x7e]+$/.test(token)) return "a token has no spaces: it begins with rk_";
    const verdict = await probe(`/engines/${encodeURIComponent(this.chosen.peek())}`, token);
    if (verdict && verdict.retry === null) return verdict.problem.text;
    this.token = token;
    storage.saveToken(token);
    this.dialog.value = null;
    this.connect();
    return null;
  }

  signOut(): void {
    this.token = null;
    storage.saveToken(null);
    this.socket?.close();
    this.dialog.value = "signin";
  }

  get isSignedIn(): boolean {
    return this.token !== null;
  }

  private linked(state: LinkState): void {
    this.link.value = state;
    if (state.kind !== "open") this.roundTrip.value = null;
    if (state.kind !== "stopped") return;
    this.isSearching.value = false;
    if (state.problem.code === "unauthorized" && this.server.value?.login) {
      this.token = null;
      storage.saveToken(null);
      this.dialog.value = "signin";
    }
  }

  private introduced(): void {
    const name = this.chosen.peek();
    batch(() => {
      this.engineName.value = this.engine.name || name;
      this.options.value = [...this.engine.options.values()];
    });
    const values = this.settings.peek().options[name] ?? {};
    for (const [option, value] of Object.entries(values)) this.engine.set(option, value);
    this.seek();
  }

  private noticed(notice: Notice): void {
    if (notice.code === "waiting") {
      this.place.value = notice.text;
      return;
    }
    const problem = problemOf(notice.code, notice.text);
    if (BLOCKING.has(notice.code)) this.blocked.value = problem;
    else this.tell(problem);
  }

  /** Ask once more for the search that was refused. */
  retry(): void {
    this.blocked.value = null;
    this.engine.want(null);
    this.seek();
  }

  // --- what is shown for a while

  tell(problem: Problem): void {
    const id = ++this.toastCount;
    const others = this.toasts.peek().filter((each) => each.problem.text !== problem.text);
    this.toasts.value = [...others.slice(-2), { id, problem }];
    if (problem.tone !== "error") setTimeout(() => this.dismiss(id), TOAST);
  }

  dismiss(id: number): void {
    this.toasts.value = this.toasts.peek().filter((each) => each.id !== id);
  }

  complain(error: unknown): void {
    const text = error instanceof InputError ? error.message : String(error);
    this.tell({ code: "input", title: "This cannot be used", text, hint: "", tone: "warning" });
  }

  note(title: string, text = ""): void {
    this.tell({ code: "note", title, text, hint: "", tone: "note" });
  }

  // --- the search

  /** Ask for what should be searched now. */
  private seek(): void {
    this.engine.want(this.wish());
    this.schedule();
  }

  private wish(): Wish | null {
    const settings = this.settings.peek();
    if (this.review) {
      this.engine.set("MultiPV", "1");
      const node = this.review.current;
      const limits: Limits = { kind: "movetime", value: settings.reviewMs };
      return node && wishOf(this.review.tree, node, limits);
    }
    const paused = this.isHidden && settings.stopsWhenHidden;
    if (!settings.running || paused || this.final.peek()) return null;
    this.engine.set("MultiPV", String(Math.min(settings.lines, this.mostLines)));
    return wishOf(this.tree.peek(), this.node.peek(), settings.limits);
  }

  get mostLines(): number {
    const option = this.engine.options.get("MultiPV");
    return option?.type === "spin" ? Math.min(option.max, MOST_LINES) : 1;
  }

  private finished(wish: Wish, findings: Findings | null, best: string | null): void {
    if (this.review?.current?.fen !== wish.fen) return;
    this.review.take(findings, best);
    if (this.review.isOver) this.endReview();
    else this.seek();
    this.version.value++;
  }

  /** Show what is there once in a frame, however much comes. */
  private schedule(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.show();
    });
  }

  private show(): void {
    const found = this.engine.findings;
    if (found?.lines.length) this.remember(found);
    const { fen } = this.node.peek();
    const fresh = found?.fen === fen && found.lines.length ? found : null;
    const known = this.memory.get(this.memoryKey(fen)) ?? null;
    // A search that begins anew is shown once it has looked as far as the one before.
    const isBehind = fresh && known && fresh.depth < known.depth;
    batch(() => {
      this.isSearching.value = this.engine.isSearching;
      if (found) this.place.value = this.blocked.value = null;
      this.findings.value = isBehind ? known : (fresh ?? known);
      const review = this.review;
      this.progress.value = review && { done: review.done, total: review.nodes.length };
    });
  }

  private memoryKey(fen: string): string {
    return `${this.chosen.peek()} ${fen}`;
  }

  private remember(found: Findings): void {
    const key = this.memoryKey(found.fen);
    const former = this.memory.get(key);
    if (former && former.depth > found.depth && former.lines.length >= found.lines.length) return;
    this.memory.delete(key);
    this.memory.set(key, { ...found, isOver: true });
    if (this.memory.size > REMEMBERED) {
      const [oldest] = this.memory.keys();
      if (oldest !== undefined) this.memory.delete(oldest);
    }
  }

  toggleEngine(): void {
    const state = this.link.peek().kind;
    const running = !this.running.peek();
    this.change({ running });
    if (running && (state === "stopped" || state === "off")) this.connect();
  }

  setOption(name: string, value: string): void {
    const { options } = this.settings.peek();
    const engine = this.chosen.peek();
    const own = { ...options[engine], [name]: value };
    this.change({ options: { ...options, [engine]: own } });
    if (!HARMLESS.has(name)) this.memory.clear();
    this.engine.set(name, value);
  }

  optionValue(option: Option): string {
    return this.settings.value.options[this.chosen.value]?.[option.name] ?? option.initial;
  }

  resetOptions(): void {
    const { options } = this.settings.peek();
    this.memory.clear();
    for (const option of this.options.peek()) this.engine.set(option.name, option.initial);
    this.change({ options: { ...options, [this.chosen.peek()]: {} } });
  }

  press(option: Option): void {
    this.engine.press(option.name);
    this.note(`${option.name}: done`);
  }

  change(settings: Partial<Settings>): void {
    this.settings.value = { ...this.settings.peek(), ...settings };
    if ("running" in settings || "limits" in settings || "lines" in settings) this.seek();
  }

  // --- a whole game

  startReview(): void {
    if (!this.tree.peek().root.children.length) return;
    if (this.link.peek().kind !== "open") this.socket?.check();
    this.review = new Review(this.tree.peek());
    this.version.value++;
    if (this.review.isOver) this.endReview();
    this.seek();
  }

  endReview(): void {
    this.review = null;
    this.version.value++;
    this.save();
    this.seek();
  }

  // --- the game

  go(node: GameNode): void {
    if (node === this.node.peek()) return;
    this.node.value = node;
    this.moved();
  }

  back(): void {
    const { parent } = this.node.peek();
    if (parent) this.go(parent);
  }

  forward(): void {
    const [next] = this.node.peek().children;
    if (next) this.go(next);
  }

  first(): void {
    this.go(this.tree.peek().root);
  }

  last(): void {
    const line = this.node.peek().line();
    this.go(line[line.length - 1] ?? this.node.peek());
  }

  /** To the next or the former variation at this move. */
  sideways(step: 1 | -1): void {
    const node = this.node.peek();
    const siblings = node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(node) + step + siblings.length) % siblings.length];
    if (next) this.go(next);
  }

  play(move: Move): void {
    const next = this.tree.peek().play(this.node.peek(), move);
    if (!next) return;
    batch(() => {
      this.node.value = next;
      this.version.value++;
    });
    this.moved();
  }

  playAll(moves: readonly string[]): void {
    const next = this.tree.peek().playAll(this.node.peek(), moves);
    batch(() => {
      this.version.value++;
      this.node.value = next;
    });
    this.moved();
  }

  playBest(): void {
    const best = this.findings.peek()?.lines[0]?.pv[0];
    if (best) this.playAll([best]);
  }

  /** Take the current move and all after it away. */
  remove(node: GameNode): void {
    if (this.review) this.endReview();
    const parent = this.tree.peek().remove(node);
    const isInside = this.node.peek().path().includes(node);
    batch(() => {
      this.version.value++;
      if (isInside) this.node.value = parent;
    });
    this.moved();
  }

  promote(node: GameNode): void {
    if (this.review) this.endReview();
    this.tree.peek().promote(node);
    this.version.value++;
    this.save();
  }

  load(tree: GameTree, node: GameNode = tree.root): void {
    if (this.review) this.endReview();
    batch(() => {
      this.tree.value = tree;
      this.node.value = node;
      this.version.value++;
      if (!this.games.peek().includes(tree)) this.games.value = [];
    });
    this.moved();
  }

  reset(): void {
    this.load(new GameTree());
  }

  /** Take what was pasted or dropped: a FEN, or games as PGN. */
  take(text: string): boolean {
    const trimmed = text.trim();
    if (!trimmed) return false;
    try {
      if (/^[1-8pnbrqkPNBRQK/~]+(\s+[wb]\b.*)?$/.test(trimmed) && trimmed.includes("/")) {
        this.load(new GameTree(trimmed));
        return true;
      }
      const games = readGames(trimmed);
      const [first] = games;
      if (!first) return false;
      this.games.value = games.length > 1 ? games : [];
      this.load(first);
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    }
  }

  pgn(): string {
    return writeGame(this.tree.peek());
  }

  address(): string {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${addressOf(this.tree.peek(), this.node.peek())}`;
  }

  flip(): void {
    this.orientation.value = this.orientation.peek() === "white" ? "black" : "white";
  }

  private moved(): void {
    this.seek();
    // What is known of this position is there at once; nothing of another one ever is.
    this.findings.value = this.memory.get(this.memoryKey(this.node.peek().fen)) ?? null;
    this.save();
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.saveNow(), SAVE) as unknown as number;
  }

  private saveNow(): void {
    clearTimeout(this.saving);
    const moves = this.node
      .peek()
      .path()
      .slice(1)
      .map((each) => each.uci);
    storage.saveGame({ pgn: this.pgn(), moves });
    history.replaceState(null, "", `#${addressOf(this.tree.peek(), this.node.peek())}`);
  }

  private restore(): void {
    const linked = fromAddress(location.hash);
    const saved = storage.loadGame();
    try {
      const [tree] = saved ? readGames(saved.pgn) : [];
      const node = tree?.playAll(tree.root, saved?.moves ?? []);
      const isSame = linked && tree && node && addressOf(tree, node) === location.hash.slice(1);
      if (tree && node && (!linked || isSame)) {
        this.load(tree, node);
        return;
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    if (linked) this.load(linked.tree, linked.node);
  }

  private watch(): void {
    document.addEventListener("visibilitychange", () => {
      this.isHidden = document.hidden;
      if (!this.isHidden) this.socket?.check();
      this.seek();
    });
    window.addEventListener("online", () => this.socket?.check());
    window.addEventListener("pagehide", () => {
      this.saveNow();
      this.socket?.close();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.connect());
    window.addEventListener("hashchange", () => {
      const linked = fromAddress(location.hash);
      if (linked) this.load(linked.tree, linked.node);
    });
  }
}

function wishOf(tree: GameTree, node: GameNode, limits: Limits): Wish {
  return {
    fen: node.fen,
    turn: node.turn,
    start: tree.isStandard ? "startpos" : tree.root.fen,
    moves: node
      .path()
      .slice(1)
      .map((each) => each.uci),
    chess960: tree.chess960,
    limits,
  };
}
