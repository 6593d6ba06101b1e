/**
 * The page: its parts, and what each has to know of the others.  The view reads their signals and
 * calls their methods; nothing here depends on the look.
 */

import { computed, effect, signal, untracked } from "@preact/signals";
import type { Color, Move } from "chessops/types";
import { Account } from "./account";
import { Analysis } from "./analysis/analysis";
import { MOST_COMPANIONS } from "./analysis/companions";
import { Practice } from "./analysis/practice";
import type { Searcher } from "./analysis/searcher";
import { Editor } from "./editor/editor";
import type { EngineSession } from "./engine/session";
import { Study } from "./game/study";
import { typedMove } from "./game/tree";
import { JobClient } from "./jobs/client";
import { JobList } from "./jobs/list";
import { Reviewer } from "./jobs/reviewer";
import { text } from "./language/catalogue";
import { Opener } from "./opener";
import { OpeningExplorer } from "./opening/explorer";
import { PositionLookup } from "./opening/lookup";
import { Openings } from "./opening/openings";
import { EXPLORER, type ServedPosition } from "./opening/served";
import { mayHave, type TablebaseAnswer } from "./opening/tablebase";
import { Play } from "./play/play";
import type { Projects } from "./projects/projects";
import { Room, type RoomEvent } from "./room/room";
import { chosenEngine, fetchServer, type ServerInfo } from "./server";
import type { Settings } from "./settings";
import * as storage from "./settings";
import { Shared } from "./sharing/shared";
import type { Startup } from "./startup";
import { type StorageState, watchStorage } from "./store";
import { Toasts } from "./toasts";
import type { Option } from "./uci/option";

export type Dialog =
  | "code"
  | "comment"
  | "headers"
  | "import"
  | "share"
  | "options"
  | "connect"
  | "signin"
  | "help"
  | "settings"
  | "play"
  | "room"
  | "jobs"
  | "projects";

const IDLE_DELAY = 1500; // ms after which data that is not urgent is loaded
const SERVER_RETRY = 2000; // ms

/** Return the id of the project that an address names; null if it names none. */
function projectIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("project");
}

export class App {
  readonly server = signal<ServerInfo | null>(null);
  readonly settings = signal<Settings>(storage.loadSettings());
  /** Whether the server keeps projects for this user. */
  readonly keepsProjects = signal(false);
  /** The address with which the page was loaded. */
  readonly landing = location.hash;
  /** The one-use code with which the page was opened; it is in the address no more. */
  code = "";
  /** The id of the project beside the board; null is none. */
  readonly project = signal(projectIn(location.hash));
  /** What the page has of projects, once that was loaded (`projectsOf`). */
  projects: Projects | null = null;
  readonly dialog = signal<Dialog | null>(null);
  readonly storage = signal<StorageState>("kept");
  /** Whether the user has been told that the storage is full, and wants to hear no more of it. */
  readonly isStorageDismissed = signal(false);
  /** An engine for which the room would be closed, while the user is asked. */
  readonly engineToConfirm = signal<string | null>(null);
  readonly chosen = computed(() => chosenEngine(this.server.value, this.settings.value.engine));
  readonly account = new Account({
    server: this.server,
    onSignIn: () => this.onSignIn(),
    askForToken: () => {
      this.jobs.reset();
      this.openDialog("signin");
    },
  });

  readonly toasts = new Toasts();
  readonly openings = new Openings();
  readonly study = new Study({
    onMove: () => this.analysis.onMove(),
    onRearrange: () => {
      this.analysis.endReview();
      this.practice.end();
    },
    hash: () => this.room.hash ?? this.shared.hash,
    aside: () => this.project.peek() && `project=${this.project.peek()}`,
    toasts: this.toasts,
  });
  readonly room = new Room(this.study, this.toasts, (event) => this.onRoomEvent(event));
  /** The moves that nobody else in the room sees. */
  readonly tries = this.room.board.tries;
  readonly analysis = new Analysis({
    settings: this.settings,
    engine: this.chosen,
    token: this.account.token,
    study: this.study,
    room: this.room,
    toasts: this.toasts,
    isBusy: () => this.isBoardTaken,
    onStopped: (problem) => {
      this.account.onStopped(problem);
      if (problem.code === "unknown-engine") void this.replaceEngine(this.chosen.peek());
    },
  });
  readonly play = new Play({
    study: this.study,
    toasts: this.toasts,
    token: this.account.token,
    isPaced: () => this.settings.peek().levelsTakeTime,
    onStart: () => {
      this.analysis.disconnect();
      this.room.onSessionEnd();
    },
    onLeave: () => this.analysis.connect(),
    onStopped: (problem) => this.account.onStopped(problem),
  });
  readonly explorer = new OpeningExplorer(
    this.study.games,
    computed(() => Boolean(this.server.value?.explorer)),
    this.play.finished,
  );
  readonly opener = new Opener(this);
  readonly reviewer = new Reviewer(this);
  readonly editor = new Editor(this.study, () => this.analysis.requestSearch());
  readonly practice = new Practice(this.study, this.toasts, this.analysis);
  readonly shared = new Shared(this.study);
  readonly jobs = new JobList({
    client: new JobClient(() => this.account.token.peek()),
    hasAccounts: () => this.server.peek()?.login !== false,
    // Viewers of a room may have no token.
    isAdmitted: () => this.account.isAdmitted.peek(),
  });

  /** The engine whose options are shown. */
  readonly configured = signal<Searcher>(this.analysis.main);
  /** The engine that would be the next one beside the first; null if there is none. */
  readonly nextCompanion = computed((): string | null => {
    const { list } = this.analysis.companions;
    if (list.value.length >= MOST_COMPANIONS || this.room.watched.value !== null) return null;
    const used = [this.chosen.value, ...list.value.map(({ choice }) => choice.value.engine)];
    return this.server.value?.engines.find((each) => !used.includes(each)) ?? null;
  });

  /** Whether the server wants a token before anything else; viewers of a room need none. */
  readonly wantsToken = computed(() => {
    const isViewer = this.room.watched.value !== null;
    return this.server.value?.login === true && !this.account.isSignedIn.value && !isViewer;
  });
  readonly isPlaying = computed(() => this.play.game.value !== null);
  /** The side that may be moved on the board; null if none. */
  readonly movableSide = computed((): Color | null => {
    const node = this.study.node.value;
    const terms = this.play.game.value;
    if (this.practice.mistake.value) {
      return this.practice.answer.value === "asked" ? node.turn : null;
    }
    if (!terms) {
      const mayMove = this.room.mayMove.value && !this.shared.isShown.value;
      return mayMove ? node.turn : null;
    }
    const isOn = this.play.isReady.value && this.play.outcome.value === null;
    return isOn && this.play.head.value === node ? terms.color : null;
  });
  /** Whether the user may change the game on the board. */
  readonly mayChange = computed(() => {
    const isElsewhere = this.practice.mistake.value || this.editor.position.value;
    const isMovable = !this.isPlaying.value && this.movableSide.value !== null;
    return !isElsewhere && isMovable && this.room.mayChange.value;
  });
  /** The position on the board if the tablebases are to be asked for it; else null. */
  readonly tablebaseFen = computed(() => {
    const { fen } = this.study.node.value;
    const isElsewhere = this.practice.mistake.value || this.editor.position.value;
    const isHidden = isElsewhere || this.isPlaying.value || this.wantsToken.value;
    const isInTables = mayHave(fen, this.server.value?.tablebase ?? 0);
    return isInTables && !isHidden ? fen : null;
  });
  readonly tablebase = new PositionLookup<TablebaseAnswer>("/v1/tablebase", this.tablebaseFen, () =>
    this.account.token.peek(),
  );
  readonly served = new PositionLookup<ServedPosition>(
    EXPLORER,
    computed(() => {
      const isShown = this.explorer.isOpen.value && this.explorer.source.value === "server";
      return isShown && !this.wantsToken.value ? this.study.node.value.fen : null;
    }),
    () => this.account.token.peek(),
  );
  /** Whether a threat may be shown: not in a room, where viewers would take it for the position. */
  readonly mayShowThreat = computed(() => {
    const { running, finalScore, progress } = this.analysis;
    const isFree = running.value && !finalScore.value && !progress.value;
    return isFree && !this.isPlaying.value && this.room.name.value === null;
  });

  constructor() {
    watchStorage((state) => (this.storage.value = state));
    this.room.board.name = this.settings.peek().roomName;
    effect(() => {
      // Viewers want the search to go on, even if this page is hidden.
      if (!this.room.viewerCount.value) this.engineToConfirm.value = null;
      untracked(() => this.analysis.requestSearch());
    });
    let before = this.settings.peek();
    effect(() => {
      const settings = this.settings.value;
      const isOther = (["running", "limits", "lines"] as const).some(
        (key) => settings[key] !== before[key],
      );
      storage.saveSettings(settings, before);
      before = settings;
      if (isOther) untracked(() => this.analysis.requestSearch());
    });
  }

  private get isBoardTaken(): boolean {
    const isPractising = this.practice.mistake.peek() !== null;
    return isPractising || this.play.game.peek() !== null || this.editor.position.peek() !== null;
  }

  private onRoomEvent(event: RoomEvent): void {
    switch (event.type) {
      case "send":
        this.analysis.main.sendToServer(event.line);
        break;
      case "command":
        this.analysis.observe(event.command);
        break;
      case "control":
        if (!this.room.hasControl.peek()) this.practice.end();
        this.analysis.onControl();
        break;
      case "left":
        this.analysis.connect();
    }
  }

  // --- the start

  async start(startup: Startup): Promise<void> {
    this.takeCode();
    this.room.watchAddress(location.hash);
    const isShared = this.shared.openAddress(location.hash);
    if (!isShared && this.room.watched.peek() === null) {
      this.study.restore();
      this.restoreDraft();
    }
    this.storeDrafts();
    this.addListeners();
    setTimeout(() => this.loadLater(), IDLE_DELAY);
    if (!startup.server) await startup.described;
    this.server.value = startup.server;
    while (!this.server.peek()) await this.tryServer();
    const session = startup.takeSession();
    if (this.wantsToken.peek()) {
      if (!isShared) this.dialog.value ??= "signin"; // Anyone may read a shared game.
    } else if (session) this.continueSession(session);
    else if (!this.play.resume()) this.analysis.connect();
    if (this.server.value?.login && this.account.token.peek()) void this.fetchEngines();
  }

  /** Take a one-use code out of the address; return whether there was one. */
  private takeCode(): boolean {
    const [, code] = location.hash.split("#signin=");
    if (!code) return false;
    history.replaceState(null, "", "/");
    this.code = code;
    this.openDialog("code");
    return true;
  }

  private loadLater(): void {
    void this.openings.load();
    if (this.server.peek()?.login === false) void this.fetchEngines();
  }

  /** Fetch what the first description lacks: the engines of joined machines, and jobs. */
  private async fetchEngines(): Promise<void> {
    void this.jobs.probe();
    void import("./projects/projects").then((it) => it.projectsOf(this).probe()).catch(() => {});
    const before = this.chosen.peek();
    try {
      this.server.value = await fetchServer(this.account.token.peek());
    } catch {
      return; // The known engines are enough.
    }
    if (this.chosen.peek() !== before && !this.play.game.peek()) this.analysis.connect();
  }

  private async tryServer(): Promise<void> {
    try {
      this.server.value = await fetchServer();
    } catch {
      const at = Date.now() + SERVER_RETRY;
      this.analysis.main.connection.value = { type: "lost", at, problem: null };
      await new Promise((resolve) => setTimeout(resolve, SERVER_RETRY));
    }
  }

  /** Continue the session that has begun, and with it the room of the page before. */
  private continueSession(session: EngineSession): void {
    const { handover } = session.setup;
    if (handover) this.room.restore(handover.room);
    this.analysis.attach(session);
  }

  // --- moves

  /** Play a move on the board: in a game against an engine, in practice, or in analysis. */
  playMove(move: Move): void {
    if (this.play.game.peek()) this.play.play(move);
    else if (this.practice.mistake.peek()) this.practice.play(move);
    else this.study.play(move);
  }

  /** Play a move that was typed; return what is wrong with it, or null. */
  playTypedMove(typed: string): string | null {
    const node = this.study.node.peek();
    if (this.movableSide.peek() !== node.turn) return text("typed-not-your-turn");
    const move = typedMove(node.fen, typed);
    if (!move) return text("typed-not-legal", { typed: typed.trim() });
    this.playMove(move);
    return null;
  }

  playBestMove(): void {
    const { bestMove } = this.analysis;
    if (bestMove) this.study.playAll([bestMove]);
  }

  /** Show or hide what the other side would play if it were to move. */
  toggleThreat(): void {
    const wasShown = this.analysis.threat.peek() !== null;
    if (!wasShown && !this.mayShowThreat.peek()) return;
    const isShown = this.analysis.toggleThreat();
    if (!isShown && !wasShown) {
      this.toasts.addNote(text("no-threat"), text("no-threat-in-check"));
    }
  }

  // --- games and positions

  /** Open the editor with the position on the board. */
  openEditor(): void {
    if (this.play.game.peek()) this.play.leaveGame();
    this.practice.end();
    this.editor.open(this.study.node.peek().fen, this.study.tree.peek().chess960);
  }

  /** Continue the position that this tab was setting up, unless the address is of another one. */
  private restoreDraft(): void {
    const draft = storage.loadDraft();
    if (draft?.address !== this.study.address() || storage.loadMatch() !== null) return;
    try {
      this.editor.open(draft.fen, draft.chess960);
    } catch (error) {
      this.toasts.addError(error); // It was changed by hand.
    }
  }

  private storeDrafts(): void {
    effect(() => {
      const { fen, position } = this.editor;
      const draft = position.value && { fen: fen.value, chess960: position.value.chess960 };
      storage.saveDraft(draft && { ...draft, address: untracked(() => this.study.address()) });
    });
  }

  /** Whether a game against an engine is in progress. */
  get isGameOn(): boolean {
    return this.play.game.peek() !== null && this.play.outcome.peek() === null;
  }

  /** Return from a game that is over to analysis. */
  leaveFinishedGame(): void {
    if (this.play.outcome.peek()) this.play.leaveGame();
  }

  goToMistake(step: 1 | -1): void {
    if (!this.study.goToMistake(step)) {
      this.toasts.addNote(text("no-mistakes"), text("no-mistakes-hint"));
    }
  }

  // --- the engine and the settings

  /** Change to another engine; if that ends a room with viewers, ask the user first. */
  chooseEngine(engine: string): void {
    const isOther = engine !== this.chosen.peek();
    const hasViewers = this.room.viewerCount.peek() > 0;
    this.engineToConfirm.value = isOther && hasViewers ? engine : null;
    if (isOther && !hasViewers) this.changeEngine(engine);
  }

  confirmEngine(isConfirmed: boolean): void {
    const engine = this.engineToConfirm.peek();
    this.engineToConfirm.value = null;
    if (isConfirmed && engine !== null) this.changeEngine(engine);
  }

  private changeEngine(engine: string): void {
    this.changeSettings({ engine });
    this.analysis.connect();
  }

  /** Tell the user that the operator has removed an engine, and which one replaces it. */
  private async replaceEngine(engine: string): Promise<void> {
    await this.fetchEngines();
    const other = this.chosen.peek();
    if (other === engine) return;
    this.toasts.addNote(text("engine-gone", { engine }), text("engine-instead", { engine: other }));
  }

  pressOption(option: Option): void {
    this.configured.peek().options.pressButton(option.name);
    this.toasts.addNote(text("option-pressed", { option: option.name }));
  }

  changeSettings(settings: Partial<Settings>): void {
    this.settings.value = { ...this.settings.peek(), ...settings };
  }

  /** Be shown under a name in rooms. */
  setRoomName(roomName: string): void {
    this.changeSettings({ roomName });
    this.room.board.setName(roomName);
  }

  openDialog(dialog: Dialog): void {
    this.dialog.value = dialog;
  }

  /** Open the options of an engine. */
  openOptions(searcher: Searcher): void {
    this.configured.value = searcher;
    this.openDialog("options");
  }

  // --- shared games

  /** Whether the user may share the game on the board. */
  readonly mayShareGames = computed(() => {
    return this.account.isAdmitted.value && !this.shared.isShown.value && !this.isPlaying.value;
  });

  private onSignIn(): void {
    this.jobs.reset();
    this.dialog.value = null;
    if (this.play.game.peek()) this.play.connect();
    else if (!this.play.resume()) this.analysis.connect();
    void this.fetchEngines();
  }

  // --- the browser

  private addListeners(): void {
    document.addEventListener("visibilitychange", () => {
      this.analysis.setHidden(document.hidden);
      this.jobs.setHidden(document.hidden);
    });
    addEventListener("online", () => {
      this.analysis.checkConnection();
      this.play.checkConnection();
    });
    addEventListener("storage", () => {
      const token = storage.loadToken();
      if (token === this.account.token.peek()) return;
      this.analysis.disconnect(); // Another tab has signed this device out, or in.
      this.account.use(token);
    });
    addEventListener("pagehide", () => {
      this.study.saveNow();
      this.play.suspend();
      this.analysis.handOver(this.room.owned);
    });
    addEventListener("pageshow", (event) => event.persisted && this.onReturn());
    addEventListener("hashchange", () => {
      if (this.takeCode() || this.isGameOn) return; // The game would be lost.
      this.leaveFinishedGame();
      this.project.value = projectIn(location.hash);
      if (this.shared.openAddress(location.hash)) return;
      if (this.room.watchAddress(location.hash)) this.analysis.connect();
      else this.study.openAddress();
    });
  }

  /** Continue after the browser has shown another page, and this one again as it was. */
  private onReturn(): void {
    if (this.play.game.peek()) {
      this.play.connect();
      return;
    }
    const handover = storage.takeHandover(this.chosen.peek());
    if (handover) this.room.restore(handover.room);
    this.analysis.connect(handover);
  }
}
