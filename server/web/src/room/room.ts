/**
 * A session that others watch: who they are, and who has control (docs/protocol.md).
 *
 * It reads what the server says of the room and says what is wanted of it.  What the engine
 * is told in there is for `Overheard`.
 */

import { batch, computed, signal } from "@preact/signals";
import { OWNER } from "../settings";

export interface Watcher {
  readonly id: string;
  readonly account: string;
}

export interface RoomEvents {
  say(line: string): void;
  /** The engine has been told this, by who has control. */
  said(line: string): void;
  /** Control is with this page now, or not any more. */
  control(isOurs: boolean): void;
  /** Control is offered to who watches as this. */
  declined(who: string): void;
}

const FORM = /^rookery room (\S+)(?: (.*))?$/s;

export class Room {
  /** The name that its link has; null is that there is none. */
  readonly name = signal<string | null>(null);
  /** Who this page is: the owner, or the id of one who watches. */
  readonly self = signal<string>(OWNER);
  readonly control = signal<string>(OWNER);
  readonly watching = signal(0);
  readonly watchers = signal<readonly Watcher[]>([]);
  /** To whom control is offered. */
  readonly offered = signal<string | null>(null);
  readonly isOwner = computed(() => this.self.value === OWNER);
  readonly hasControl = computed(() => this.control.value === this.self.value);
  private listing: Watcher[] | null = null;

  constructor(private readonly events: RoomEvents) {}

  // --- what is wanted

  open(): void {
    this.events.say("rookery room open");
  }

  close(): void {
    this.events.say("rookery room close");
    this.reset();
  }

  hand(id: string): void {
    this.events.say(`rookery room hand ${id}`);
  }

  /** Take control back, or the offer. */
  take(): void {
    this.offered.value = null;
    this.events.say("rookery room take");
  }

  accept(): void {
    this.offered.value = null;
    this.events.say("rookery room accept");
  }

  decline(): void {
    this.offered.value = null;
    this.events.say("rookery room decline");
  }

  giveBack(): void {
    this.events.say("rookery room return");
  }

  /** There is no room, or not any more. */
  reset(name: string | null = null): void {
    batch(() => {
      this.name.value = name;
      this.self.value = name === null ? OWNER : "";
      this.control.value = OWNER;
      this.watching.value = 0;
      this.watchers.value = [];
      this.offered.value = null;
    });
    this.listing = null;
  }

  /** The page before had this room open, and it is gone on with. */
  restore({ name, control }: { readonly name: string; readonly control: string }): void {
    this.name.value = name;
    this.control.value = control;
  }

  // --- what is heard

  hear(line: string): void {
    const [, word, about = ""] = FORM.exec(line) ?? [];
    switch (word) {
      case "open":
        this.name.value = about;
        break;
      case "watch":
        this.self.value = about;
        break;
      case "close":
        this.reset();
        break;
      case "watcher":
        this.list(about);
        break;
      case "watching":
        this.count(Number(about));
        break;
      case "offer":
        this.offered.value = about;
        break;
      case "decline":
        this.offered.value = null;
        this.events.declined(this.accountOf(about));
        break;
      case "control":
        this.pass(about);
        break;
      case "said":
        this.events.said(about);
        break;
      default:
    }
  }

  accountOf(id: string): string {
    return this.watchers.peek().find((each) => each.id === id)?.account ?? `viewer ${id}`;
  }

  private list(about: string): void {
    const [id = "", account = ""] = about.split(" ");
    this.listing = [...(this.listing ?? []), { id, account }];
  }

  /** The number ends a list that was asked for; one that comes unasked is a reason to ask. */
  private count(number: number): void {
    this.watching.value = number;
    if (!this.isOwner.peek()) return;
    const listed = this.listing ?? [];
    this.listing = null;
    if (listed.length === number) this.watchers.value = listed;
    else this.events.say("rookery room list");
  }

  private pass(to: string): void {
    const had = this.control.peek();
    this.control.value = to;
    if (to !== OWNER || had !== OWNER) this.offered.value = null;
    this.events.control(this.hasControl.peek());
  }
}
