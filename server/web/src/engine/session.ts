/**
 * One session with an engine of the server, over as many connections as it takes.
 *
 * A shell: it owns the WebSocket and the timers, and carries out what `Conversation` (UCI) and
 * `SessionProtocol` (the lines around it) decide.  It needs no rules of chess, so it can begin
 * before the rest of the page is loaded (`startup.ts`); events are kept until there is a listener.
 */

import { openEngineSocket, pathOf } from "../server";
import { type Handover, OWNER } from "../settings";
import { type Notice, parseLine } from "../uci/line";
import { type Problem, REFUSED, UNREACHABLE } from "../uci/notice";
import { Conversation, type ConversationEvent } from "./conversation";
import { probe } from "./probe";
import { closeReaction, ResumableSession, RoomConnection, type SessionProtocol } from "./protocol";

export type ConnectionState =
  | { readonly type: "off" }
  | { readonly type: "connecting" }
  | { readonly type: "open" }
  /** The next attempt is at `at` (of `Date.now()`). */
  | { readonly type: "lost"; readonly at: number; readonly problem: Problem | null }
  /** Only the user may have it tried again. */
  | { readonly type: "stopped"; readonly problem: Problem };

/** Something that has happened in a session. */
export type SessionEvent =
  | Exclude<ConversationEvent, { type: "send" }>
  | { readonly type: "connection"; readonly state: ConnectionState }
  | { readonly type: "round-trip"; readonly ms: number }
  /** A session begins, or one continues that another page has left (`isInherited`). */
  | { readonly type: "started"; readonly isInherited: boolean }
  /** A line of the server about a room. */
  | { readonly type: "room"; readonly line: string };

type Listener = (event: SessionEvent) => void;
type Timer = ReturnType<typeof setTimeout> | undefined;

interface SessionOptions {
  readonly purpose: "analysis" | "game";
  /** The room to watch; without one, the session has an engine of its own. */
  readonly room?: string | null;
  /** The session that the page before has left. */
  readonly handover?: Handover | null;
}

const DELAYS = [0.1, 0.5, 1, 2, 4, 8, 15]; // s before each attempt to connect again
const JITTER = 0.2; // of a delay, either way: not all pages come back at once
const ROOM = "rookery room ";
const PING_INTERVAL = 3000; // ms
const HANDSHAKE_TIMEOUT = 10_000; // ms
const SLOW_HANDSHAKE = 3000; // ms after which it is begun anew if the network has come back
const SILENCE_TIMEOUT = 10_000; // ms without an answer after which a connection counts as dead

export class EngineSession {
  readonly conversation: Conversation;
  /** The time of the last line of the server, of `performance.now()`. */
  heardAt = 0;
  private readonly protocol: SessionProtocol;
  private listener: Listener | null = null;
  private keptEvents: SessionEvent[] = [];
  private waiters: { isMet: (event: SessionEvent) => boolean; resolve: () => void }[] = [];
  private isCarryingOut = false;

  private socket: WebSocket | null = null;
  private attempts = 0;
  private timer: Timer; // of the handshake, or until the next attempt
  private pingTimer: Timer;
  private connectingAt = 0; // of `performance.now()`
  private pingedAt: number | null = null;
  private isEnded = false;
  private wasEverOpen = false;
  private isStopped = false;
  private lastNotice: Notice | null = null;

  constructor(
    readonly engine: string,
    private readonly token: string | null,
    readonly setup: SessionOptions,
  ) {
    const { purpose, room = null, handover } = setup;
    this.conversation = new Conversation(purpose);
    this.conversation.isFollowing = handover ? handover.room.control !== OWNER : false;
    this.protocol =
      room === null ? new ResumableSession(handover?.resume) : new RoomConnection(room);
  }

  // --- events

  /** Pass events to a listener, and first those that there have been. */
  listen(listener: Listener): void {
    this.listener = listener;
    for (const event of this.keptEvents.splice(0)) listener(event);
    listener({ type: "searches" });
  }

  /** Wait for an event that fulfils a condition. */
  until(isMet: (event: SessionEvent) => boolean): Promise<void> {
    return new Promise((resolve) => this.waiters.push({ isMet, resolve }));
  }

  private emit(event: SessionEvent): void {
    this.waiters = this.waiters.filter(({ isMet, resolve }) => {
      if (!isMet(event)) return true;
      resolve();
      return false;
    });
    if (this.listener) this.listener(event);
    else if (event.type !== "info") this.keptEvents.push(event);
  }

  /** Change the conversation, and carry out what follows from it. */
  update(change: (conversation: Conversation) => void): void {
    change(this.conversation);
    if (this.isCarryingOut) return; // The call further up goes on with it.
    this.isCarryingOut = true;
    try {
      const { conversation } = this;
      for (let event = conversation.nextEvent(); event; event = conversation.nextEvent()) {
        if (event.type === "send") this.sendUci(event.line);
        else this.emit(event);
      }
    } finally {
      this.isCarryingOut = false;
    }
  }

  // --- the connection

  /** Connect; or use a connection that was opened before, if it is still there. */
  open(opened: WebSocket | null = null): void {
    if (this.socket || this.isEnded) return;
    clearTimeout(this.timer);
    this.emit({ type: "connection", state: { type: "connecting" } });
    const isUsable = opened && opened.readyState <= WebSocket.OPEN;
    const socket = isUsable ? opened : openEngineSocket(this.engine, this.token);
    this.socket = socket;
    this.connectingAt = performance.now();
    this.timer = setTimeout(() => this.giveUpHandshake(), HANDSHAKE_TIMEOUT);
    let wasOpen = false;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      clearTimeout(this.timer);
      wasOpen = true;
      this.onOpen();
    };
    socket.onmessage = ({ data }) => this.socket === socket && this.onLine(String(data));
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      this.detach();
      if (wasOpen) this.onClose(code, reason);
      else void this.onRefused();
    };
    if (socket.readyState === WebSocket.OPEN) socket.onopen(new Event("open"));
  }

  /** End the session; no events follow. */
  close(): void {
    this.sendToServer("quit");
    this.end();
  }

  /** End the connection, and leave the session, whose room is open, to the next page of this tab. */
  handOver(room: Handover["room"]): Handover | null {
    const { protocol, engine } = this;
    const resume = protocol instanceof ResumableSession ? protocol.resumeState : null;
    const { pending } = this.conversation;
    this.end();
    return resume && { engine, resume, pending, room };
  }

  private end(): void {
    this.isEnded = true;
    this.listener = () => {};
    this.abandon();
  }

  /**
   * Check whether the connection is still good: the machine has slept, or the network is back.  A
   * session that has stopped stays so: a token that was refused counts as one more failed log-in.
   */
  check(): void {
    if (this.isEnded || this.isStopped) return;
    if (!this.socket) this.open();
    else if (this.socket.readyState === WebSocket.OPEN) this.ping();
    else if (performance.now() - this.connectingAt > SLOW_HANDSHAKE) {
      this.abandon();
      this.open();
    }
  }

  /** Milliseconds for which an answer of the server has been due; 0 if none is. */
  get answerDelay(): number {
    return this.pingedAt === null ? 0 : performance.now() - this.pingedAt;
  }

  /** Send a line to the server itself: it is not counted, and lost without a connection. */
  sendToServer(line: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  private sendUci(line: string): void {
    if (this.protocol.record(line)) this.sendToServer(line);
  }

  private onOpen(): void {
    const { protocol, setup } = this;
    const isInherited = protocol.canResume;
    if (!isInherited) protocol.reset();
    this.sendToServer(protocol.openingLine());
    this.emit({ type: "connection", state: { type: "open" } });
    this.pingedAt = null;
    this.pingTimer = setInterval(() => this.ping(), PING_INTERVAL);
    if (!isInherited || !this.wasEverOpen) {
      // The listener may reset what it has of a session before, and then the engine begins.
      this.emit({ type: "started", isInherited });
      this.update((conversation) => {
        if (isInherited) conversation.inherit(setup.handover?.pending ?? 0);
        else if (setup.room) conversation.watch();
        else conversation.start();
      });
    }
    this.wasEverOpen = true;
  }

  private onLine(line: string): void {
    this.heardAt = performance.now();
    const { isUci, resend, isPong } = this.protocol.receive(line);
    for (const each of resend) this.sendToServer(each);
    if (isPong && this.pingedAt !== null) {
      this.emit({ type: "round-trip", ms: performance.now() - this.pingedAt });
      this.pingedAt = null;
    } else if (!isUci) {
      this.attempts = 0;
      this.ping();
    }
    const parsed = line.startsWith("info string rookery ") ? parseLine(line) : null;
    if (parsed?.type === "notice") this.lastNotice = parsed.notice;
    if (isUci) this.update((conversation) => conversation.receive(line));
    else if (line.startsWith(ROOM)) this.emit({ type: "room", line });
  }

  private ping(): void {
    if (this.pingedAt === null) {
      this.pingedAt = performance.now();
      this.sendToServer(this.protocol.pingLine());
    } else if (this.answerDelay > SILENCE_TIMEOUT) {
      this.abandon();
      this.retry(null);
    }
  }

  private giveUpHandshake(): void {
    this.abandon();
    this.retry(UNREACHABLE);
  }

  private onClose(code: number, reason: string): void {
    const reaction = closeReaction(code, reason, this.lastNotice);
    if (reaction.type === "resume") {
      this.retry(null);
      return;
    }
    // A server that is back and does not know the session admits a new one.
    if (reaction.type === "restart" && !reaction.problem && this.protocol.canResume)
      this.attempts = 0;
    this.protocol.reset();
    if (reaction.type === "restart") this.retry(reaction.problem, reaction.seconds);
    else this.stop(reaction.problem);
  }

  private async onRefused(): Promise<void> {
    const verdict = await probe(pathOf(this.engine), this.token);
    if (this.isEnded || this.socket) return;
    if (verdict?.retry === null) this.stop(verdict.problem);
    else this.retry(verdict?.problem ?? REFUSED, verdict?.retry ?? 0);
  }

  private stop(problem: Problem): void {
    this.isStopped = true;
    this.emit({ type: "connection", state: { type: "stopped", problem } });
  }

  private retry(problem: Problem | null, minSeconds = 0): void {
    const delay = DELAYS[Math.min(this.attempts++, DELAYS.length - 1)] ?? 15;
    const spread = 1 - JITTER + 2 * JITTER * Math.random();
    const wait = Math.max(minSeconds, delay * spread) * 1000;
    this.emit({ type: "connection", state: { type: "lost", at: Date.now() + wait, problem } });
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** Close the connection, and ignore what still comes of it. */
  private abandon(): void {
    const { socket } = this;
    this.detach();
    socket?.close();
  }

  private detach(): void {
    clearTimeout(this.timer);
    clearInterval(this.pingTimer);
    this.socket = null;
    this.pingedAt = null;
  }
}
