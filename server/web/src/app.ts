/**
 * The page: its parts, and what each has to know of the others.  The view reads their
 * signals and calls their methods; nothing here knows how anything looks.
 */

import { computed, effect, signal, untracked } from "@preact/signals";
import type { Color, Move } from "chessops/types";
import { Analysis, type Home } from "./analysis/analysis";
import { Practice } from "./analysis/practice";
import type { Session } from "./analysis/session";
import type { Early } from "./early";
import { Editor } from "./editor/editor";
import { Study } from "./game/study";
import { typedMove } from "./game/tree";
import { probe } from "./link/probe";
import type { Problem } from "./link/problem";
import { askServer, chosenOf, type ServerInfo } from "./link/server";
import { pathOf } from "./link/socket";
import { Notes } from "./notes";
import { Book } from "./opening/book";
import { Openings } from "./opening/openings";
import { Play } from "./play/play";
import { Gathering } from "./room/gathering";
import type { Settings } from "./settings";
import * as storage from "./settings";
import type { Option } from "./uci/option";

export type Dialog =
  | "comment"
  | "import"
  | "share"
  | "options"
  | "connect"
  | "signin"
  | "help"
  | "settings"
  | "play"
  | "room";

const IDLE = 1500; // ms after which what nobody waits for is loaded
const AGAIN = 2000; // ms until a server that does not answer is asked again

export class App {
  readonly server = signal<ServerInfo | null>(null);
  readonly settings = signal<Settings>(storage.loadSettings());
  readonly dialog = signal<Dialog | null>(null);
  /** The engine that is wanted, while it is asked whether the room may be closed for it. */
  readonly asked = signal<string | null>(null);
  readonly chosen = computed(() => chosenOf(this.server.value, this.settings.value.engine));

  readonly notes = new Notes();
  readonly openings = new Openings();
  readonly study: Study;
  readonly book: Book;
  readonly analysis: Analysis;
  readonly gathering: Gathering;
  readonly play: Play;
  readonly editor: Editor;
  readonly practice: Practice;
  private readonly token = signal(storage.loadToken());
  /** Whether nothing can be asked of the server before somebody signs in; who watches a room may. */
  readonly wantsToken = computed(() => {
    const isVisitor = this.gathering.visited.value !== null;
    return this.server.value?.login === true && this.token.value === null && !isVisitor;
  });
  readonly isPlaying = computed(() => this.play.game.value !== null);
  /** Which side may be moved on the board; null is that nothing may. */
  readonly mover = computed((): Color | null => {
    const node = this.study.node.value;
    const terms = this.play.game.value;
    if (this.practice.mistake.value) {
      return this.practice.answer.value === "asked" ? node.turn : null;
    }
    if (!terms) return this.gathering.room.hasControl.value ? node.turn : null;
    const isOn = this.play.isReady.value && this.play.outcome.value === null;
    return isOn && this.play.head.value === node ? terms.color : null;
  });
  /** Whether the game on the board is for this page to change. */
  readonly mayChange = computed(() => {
    const isElsewhere = this.practice.mistake.value || this.editor.position.value;
    return !isElsewhere && !this.isPlaying.value && this.mover.value !== null;
  });
  /** Who watches would take the threat for the position, so in a room there is none. */
  readonly mayAskThreat = computed(() => {
    const { running, final, progress } = this.analysis;
    const isFree = running.value && !final.value && !progress.value;
    return isFree && !this.isPlaying.value && this.gathering.room.name.value === null;
  });

  constructor() {
    this.study = new Study({
      moved: () => this.analysis.moved(),
      rearranging: () => {
        this.analysis.endReview();
        this.practice.end();
      },
      complain: (error) => this.notes.complain(error),
      say: (title, text) => this.notes.say(title, text),
      hash: () => this.gathering.hash,
    });
    this.book = new Book(this.study.games);
    this.gathering = new Gathering(this.study, this.notes, {
      tellServer: (line) => this.analysis.tellServer(line),
      follow: (said) => this.analysis.follow(said),
      control: () => {
        if (!this.gathering.room.hasControl.peek()) this.practice.end();
        this.analysis.controlled();
      },
      left: () => this.analysis.connect(),
    });
    this.analysis = new Analysis(this.home());
    this.play = new Play({
      study: this.study,
      notes: this.notes,
      token: () => this.token.peek(),
      began: () => {
        this.analysis.disconnect();
        this.gathering.end();
      },
      left: () => this.analysis.connect(),
      refused: (problem) => this.tokenRefused(problem),
    });
    this.editor = new Editor({
      opened: () => this.analysis.seek(),
      closed: () => this.analysis.seek(),
      load: (tree) => this.study.load(tree),
    });
    this.practice = new Practice(this.study, {
      changed: () => this.analysis.seek(),
      examine: (tree, node, done) => this.analysis.examine(tree, node, done),
      unanswered: () => this.notes.say("The engine did not answer", "Try the move again."),
    });
    effect(() => {
      // Who watches wants the search to go on, even if this page is hidden.
      if (!this.gathering.room.watching.value) this.asked.value = null;
      untracked(() => this.analysis.seek());
    });
    let before = this.settings.peek();
    effect(() => {
      storage.saveSettings(this.settings.value, before);
      before = this.settings.value;
    });
  }

  private home(): Home {
    const app = this;
    return {
      settings: app.settings,
      chosen: app.chosen,
      tree: app.study.tree,
      node: app.study.node,
      get token() {
        return app.token.peek();
      },
      get isBusy() {
        const isPractising = app.practice.mistake.peek() !== null;
        return isPractising || app.play.game.peek() !== null || app.editor.position.peek() !== null;
      },
      get visited() {
        return app.gathering.visited.peek();
      },
      get isWatched() {
        return app.gathering.room.watching.peek() > 0;
      },
      get hasControl() {
        return app.gathering.room.hasControl.peek();
      },
      change: (settings) => app.change(settings),
      tell: (problem) => app.notes.tell(problem),
      say: (title, text) => app.notes.say(title, text),
      annotated: () => app.study.changed(),
      refused: (problem) => app.refused(problem),
      room: (line) => app.gathering.room.hear(line),
      fresh: (isInherited) => app.gathering.fresh(isInherited),
    };
  }

  async start(early: Early): Promise<void> {
    this.gathering.enter(location.hash);
    if (this.gathering.visited.peek() === null) {
      this.study.restore();
      this.setUpAgain();
    }
    this.keepDraft();
    this.watch();
    setTimeout(() => this.idle(), IDLE);
    if (!early.server) await early.asked;
    this.server.value = early.server;
    while (!this.server.peek()) await this.ask();
    const begun = early.take();
    if (this.wantsToken.peek()) this.dialog.value = "signin";
    else if (begun) this.goOn(begun);
    else if (!this.play.resume()) this.analysis.connect();
    if (this.server.value?.login && this.token.peek()) void this.askForMore();
  }

  /** What nobody waits for. */
  private idle(): void {
    void this.openings.load();
    if (this.server.peek()?.login === false) void this.askForMore();
  }

  /** See which engines there are besides those that the page was told of: of joined machines. */
  private async askForMore(): Promise<void> {
    const before = this.chosen.peek();
    try {
      this.server.value = await askServer(this.token.peek());
    } catch {
      return; // Those that are known will do.
    }
    if (this.chosen.peek() !== before && !this.play.game.peek()) this.analysis.connect();
  }

  private async ask(): Promise<void> {
    try {
      this.server.value = await askServer();
    } catch {
      this.analysis.link.value = { kind: "lost", at: Date.now() + AGAIN, problem: null };
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }

  /** A move on the board: of the game that is played, or of one that is looked at. */
  move(move: Move): void {
    if (this.play.game.peek()) this.play.move(move);
    else if (this.practice.mistake.peek()) this.practice.play(move);
    else this.study.play(move);
  }

  /** A move that was typed; says what is wrong with it, or nothing if it is made. */
  moveTyped(text: string): string | null {
    const node = this.study.node.peek();
    if (this.mover.peek() !== node.turn) return "it is not your turn";
    const move = typedMove(node.fen, text);
    if (!move) {
      return `“${text.trim()}” is not a legal move here: write moves like Nf3, exd5, O-O, e8=Q or e2e4`;
    }
    this.move(move);
    return null;
  }

  playBest(): void {
    const { best } = this.analysis;
    if (best) this.study.playAll([best]);
  }

  /** Show what the other side would do if it were to move, or no longer. */
  toggleThreat(): void {
    const was = this.analysis.threat.peek() !== null;
    if (!was && !this.mayAskThreat.peek()) return;
    const is = this.analysis.toggleThreat();
    if (!is && !was) this.notes.say("No threat to show here", "The king is in check.");
  }

  /** Set up a position, from the one on the board. */
  setUp(): void {
    if (this.play.game.peek()) this.play.leave();
    this.practice.end();
    this.editor.open(this.study.node.peek().fen, this.study.tree.peek().chess960);
  }

  /** Go on with the position that this tab was setting up, unless another is wanted now. */
  private setUpAgain(): void {
    const draft = storage.loadDraft();
    if (draft?.address !== this.study.address() || storage.loadMatch() !== null) return;
    try {
      this.editor.open(draft.fen, draft.chess960);
    } catch (error) {
      this.notes.complain(error); // It was changed by hand.
    }
  }

  /** Keep what is set up, for a reload. */
  private keepDraft(): void {
    effect(() => {
      const { fen, position } = this.editor;
      const draft = position.value && { fen: fen.value, chess960: position.value.chess960 };
      storage.saveDraft(draft && { ...draft, address: untracked(() => this.study.address()) });
    });
  }

  press(option: Option): void {
    this.analysis.choices.press(option.name);
    this.notes.say(`${option.name}: done`);
  }

  /** Whether a game is played and not at its end. */
  private get isGameOn(): boolean {
    return this.play.game.peek() !== null && this.play.outcome.peek() === null;
  }

  /** Go from a game that is at its end to analysis, for another is to be looked at. */
  leaveFinished(): void {
    if (this.play.outcome.peek()) this.play.leave();
  }

  /** Open a game or a position; says whether that can be done. */
  open(text: string): boolean {
    const isOpen = this.study.take(text);
    if (isOpen) this.leaveFinished();
    return isOpen;
  }

  /** What was pasted or dropped; says whether it is a file with games to choose from. */
  take(text: string): boolean {
    if (this.editor.position.peek()) {
      try {
        this.editor.take(text);
      } catch (error) {
        this.notes.complain(error);
      }
    } else if (this.isGameOn) this.notes.say("A game is in progress", "Finish it first.");
    else if (this.gathering.room.hasControl.peek()) {
      return this.open(text) && this.study.games.peek().length > 1;
    } else this.notes.say("Someone else has control", "Leave the room to open your own game.");
    return false;
  }

  /** Take another engine; if somebody watches, whose room it ends, ask first. */
  choose(engine: string): void {
    const isOther = engine !== this.chosen.peek();
    const isWatched = this.gathering.room.watching.peek() > 0;
    this.asked.value = isOther && isWatched ? engine : null;
    if (isOther && !isWatched) this.takeEngine(engine);
  }

  /** Answer whether the room may be closed for another engine. */
  answer(isYes: boolean): void {
    const engine = this.asked.peek();
    this.asked.value = null;
    if (isYes && engine !== null) this.takeEngine(engine);
  }

  private takeEngine(engine: string): void {
    this.change({ engine });
    this.analysis.connect();
  }

  change(settings: Partial<Settings>): void {
    this.settings.value = { ...this.settings.peek(), ...settings };
    if ("running" in settings || "limits" in settings || "lines" in settings) this.analysis.seek();
  }

  // --- who asks

  /** Try a token; says what is wrong with it, or nothing if it is good. */
  async signIn(token: string): Promise<string | null> {
    if (!/^[\x21-\x7e]+$/.test(token)) return "a token starts with rk_ and has no spaces";
    const verdict = await probe(pathOf(this.chosen.peek()), token);
    if (verdict && verdict.retry === null) return verdict.problem.text;
    this.token.value = token;
    storage.saveToken(token);
    this.dialog.value = null;
    if (this.play.game.peek()) this.play.connect();
    else if (!this.play.resume()) this.analysis.connect();
    void this.askForMore();
    return null;
  }

  signOut(): void {
    this.forgetToken();
    this.analysis.disconnect();
  }

  get isSignedIn(): boolean {
    return this.token.value !== null;
  }

  private tokenRefused(problem: Problem): void {
    if (problem.code === "unauthorized" && this.server.peek()?.login) this.forgetToken();
    // The token may be good, and the tries another's from the same address: it is not forgotten.
    if (problem.code === "too-many-tries") this.dialog.value = "signin";
  }

  private refused(problem: Problem): void {
    this.tokenRefused(problem);
    if (problem.code === "unknown-engine") void this.replace(this.chosen.peek());
  }

  /** The operator has taken an engine away since the page was loaded. */
  private async replace(engine: string): Promise<void> {
    await this.askForMore();
    const other = this.chosen.peek();
    if (other !== engine)
      this.notes.say(`${engine} is no longer available`, `Using ${other} instead.`);
  }

  private forgetToken(): void {
    this.token.value = null;
    storage.saveToken(null);
    this.dialog.value = "signin";
  }

  /** Go on with a session that has begun, and with the room of the page before. */
  private goOn(session: Session): void {
    if (session.baton) this.gathering.room.restore(session.baton.room);
    this.analysis.adopt(session);
  }

  /** Go on after the browser has shown another page and comes back to this one as it was. */
  private comeBack(): void {
    const baton = storage.takeBaton(this.chosen.peek());
    if (baton) this.gathering.room.restore(baton.room);
    this.analysis.connect(baton);
  }

  // --- the browser

  private watch(): void {
    document.addEventListener("visibilitychange", () => this.analysis.hide(document.hidden));
    window.addEventListener("online", () => {
      this.analysis.check();
      this.play.check();
    });
    window.addEventListener("pagehide", () => {
      this.study.saveNow();
      this.play.hide();
      this.analysis.leave(this.gathering.owned);
    });
    window.addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      if (this.play.game.peek()) this.play.connect();
      else this.comeBack();
    });
    window.addEventListener("hashchange", () => {
      if (this.isGameOn) return; // it is kept, and would be gone
      this.leaveFinished();
      if (this.gathering.enter(location.hash)) this.analysis.connect();
      else this.study.follow();
    });
  }
}
