/**
 * A session with an engine of the server, over as many connections as it takes.
 *
 * When a connection is lost the link comes back to the session by itself; where there is
 * none to come back to, it begins another and says so (`fresh`).  It knows nothing of chess.
 */

import { type Notice, parseLine } from "../uci/line";
import { probe } from "./probe";
import { type Problem, problemOf, problemOfClose, REFUSED, UNREACHABLE } from "./problem";
import { pathOf, socketTo } from "./socket";

export type LinkState =
  | { readonly kind: "off" }
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** Tries again at `at` (of `Date.now()`). */
  | { readonly kind: "lost"; readonly at: number; readonly problem: Problem | null }
  /** Tries no more until it is told to. */
  | { readonly kind: "stopped"; readonly problem: Problem };

/** What is said around the lines themselves: which session this is, and how far it has come. */
export interface Book {
  /** Whether there is a session to come back to. */
  readonly mayReturn: boolean;
  /** The first line of a connection. */
  open(): string;
  forget(): void;
  /** Note a line of ours; says whether it may be sent now. */
  say(line: string): boolean;
  /** A line that the server answers. */
  ping(): string;
  hear(line: string): { forUs: boolean; resend: readonly string[]; pong: boolean };
}

export interface LinkEvents {
  /**
   * A session begins: all that was said before is void.  Or `isInherited`: it goes on that
   * another page has left.
   */
  fresh(isInherited: boolean): void;
  line(line: string): void;
  /** A line of the server's own about a room. */
  room?(line: string): void;
  state(state: LinkState): void;
  /** Milliseconds there and back. */
  roundTrip(ms: number): void;
}

const DELAYS = [0.1, 0.5, 1, 2, 4, 8, 15]; // s before each attempt to come back
const ROOM = "rookery room ";
const PING = 3000; // ms between questions whether the server is still there
const HANDSHAKE = 10000; // ms for a connection to come about
const SLOW = 3000; // ms after which one that has not is begun anew, if there is a reason to hope
const SILENCE = 10000; // ms without an answer after which a connection is taken for dead

export class Link {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer = 0;
  private begunAt = 0; // when the connection was begun, of `performance.now()`
  private pinger = 0;
  private pinged: number | null = null;
  private ended = false;
  private wasOpen = false; // ever
  private isStopped = false; // nobody but who uses the page may have it tried again
  private lastNotice: Notice | null = null;
  /** When the server was last heard, of `performance.now()`. */
  heardAt = 0;

  constructor(
    private readonly engine: string,
    private readonly token: string | null,
    private readonly book: Book,
    private readonly events: LinkEvents,
  ) {}

  /** Connect, now; or go on with a connection that has begun, if nothing was said on it yet. */
  open(begun: WebSocket | null = null): void {
    if (this.socket || this.ended) return;
    clearTimeout(this.timer);
    this.events.state({ kind: "connecting" });
    const isGood = begun && begun.readyState <= WebSocket.OPEN;
    const socket = isGood ? begun : socketTo(this.engine, this.token);
    this.socket = socket;
    this.begunAt = performance.now();
    this.timer = setTimeout(() => this.giveUp(), HANDSHAKE) as unknown as number;
    let wasOpen = false;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      clearTimeout(this.timer);
      wasOpen = true;
      this.opened();
    };
    socket.onmessage = ({ data }) => this.socket === socket && this.heard(String(data));
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      this.drop();
      if (wasOpen) this.closed(code, reason);
      else void this.failed();
    };
    if (socket.readyState === WebSocket.OPEN) socket.onopen(new Event("open"));
  }

  /** Say a line of UCI; if there is no connection, when there is one. */
  say(line: string): void {
    const now = this.book.say(line);
    if (now && this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  /** Say something to the server itself: it is not counted, and lost without a connection. */
  tellServer(line: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  /** End the session. */
  close(): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send("quit");
    this.leave();
  }

  /** End the connection, and leave the session to who comes back to it. */
  leave(): void {
    this.ended = true;
    this.abandon();
    this.events.state({ kind: "off" });
  }

  /**
   * Look whether the connection is still good: the machine slept, or the network is back.  A link
   * that has stopped stays so: another try with a token that was refused counts against us.
   */
  check(): void {
    if (this.ended || this.isStopped) return;
    if (!this.socket) this.open();
    else if (this.socket.readyState === WebSocket.OPEN) this.ping();
    else if (performance.now() - this.begunAt > SLOW) {
      this.abandon();
      this.open();
    }
  }

  /** How long the server has owed an answer, in milliseconds; 0 if it owes none. */
  get waiting(): number {
    return this.pinged === null ? 0 : performance.now() - this.pinged;
  }

  private opened(): void {
    const isNew = !this.book.mayReturn;
    if (isNew) this.book.forget();
    this.socket?.send(this.book.open());
    this.events.state({ kind: "open" });
    this.pinged = null;
    this.pinger = setInterval(() => this.ping(), PING) as unknown as number;
    if (isNew || !this.wasOpen) this.events.fresh(!isNew);
    this.wasOpen = true;
  }

  private heard(line: string): void {
    this.heardAt = performance.now();
    const { forUs, resend, pong } = this.book.hear(line);
    for (const each of resend) this.socket?.send(each);
    if (pong && this.pinged !== null) {
      this.events.roundTrip(performance.now() - this.pinged);
      this.pinged = null;
    } else if (!forUs) {
      this.attempt = 0;
      this.ping();
    }
    const notice = line.startsWith("info string rookery ") ? parseLine(line) : null;
    if (notice?.kind === "notice") this.lastNotice = notice.notice;
    if (forUs) this.events.line(line);
    else if (line.startsWith(ROOM)) this.events.room?.(line);
  }

  private ping(): void {
    if (this.pinged === null) {
      this.pinged = performance.now();
      this.socket?.send(this.book.ping());
    } else if (performance.now() - this.pinged > SILENCE) {
      this.abandon();
      this.again(null);
    }
  }

  /** The server neither takes the connection nor refuses it. */
  private giveUp(): void {
    this.abandon();
    this.again(UNREACHABLE);
  }

  private closed(code: number, reason: string): void {
    const said = this.lastNotice;
    // The reason is the sentence of the notice before it, perhaps cut short.
    const isSaid = said && reason && said.text.startsWith(reason);
    const problem = isSaid ? problemOf(said.code, said.text) : problemOfClose(code, reason);
    if (code === 4000) {
      // The server is back, and has answered; it has nothing against a new session.
      if (this.book.mayReturn) this.attempt = 0;
      this.book.forget();
      this.again(null, 0);
      return;
    }
    if (code === 1006 || code === 1001 || code === 1005) {
      this.again(null);
      return;
    }
    this.book.forget();
    if (code === 1012) this.again(problem, 2);
    else this.stop(problem ?? { ...REFUSED, text: reason });
  }

  private async failed(): Promise<void> {
    const verdict = await probe(pathOf(this.engine), this.token);
    if (this.ended || this.socket) return;
    if (verdict?.retry === null) this.stop(verdict.problem);
    else this.again(verdict?.problem ?? REFUSED, verdict?.retry ?? 0);
  }

  private stop(problem: Problem): void {
    this.isStopped = true;
    this.events.state({ kind: "stopped", problem });
  }

  private again(problem: Problem | null, least = 0): void {
    const delay = DELAYS[Math.min(this.attempt++, DELAYS.length - 1)] ?? 15;
    const wait = Math.max(least, delay * (0.8 + 0.4 * Math.random())) * 1000;
    this.events.state({ kind: "lost", at: Date.now() + wait, problem });
    this.timer = setTimeout(() => this.open(), wait) as unknown as number;
  }

  /** Close the connection, and hear nothing of it any more. */
  private abandon(): void {
    const socket = this.socket;
    this.drop();
    socket?.close();
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    this.socket = null;
    this.pinged = null;
  }
}
