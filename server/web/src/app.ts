/**
 * The page: its parts, and what each has to know of the others.  The view reads their signals and
 * calls their methods; nothing here depends on the look.
 */

import { computed, effect, signal, untracked } from "@preact/signals";
import type { Color, Move } from "chessops/types";
import { Analysis } from "./analysis/analysis";
import { MOST_COMPANIONS } from "./analysis/companions";
import { Practice } from "./analysis/practice";
import type { Searcher } from "./analysis/searcher";
import { Editor } from "./editor/editor";
import { probe } from "./engine/probe";
import type { EngineSession } from "./engine/session";
import { CODINGS, readText } from "./game/encoding";
import { fileProblem, folderProblem } from "./game/file";
import { InputError } from "./game/position";
import { Study } from "./game/study";
import { type GameNode, typedMove } from "./game/tree";
import { JobClient } from "./jobs/client";
import type { Job } from "./jobs/job";
import { JobList } from "./jobs/list";
import { orderGame, orderGames } from "./jobs/order";
import type { Library } from "./library/library";
import { OpeningExplorer } from "./opening/explorer";
import { PositionLookup } from "./opening/lookup";
import { Openings } from "./opening/openings";
import { EXPLORER, type ServedGame, type ServedPosition } from "./opening/served";
import { mayHave, type TablebaseAnswer } from "./opening/tablebase";
import { Play } from "./play/play";
import { Room, type RoomEvent } from "./room/room";
import { chosenEngine, fetchServer, pathOf, type ServerInfo } from "./server";
import type { Settings } from "./settings";
import * as storage from "./settings";
import { Shared } from "./sharing/shared";
import type { Startup } from "./startup";
import { type StorageState, watchStorage } from "./store";
import { Toasts } from "./toasts";
import type { Problem } from "./uci/notice";
import type { Option } from "./uci/option";

export type Dialog =
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
  | "jobs";

const IDLE_DELAY = 1500; // ms after which data that is not urgent is loaded
const SERVER_RETRY = 2000; // ms
const LARGE_FILE = 1 << 20; // bytes; it takes longer than a frame or two to read

/** A file, and the encoding in which it was read. */
interface EncodedFile {
  readonly content: ArrayBuffer;
  readonly coding: string;
  readonly text: string;
}

export class App {
  readonly server = signal<ServerInfo | null>(null);
  readonly settings = signal<Settings>(storage.loadSettings());
  readonly dialog = signal<Dialog | null>(null);
  readonly storage = signal<StorageState>("kept");
  /** Whether the user has been told that the storage is full, and wants to hear no more of it. */
  readonly isStorageDismissed = signal(false);
  /** An engine for which the room would be closed, while the user is asked. */
  readonly engineToConfirm = signal<string | null>(null);
  readonly chosen = computed(() => chosenEngine(this.server.value, this.settings.value.engine));
  private readonly token = signal(storage.loadToken());

  readonly toasts = new Toasts();
  readonly openings = new Openings();
  readonly study = new Study({
    onMove: () => this.analysis.onMove(),
    onRearrange: () => {
      this.analysis.endReview();
      this.practice.end();
    },
    hash: () => this.room.hash ?? this.shared.hash,
    toasts: this.toasts,
  });
  readonly explorer = new OpeningExplorer(
    this.study.games,
    computed(() => Boolean(this.server.value?.explorer)),
  );
  readonly room = new Room(this.study, this.toasts, (event) => this.onRoomEvent(event));
  readonly analysis = new Analysis({
    settings: this.settings,
    engine: this.chosen,
    token: this.token,
    study: this.study,
    room: this.room,
    toasts: this.toasts,
    isBusy: () => this.isBoardTaken,
    onStopped: (problem) => {
      this.onTokenRefused(problem);
      if (problem.code === "unknown-engine") void this.replaceEngine(this.chosen.peek());
    },
  });
  readonly play = new Play({
    study: this.study,
    toasts: this.toasts,
    token: this.token,
    isPaced: () => this.settings.peek().levelsTakeTime,
    onStart: () => {
      this.analysis.disconnect();
      this.room.onSessionEnd();
    },
    onLeave: () => this.analysis.connect(),
    onStopped: (problem) => this.onTokenRefused(problem),
  });
  readonly editor = new Editor(this.study, () => this.analysis.requestSearch());
  readonly practice = new Practice(this.study, this.toasts, this.analysis);
  readonly shared = new Shared(this.study);
  readonly jobs = new JobList({
    client: new JobClient(() => this.token.peek()),
    hasAccounts: () => this.server.peek()?.login !== false,
    // Viewers of a room may have no token.
    isAdmitted: () => this.server.peek()?.login === false || this.token.peek() !== null,
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
    return this.server.value?.login === true && this.token.value === null && !isViewer;
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
      const mayMove = this.room.hasControl.value && !this.shared.isShown.value;
      return mayMove ? node.turn : null;
    }
    const isOn = this.play.isReady.value && this.play.outcome.value === null;
    return isOn && this.play.head.value === node ? terms.color : null;
  });
  /** Whether the user may change the game on the board. */
  readonly mayChange = computed(() => {
    const isElsewhere = this.practice.mistake.value || this.editor.position.value;
    return !isElsewhere && !this.isPlaying.value && this.movableSide.value !== null;
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
    this.token.peek(),
  );
  readonly served = new PositionLookup<ServedPosition>(
    EXPLORER,
    computed(() => {
      const isShown = this.explorer.isOpen.value && this.explorer.source.value === "server";
      return isShown && !this.wantsToken.value ? this.study.node.value.fen : null;
    }),
    () => this.token.peek(),
  );
  /** Whether a threat may be shown: not in a room, where viewers would take it for the position. */
  readonly mayShowThreat = computed(() => {
    const { running, finalScore, progress } = this.analysis;
    const isFree = running.value && !finalScore.value && !progress.value;
    return isFree && !this.isPlaying.value && this.room.name.value === null;
  });

  constructor() {
    watchStorage((state) => (this.storage.value = state));
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
      if (!isShared) this.dialog.value = "signin"; // Anyone may read a shared game.
    } else if (session) this.continueSession(session);
    else if (!this.play.resume()) this.analysis.connect();
    if (this.server.value?.login && this.token.peek()) void this.fetchEngines();
  }

  private loadLater(): void {
    void this.openings.load();
    if (this.server.peek()?.login === false) void this.fetchEngines();
  }

  /** Fetch what the first description lacks: the engines of joined machines, and jobs. */
  private async fetchEngines(): Promise<void> {
    void this.jobs.probe();
    const before = this.chosen.peek();
    try {
      this.server.value = await fetchServer(this.token.peek());
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
  playTypedMove(text: string): string | null {
    const node = this.study.node.peek();
    if (this.movableSide.peek() !== node.turn) return "it is not your turn";
    const move = typedMove(node.fen, text);
    if (!move) {
      return `“${text.trim()}” is not a legal move here: write moves like Nf3, exd5, O-O, e8=Q or e2e4`;
    }
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
      this.toasts.addNote("No threat to show here", "The king is in check.");
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

  private get isGameOn(): boolean {
    return this.play.game.peek() !== null && this.play.outcome.peek() === null;
  }

  /** Return from a game that is over to analysis. */
  leaveFinishedGame(): void {
    if (this.play.outcome.peek()) this.play.leaveGame();
  }

  /** Begin a game on an empty board; an undo shows the former one. */
  newGame(): void {
    this.leaveFinishedGame();
    const isOther = !this.study.tree.peek().isUntouched;
    this.study.reset();
    if (isOther) this.toasts.addNote("New game", "“Undo” brings the game before back.");
  }

  /** Open a game or a position; return whether that succeeded. */
  openText(text: string): boolean {
    if (this.encodedFile.peek()?.text !== text) this.encodedFile.value = null;
    const isOpen = this.study.openText(text);
    if (isOpen) this.leaveFinishedGame();
    return isOpen;
  }

  /** The file that was opened last, if it is in an 8-bit encoding: it can be read in another one. */
  readonly encodedFile = signal<EncodedFile | null>(null);

  /** Return the text of a file in an encoding, or else in the likely one; the user is told which. */
  readFile(content: ArrayBuffer, chosen?: string): string {
    const { text, coding } = readText(content, chosen);
    this.encodedFile.value = coding === null ? null : { content, coding, text };
    if (coding !== null && !chosen) {
      const title = `Read as ${CODINGS[coding]}`;
      this.toasts.addNote(title, "If letters are wrong, choose another encoding under “Open”.");
    }
    return text;
  }

  /** Return the text of a file; null if it has no games, and the user is told what it is. */
  async textOf(file: File): Promise<string | null> {
    let problem: string | null;
    try {
      const content = await file.arrayBuffer();
      problem = fileProblem(file.name, content);
      if (problem === null) return this.readFile(content);
    } catch {
      problem = folderProblem(file.name); // Browsers cannot read it.
    }
    this.toasts.addError(new InputError(problem));
    return null;
  }

  /** Open a game of the server's explorer, at the position that is on the board. */
  async openServed({ id }: ServedGame): Promise<void> {
    const placeIn = (fen: string) => fen.split(" ", 4).join(" ");
    const wanted = placeIn(this.study.node.peek().fen);
    const pgn = await this.served.fetchText(`${EXPLORER}/games/${id}`).catch(() => null);
    if (pgn === null) {
      this.toasts.addNote("The game could not be opened", "The server does not answer now.");
    } else if (this.openText(pgn)) {
      const line = this.study.tree.peek().mainline();
      const node = line.find(({ fen }) => placeIn(fen) === wanted);
      if (node) this.study.goTo(node);
    }
  }

  /** The library of games, once it was needed. */
  readonly library = signal<Library | null>(null);

  async loadLibrary(): Promise<Library> {
    const { Library } = await import("./library/library");
    this.library.value ??= new Library(this);
    return this.library.value;
  }

  /** Search the library for the position of a move. */
  async findInLibrary(node: GameNode): Promise<void> {
    (await this.loadLibrary()).searchPosition(node);
    this.openDialog("import");
  }

  /** Open a file; one with several games is kept in the library.  Return whether it has several. */
  async openFile(file: File): Promise<boolean> {
    if (file.size >= LARGE_FILE) return (await this.loadLibrary()).openLarge(file);
    const text = await this.textOf(file);
    const hasSeveral = text !== null && this.openPasted(text);
    const coding = this.encodedFile.peek()?.coding ?? null;
    if (hasSeveral) void (await this.loadLibrary()).keep(file, coding);
    return hasSeveral;
  }

  /** Open text that was pasted or dropped; return whether it has several games to choose from. */
  openPasted(text: string): boolean {
    if (this.editor.position.peek()) {
      try {
        this.editor.setFen(text);
      } catch (error) {
        this.toasts.addError(error);
      }
    } else if (this.isGameOn) this.toasts.addNote("A game is in progress", "Finish it first.");
    else if (this.room.hasControl.peek()) {
      return this.openText(text) && this.study.games.peek().length > 1;
    } else {
      this.toasts.addNote("Someone else has control", "Leave the room to open your own game.");
    }
    return false;
  }

  // --- analyses on the server

  /** Whether a whole game is analysed on the server, and not in this tab. */
  readonly reviewsOnServer = computed(
    () => this.jobs.isOffered.value && this.settings.value.reviewPlace !== "tab",
  );

  /** Analyse the game on the board, on the server or in this tab. */
  analyseGame(): void {
    const isBusy = this.analysis.progress.peek() !== null || this.jobs.isPosting.peek();
    const hasMoves = this.study.tree.peek().root.children.length > 0;
    if (isBusy || !hasMoves || !this.room.hasControl.peek()) return;
    if (this.reviewsOnServer.peek()) void this.startJob(false);
    else this.analysis.startReview();
  }

  goToMistake(step: 1 | -1): void {
    if (!this.study.goToMistake(step)) {
      this.toasts.addNote("No mistakes to go to", "They are found by “Analyse the game” (g).");
    }
  }

  /** Have the server analyse the game on the board, or all games of the file. */
  async startJob(isForAll: boolean): Promise<void> {
    const { study } = this;
    const order = {
      engine: this.chosen.peek(),
      movetime: this.settings.peek().reviewMs,
      options: this.analysis.main.options.chosenValues(),
    };
    const games = study.games.peek();
    const problem = await this.jobs.post(
      isForAll ? orderGames(games, order) : orderGame(study.tree.peek(), order),
    );
    if (problem) this.toasts.addProblem(problem);
    else this.openDialog("jobs");
  }

  /** Open the games of a job that are analysed; if there are several, list them. */
  async openJob(job: Job): Promise<void> {
    const pgn = await this.jobs.results(job);
    if (pgn === null || !this.openText(pgn)) return;
    this.dialog.value = this.study.games.peek().length > 1 ? "import" : null;
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
    this.toasts.addNote(`${engine} is no longer available`, `Using ${other} instead.`);
  }

  pressOption(option: Option): void {
    this.configured.peek().options.pressButton(option.name);
    this.toasts.addNote(`${option.name}: done`);
  }

  changeSettings(settings: Partial<Settings>): void {
    this.settings.value = { ...this.settings.peek(), ...settings };
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
    const isAdmitted = this.server.value?.login === false || this.token.value !== null;
    return isAdmitted && !this.shared.isShown.value && !this.isPlaying.value;
  });

  get tokenForRequests(): string | null {
    return this.token.peek();
  }

  // --- the token

  /** Try a token; return what is wrong with it, or null. */
  async signIn(token: string): Promise<string | null> {
    if (!/^[\x21-\x7e]+$/.test(token)) return "a token starts with rk_ and has no spaces";
    const verdict = await probe(pathOf(this.chosen.peek()), token);
    if (verdict && verdict.retry === null) return verdict.problem.text;
    this.token.value = token;
    storage.saveToken(token);
    this.jobs.reset();
    this.dialog.value = null;
    if (this.play.game.peek()) this.play.connect();
    else if (!this.play.resume()) this.analysis.connect();
    void this.fetchEngines();
    return null;
  }

  signOut(): void {
    this.forgetToken();
    this.analysis.disconnect();
  }

  get isSignedIn(): boolean {
    return this.token.value !== null;
  }

  private onTokenRefused({ code }: Problem): void {
    if (code === "unauthorized" && this.server.peek()?.login) this.forgetToken();
    // The token may be good, and the failed log-ins another page's from the same address.
    if (code === "too-many-tries") this.dialog.value = "signin";
  }

  private forgetToken(): void {
    this.jobs.reset();
    this.token.value = null;
    storage.saveToken(null);
    this.dialog.value = "signin";
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
    addEventListener("pagehide", () => {
      this.study.saveNow();
      this.play.suspend();
      this.analysis.handOver(this.room.owned);
    });
    addEventListener("pageshow", (event) => event.persisted && this.onReturn());
    addEventListener("hashchange", () => {
      if (this.isGameOn) return; // The game would be lost.
      this.leaveFinishedGame();
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
