/** What the operator's page knows of the server, and what it has it do. */

import { signal } from "@preact/signals";
import { probe } from "../link/probe";
import { type Problem, problemOf } from "../link/problem";
import { loadToken, saveToken } from "../settings";

export interface Share {
  readonly used: number;
  readonly total: number;
}

export interface Status {
  readonly version: string;
  readonly draining: boolean;
  readonly queue: number;
  /** Of the machine, over one minute. */
  readonly load: number;
  readonly cpus: number;
  readonly threads: Share;
  readonly hash_mb: Share;
  readonly connections: Share;
  readonly engines: readonly EngineStatus[];
}

export interface EngineStatus {
  readonly name: string;
  readonly sessions: number;
  readonly spare: number;
  readonly trouble: string;
}

export interface SessionStatus {
  readonly session: number;
  readonly account: string;
  readonly engine: string;
  readonly state: string;
  readonly address: string | null;
  readonly seconds: number;
  readonly idle_seconds: number;
  readonly searches: number;
  readonly watching: number | null;
}

type Answer = { readonly ok: boolean; readonly error?: string };
type Take = (answer: Answer) => void;

const PATH = "/admin/orders";
const SUBPROTOCOL = "rookery.operator";
const EVERY = 1000; // ms between looks at the server
const AGAIN = 2000; // ms until a lost connection is opened again

export class Operator {
  readonly status = signal<Status | null>(null);
  readonly sessions = signal<readonly SessionStatus[]>([]);
  readonly isOpen = signal(false);
  /** Why there is nothing to see; null is that there is, or will be. */
  readonly problem = signal<Problem | null>(null);
  readonly wantsToken = signal(false);
  readonly error = signal("");

  private token = loadToken();
  private socket: WebSocket | null = null;
  private owed: Take[] = []; // who gets the answers to come, in order
  private timer = 0;

  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    const url = new URL(PATH, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const token = this.token ? [`rookery.token.${this.token}`] : [];
    const socket = new WebSocket(url, [SUBPROTOCOL, ...token]);
    this.socket = socket;
    this.owed = [];
    socket.onopen = () => {
      this.isOpen.value = true;
      this.problem.value = null;
      this.look();
    };
    socket.onmessage = ({ data }) => this.owed.shift()?.(JSON.parse(String(data)) as Answer);
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      const wasOpen = this.isOpen.peek();
      this.isOpen.value = false;
      clearTimeout(this.timer);
      if (wasOpen && code === 1008) this.refuse(problemOf("unauthorized", reason));
      else void this.ask();
    };
  }

  signIn(token: string): void {
    this.token = token;
    saveToken(token);
    this.wantsToken.value = false;
    this.connect();
  }

  end(session: number): void {
    this.order({ do: "end", session });
  }

  drain(): void {
    this.order({ do: "drain" });
  }

  private order(request: object): void {
    this.say(request, (answer) => {
      this.error.value = answer.ok ? "" : (answer.error ?? "");
      this.look();
    });
  }

  private look(): void {
    clearTimeout(this.timer);
    this.say({ do: "status" }, (answer) => {
      this.status.value = answer as unknown as Status;
    });
    this.say({ do: "sessions" }, (answer) => {
      this.sessions.value = (answer as unknown as { sessions: SessionStatus[] }).sessions;
      this.timer = setTimeout(() => this.look(), EVERY) as unknown as number;
    });
  }

  private say(request: object, take: Take): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.owed.push(take);
    this.socket.send(JSON.stringify(request));
  }

  /** The connection is not there: ask why, for a browser does not tell. */
  private async ask(): Promise<void> {
    const verdict = await probe(PATH, this.token);
    if (verdict && verdict.retry === null) this.refuse(verdict.problem);
    else {
      this.problem.value = verdict?.problem ?? null;
      const wait = Math.max(AGAIN, 1000 * (verdict?.retry ?? 0));
      this.timer = setTimeout(() => this.connect(), wait) as unknown as number;
    }
  }

  private refuse(problem: Problem): void {
    this.problem.value = problem;
    this.status.value = null;
    this.sessions.value = [];
    this.wantsToken.value = problem.code === "unauthorized" || problem.code === "too-many-tries";
  }
}
