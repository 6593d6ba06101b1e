/**
 * A session with viewers (docs/protocol.md): their list, the control, and the position on the board.
 *
 * The owner opens the room and may give control of the engine to a viewer.  The game is shared as a
 * whole (`board.ts`); where the owner's program shares none, a page without control shows the
 * positions that the other one has searched.
 */

import { batch, computed, signal } from "@preact/signals";
import type { Study } from "../game/study";
import { GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import { type Handover, loadTicket, OWNER, saveTicket } from "../settings";
import type { Toasts } from "../toasts";
import { SharedBoard } from "./board";
import { CommandObserver, type ObservedCommand } from "./observer";
import { nameOf } from "./people";

interface Viewer {
  readonly id: string;
  readonly account: string;
}

export type RoomEvent =
  /** A line for the server. */
  | { readonly type: "send"; readonly line: string }
  /** The page with control has sent a command to the engine. */
  | { readonly type: "command"; readonly command: ObservedCommand }
  /** Control may have changed. */
  | { readonly type: "control" }
  /** This page watches no longer. */
  | { readonly type: "left" };

const LINE = /^rookery room (\S+)(?: (.*))?$/s;
const ADDRESS = /^#room=([\w-]+)$/;

export class Room {
  /** The room's name, which is in its link; null if there is no room. */
  readonly name = signal<string | null>(null);
  /** The room that this page watches; null if it has an engine of its own. */
  readonly watched = signal<string | null>(null);
  /** The role of this page: the owner, or the id of a viewer. */
  readonly self = signal<string>(OWNER);
  readonly control = signal<string>(OWNER);
  readonly viewerCount = signal(0);
  readonly viewers = signal<readonly Viewer[]>([]);
  /** The viewer to which control is offered. */
  readonly offered = signal<string | null>(null);
  readonly isOwner = computed(() => this.self.value === OWNER);
  readonly hasControl = computed(() => this.control.value === this.self.value);
  readonly board: SharedBoard;
  /** Whether the user may try moves on the board. */
  readonly mayMove = computed(() => this.board.isShared.value || this.hasControl.value);
  /** Whether the user may change the game. */
  readonly mayChange = computed(() =>
    this.board.isShared.value ? this.board.mayWrite.value : this.hasControl.value,
  );
  private listing: Viewer[] = []; // of an answer that is not complete
  private observer = new CommandObserver();
  /** Whether the game on the board is that of the room, and not one from before it. */
  private isShared = true;

  constructor(
    private readonly study: Study,
    private readonly toasts: Toasts,
    private readonly emit: (event: RoomEvent) => void,
  ) {
    this.board = new SharedBoard({
      study,
      toasts,
      send: (words) => this.sendCommand(words),
      self: () => this.self.peek(),
      isOwner: () => this.isOwner.peek(),
      hasControl: () => this.hasControl.peek(),
    });
  }

  // --- requests

  open(): void {
    this.sendCommand("open");
  }

  close(): void {
    this.sendCommand("close");
    this.reset();
  }

  offerControl(id: string): void {
    this.sendCommand(`hand ${id}`);
  }

  /** Take control back, or withdraw the offer. */
  takeControl(): void {
    this.offered.value = null;
    this.sendCommand("take");
  }

  acceptControl(): void {
    this.offered.value = null;
    this.sendCommand("accept");
  }

  declineControl(): void {
    this.offered.value = null;
    this.sendCommand("decline");
  }

  returnControl(): void {
    this.sendCommand("return");
  }

  private sendCommand(words: string): void {
    this.emit({ type: "send", line: `rookery room ${words}` });
  }

  // --- which room

  /** Watch the room that an address names; return whether it names another one than before. */
  watchAddress(hash: string): boolean {
    const name = ADDRESS.exec(hash)?.[1];
    if (name === undefined || name === this.watched.peek()) return false;
    this.watched.value = name;
    this.isShared = false;
    this.reset(name);
    this.board.ticket = loadTicket(name);
    return true;
  }

  /** Leave the room; of a shared game a copy can be kept, which an undo replaces by one's own. */
  stopWatching(keepsCopy = false): void {
    const wasShared = this.board.isShared.peek();
    const copy = this.board.copy();
    const place = this.study.node.peek().path();
    this.watched.value = null;
    this.isShared = true;
    this.reset();
    if (wasShared) {
      this.study.load(new GameTree());
      this.study.restore();
    }
    if (copy && keepsCopy) {
      this.study.load(
        copy,
        copy.playAll(
          copy.root,
          place.flatMap(({ uci }) => uci || []),
        ),
      );
    }
    this.study.saveNow();
    this.emit({ type: "left" });
  }

  /** The address of the page while it watches a room; null otherwise. */
  get hash(): string | null {
    const name = this.watched.peek();
    return name === null ? null : `room=${name}`;
  }

  /** The link for viewers. */
  get link(): string {
    return `${location.origin}${location.pathname}#room=${this.name.value ?? ""}`;
  }

  /** The room that this page has open, for the next page; null if there is none. */
  get owned(): Handover["room"] | null {
    const name = this.name.peek();
    if (this.watched.peek() !== null || name === null) return null;
    return { name, control: this.control.peek() };
  }

  /** Continue with the room that the page before had open. */
  restore({ name, control }: Handover["room"]): void {
    this.name.value = name;
    this.control.value = control;
  }

  /** Forget the room, but for one that is to be watched. */
  reset(name: string | null = null): void {
    if (name === null || name !== this.name.peek()) this.board.end();
    batch(() => {
      this.name.value = name;
      this.self.value = name === null ? OWNER : "";
      this.control.value = OWNER;
      this.viewerCount.value = 0;
      this.viewers.value = [];
      this.offered.value = null;
    });
    this.listing = [];
  }

  /** A session begins: a room of the one before is closed, unless it is the same session. */
  onSessionStart(isInherited: boolean): void {
    this.observer = new CommandObserver();
    if (isInherited) return;
    this.onSessionEnd();
    this.reset(this.watched.peek());
  }

  /** The session has ended; tell the owner that its room is closed. */
  onSessionEnd(): void {
    if (this.owned === null) return;
    this.reset();
    this.toasts.addNote(text("notice-room-closed"), text("room-ended"));
  }

  // --- lines of the server

  receive(line: string): void {
    const [, word, rest = ""] = LINE.exec(line) ?? [];
    switch (word) {
      case "open":
        this.name.value = rest;
        this.board.follow();
        break;
      case "watch":
        this.self.value = rest;
        this.board.follow();
        break;
      case "close":
        this.reset();
        break;
      case "watcher": {
        const [id = "", account = ""] = rest.split(" ");
        this.listing.push({ id, account });
        break;
      }
      case "watching":
        this.receiveCount(Number(rest));
        break;
      case "offer":
        this.offered.value = rest;
        break;
      case "decline":
        this.offered.value = null;
        this.toasts.addNote(
          text("room-declined", { name: nameOf(rest, this.board.members.peek()) }),
        );
        break;
      case "control":
        this.receiveControl(rest);
        break;
      case "said":
        this.receiveCommand(rest);
        break;
      case undefined:
        break;
      case "ticket":
        this.board.ticket = rest;
        saveTicket(this.watched.peek() ?? "", rest);
        break;
      default:
        this.board.receive(word, rest);
    }
  }

  /** The count ends a list that was requested; if there is none, the owner requests one. */
  private receiveCount(count: number): void {
    this.viewerCount.value = count;
    if (!this.isOwner.peek()) return;
    const listed = this.listing;
    this.listing = [];
    if (listed.length === count) this.viewers.value = listed;
    else this.sendCommand("list");
  }

  private receiveControl(controller: string): void {
    const former = this.control.peek();
    this.control.value = controller;
    if (controller !== OWNER || former !== OWNER) this.offered.value = null;
    if (this.hasControl.peek()) {
      this.isShared = true;
      this.observer.forgetChess960();
    }
    if (controller !== former) this.board.onControl();
    this.emit({ type: "control" });
  }

  private receiveCommand(line: string): void {
    if (this.hasControl.peek()) return; // It is this page's own.
    const board = this.study.tree.peek();
    const isWhole = this.board.isShared.peek();
    const command = this.observer.observe(line, this.isShared && !isWhole ? board : null);
    if (!command) return;
    if (command.type === "position" && isWhole) {
      if (!this.board.isPlaceKnown) this.board.onSearched(command.node);
    } else if (command.type === "position") {
      this.study.load(command.tree, command.node);
      this.isShared = true;
      const isReplaced = command.isNew && !board.isUntouched && this.isOwner.peek();
      if (isReplaced) this.toasts.addNote(text("room-replaced"), text("room-take-and-undo"));
    }
    this.emit({ type: "command", command });
  }
}
