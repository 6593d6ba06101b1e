/**
 * What both sides of a session have heard of each other, as docs/protocol.md has it.
 *
 * It counts lines, keeps those that the server may not have heard, and knows the pass to
 * come back with.  Pure: it says what to send, and somebody else sends it.
 */

import type { Book } from "./link";

const SESSION = /^rookery session (\S+) heard (\d+)(?: grace (\d+))?/;
const HEARD = /^rookery heard (\d+)/;

/** How far a session has come, for another page to go on with it. */
export interface Standing {
  readonly pass: string;
  readonly heardByUs: number;
  readonly heardByServer: number;
  /** What was said, and the server may not have heard. */
  readonly unheard: readonly string[];
}

export class Ledger implements Book {
  private pass: string | null = null;
  private heardByUs = 0;
  private heardByServer = 0;
  private unheard: string[] = [];
  private answered = false;

  /** Go on with a session that another page has left; null is a new one. */
  constructor(left: Standing | null = null) {
    if (!left) return;
    this.pass = left.pass;
    this.heardByUs = left.heardByUs;
    this.heardByServer = left.heardByServer;
    this.unheard = [...left.unheard];
  }

  /** What another page needs to go on; null if there is nothing to come back to. */
  get standing(): Standing | null {
    const { pass, heardByUs, heardByServer, unheard } = this;
    return pass === null ? null : { pass, heardByUs, heardByServer, unheard };
  }

  /** The first line of a connection; what is said before its answer is kept if we come back. */
  open(): string {
    this.answered = this.pass === null;
    return this.pass === null
      ? "rookery session new"
      : `rookery session ${this.pass} heard ${this.heardByUs}`;
  }

  /** Whether there is something to come back to. */
  get mayReturn(): boolean {
    return this.pass !== null;
  }

  /** Forget the session: there is nothing to come back to, and nothing that was said counts. */
  forget(): void {
    this.pass = null;
    this.heardByUs = this.heardByServer = 0;
    this.unheard = [];
    this.answered = false;
  }

  /** Note a line of ours; says whether it may be sent now. */
  say(line: string): boolean {
    this.unheard.push(line);
    return this.answered;
  }

  /** A line that asks what the server has heard, and tells it what we have. */
  ping(): string {
    return `rookery heard ${this.heardByUs}`;
  }

  /**
   * Note a line of the server's.  `forUs` says that it is UCI; `resend` are the lines that
   * must be said again now; `pong` that it answers `ping`.
   */
  hear(line: string): { forUs: boolean; resend: readonly string[]; pong: boolean } {
    if (!line.startsWith("rookery ")) {
      if (!line.startsWith("info ")) this.heardByUs++;
      return { forUs: true, resend: [], pong: false };
    }
    const session = SESSION.exec(line);
    if (session) {
      const again = this.pass !== null;
      this.pass = session[1] ?? null;
      this.serverHeard(Number(session[2]));
      this.answered = true;
      return { forUs: false, resend: again ? [...this.unheard] : [], pong: false };
    }
    const heard = HEARD.exec(line);
    if (heard) this.serverHeard(Number(heard[1]));
    return { forUs: false, resend: [], pong: heard !== null };
  }

  private serverHeard(count: number): void {
    this.unheard.splice(0, Math.max(0, count - this.heardByServer));
    this.heardByServer = Math.max(count, this.heardByServer);
  }
}
