/**
 * What a room means for the board: who watches sees the position that is searched, and who
 * has control decides which.
 */

import { signal } from "@preact/signals";
import type { Study } from "../game/study";
import type { Notes } from "../notes";
import type { Baton } from "../settings";
import { Overheard, type Said } from "./overheard";
import { Room } from "./room";

export interface GatheringEvents {
  tellServer(line: string): void;
  /** What another has told the engine. */
  follow(said: Said): void;
  /** Who speaks with the engine may be another now. */
  control(): void;
  /** This page watches no more. */
  left(): void;
}

const UNDO = "Take back control and undo to have yours again.";
const LINK = /^#room=([\w-]+)$/;

export class Gathering {
  readonly room: Room;
  /** The room that this page watches; null if it has its own engine. */
  readonly visited = signal<string | null>(null);
  private overheard = new Overheard();
  /** Whether the game on the board is what the room looks at, and not one from before it. */
  private isShared = true;

  constructor(
    private readonly study: Study,
    private readonly notes: Notes,
    private readonly events: GatheringEvents,
  ) {
    this.room = new Room({
      say: (line) => events.tellServer(line),
      said: (line) => this.said(line),
      control: (isOurs) => this.passed(isOurs),
      declined: (who) => notes.say(`${who} declined control`),
    });
  }

  /** Watch the room that an address names; says whether there is one. */
  enter(hash: string): boolean {
    const name = LINK.exec(hash)?.[1];
    if (name === undefined || name === this.visited.peek()) return false;
    this.visited.value = name;
    this.isShared = false;
    this.room.reset(name);
    return true;
  }

  leave(): void {
    this.visited.value = null;
    this.isShared = true;
    this.room.reset();
    this.study.saveNow();
    this.events.left();
  }

  /** What the address of the page says; null if there is nothing to say. */
  get hash(): string | null {
    const name = this.visited.peek();
    return name === null ? null : `room=${name}`;
  }

  /** What to give to those who are to watch. */
  get link(): string {
    return `${location.origin}${location.pathname}#room=${this.room.name.value ?? ""}`;
  }

  /** The room that this page has open, for the next one to go on with; null if there is none. */
  get owned(): Baton["room"] | null {
    const name = this.room.name.peek();
    if (this.visited.peek() !== null || name === null) return null;
    return { name, control: this.room.control.peek() };
  }

  /** A session begins, or watching does: what was open before is void, unless it goes on. */
  fresh(isInherited: boolean): void {
    this.overheard = new Overheard();
    if (isInherited) return;
    this.end();
    this.room.reset(this.visited.peek());
  }

  /** The session is over of which others have watched; whose it was is to know. */
  end(): void {
    if (this.visited.peek() !== null || this.room.name.peek() === null) return;
    this.room.reset();
    this.notes.say("The room is closed", "It ended with its session: open a new one for viewers.");
  }

  private said(line: string): void {
    if (this.room.hasControl.peek()) return; // It is we who have said it.
    const board = this.study.tree.peek();
    const said = this.overheard.hear(line, this.isShared ? board : null);
    if (!said) return;
    if (said.kind === "position") {
      this.study.load(said.tree, said.node);
      this.isShared = true;
      const isGone = said.isNew && !board.isUntouched && this.room.isOwner.peek();
      if (isGone) this.notes.say("Another game is shown", UNDO);
    }
    this.events.follow(said);
  }

  private passed(isOurs: boolean): void {
    if (isOurs) {
      this.isShared = true;
      this.overheard.miss();
    }
    this.events.control();
  }
}
