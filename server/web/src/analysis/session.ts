/**
 * One session with one engine: the connection, and the engine behind it.
 *
 * It needs no rules of chess, so it can begin before the rest of the page has been loaded
 * (`early.ts`).  What has happened until somebody listens is kept for whoever does.
 */

import { Ledger } from "../link/ledger";
import { Link, type LinkState } from "../link/link";
import { Visit } from "../link/visit";
import { type Baton, OWNER, type Settings } from "../settings";
import type { Notice } from "../uci/line";
import { Engine, type Findings, type Wish } from "./engine";

export interface SessionEvents {
  state(state: LinkState): void;
  /** Milliseconds there and back. */
  roundTrip(ms: number): void;
  /** A session begins: the engine has heard nothing yet, or what another page has said. */
  fresh(isInherited: boolean): void;
  introduced(): void;
  /** There is more to show; called for every line. */
  changed(): void;
  notice(notice: Notice): void;
  known(findings: Findings): void;
  finished(wish: Wish, findings: Findings | null, best: string | null): void;
  /** A line of the server's own about a room. */
  room(line: string): void;
}

export const MOST_LINES = 10;
const HALF = 500; // thousandths
const ENOUGH = 256; // MiB, of which nobody has to ask for more

export class Session {
  readonly engine: Engine;
  private readonly link: Link;
  private readonly book: Ledger | Visit;
  /** Ends when there is a connection for the first time. */
  readonly opened: Promise<void>;
  /** Ends when the engine has found something for the first time. */
  readonly found: Promise<void>;
  private events: SessionEvents | null = null;
  private kept: ((events: SessionEvents) => void)[] = [];

  /**
   * `visited` is the room that is watched; null is an engine of one's own.  `baton` is what
   * the page before has left: it is gone on with.
   */
  constructor(
    readonly name: string,
    token: string | null,
    readonly visited: string | null = null,
    readonly baton: Baton | null = null,
  ) {
    let wasFound: (() => void) | null = null;
    this.found = new Promise((resolve) => {
      wasFound = resolve;
    });
    this.engine = new Engine({
      say: (line) => this.link.say(line),
      introduced: () => this.tell((events) => events.introduced()),
      changed: () => {
        // Called for every line, of which only the first is looked at.
        if (wasFound && this.engine.findings?.lines.length) {
          wasFound();
          wasFound = null;
        }
        this.events?.changed();
      },
      notice: (notice) => this.tell((events) => events.notice(notice)),
      known: (findings) => this.tell((events) => events.known(findings)),
      finished: (...all) => this.tell((events) => events.finished(...all)),
    });
    let wasOpened = () => {};
    this.opened = new Promise((resolve) => {
      wasOpened = resolve;
    });
    this.book = visited === null ? new Ledger(baton?.standing) : new Visit(visited);
    if (baton) this.engine.isFollowing = baton.room.control !== OWNER;
    this.link = new Link(name, token, this.book, {
      // Whoever listens looks first, and then the engine may begin.
      fresh: (isInherited) => {
        this.tell((events) => events.fresh(isInherited));
        if (isInherited) this.engine.inherit(baton?.searches ?? 0);
        else this.engine.fresh(visited === null);
        wasOpened();
      },
      line: (line) => this.engine.hear(line),
      room: (line) => this.tell((events) => events.room(line)),
      state: (state) => this.tell((events) => events.state(state)),
      roundTrip: (ms) => this.tell((events) => events.roundTrip(ms)),
    });
  }

  /** Tell somebody what happens, and first what has happened. */
  listen(events: SessionEvents): void {
    this.events = events;
    for (const each of this.kept.splice(0)) each(events);
    events.changed();
  }

  /** Connect; or take a connection that has begun, if it is still there. */
  open(begun: WebSocket | null = null): void {
    this.link.open(begun);
  }

  /** End the session; nobody hears of it any more. */
  close(): void {
    this.events = null;
    this.link.close();
    this.kept = [];
  }

  /** Leave the session, whose room is open, to the next page of this tab. */
  leave(room: Baton["room"]): Baton | null {
    const standing = this.book instanceof Ledger ? this.book.standing : null;
    const searches = this.engine.owed;
    this.link.leave();
    this.close();
    return standing && { engine: this.name, standing, searches, room };
  }

  /** Look whether the connection is still good. */
  check(): void {
    this.link.check();
  }

  /** Say something to the server itself, which is no part of the session. */
  tellServer(line: string): void {
    this.link.tellServer(line);
  }

  /** Set the engine as it was set last time, and the number of lines. */
  prepare({ options, lines }: Settings): void {
    if (this.visited !== null) return;
    for (const [option, value] of Object.entries(options[this.name] ?? {})) {
      this.engine.set(option, value);
    }
    this.setLines(lines);
  }

  /** Have so many lines, or as many as the engine has. */
  setLines(lines: number): void {
    if (this.visited === null) this.engine.set("MultiPV", String(Math.min(lines, this.mostLines)));
  }

  /**
   * Ask for more memory for the next search, if that of the one before is half full.  Engines
   * have 16 MiB by themselves, which lasts for seconds; what somebody has chosen stands.
   */
  grow({ options }: Settings): void {
    const { engine } = this;
    const option = engine.options.get("Hash");
    const isChosen = options[this.name]?.Hash !== undefined;
    if (option?.type !== "spin" || isChosen || this.visited !== null) return;
    if ((engine.findings?.hashfull ?? 0) < HALF) return;
    const more = Math.min(4 * Number(engine.value("Hash")), ENOUGH, option.max);
    if (more > Number(engine.value("Hash"))) engine.setNext("Hash", String(more));
  }

  get mostLines(): number {
    if (!this.engine.isReady) return MOST_LINES;
    const option = this.engine.options.get("MultiPV");
    return option?.type === "spin" ? Math.min(option.max, MOST_LINES) : 1;
  }

  private tell(what: (events: SessionEvents) => void): void {
    if (this.events) what(this.events);
    else this.kept.push(what);
  }
}
