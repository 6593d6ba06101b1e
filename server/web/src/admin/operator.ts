/** The state of the operator's page, and its commands to the server. */

import { signal } from "@preact/signals";
import { probe } from "../engine/probe";
import { openWebSocket } from "../server";
import { loadToken, saveToken } from "../settings";
import { type Problem, problemOf } from "../uci/notice";

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

export interface JobStatus {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly done: number;
  readonly total: number;
  /** Positions a second; null while it is not known. */
  readonly rate: number | null;
  /** Seconds. */
  readonly age: number;
}

export interface JobStatuses {
  readonly jobs: readonly JobStatus[];
  /** Of all, also of those that are not listed. */
  readonly total: number;
}

export interface AccountStatus {
  readonly account: string;
  readonly role: string;
  /** The number of its tokens. */
  readonly tokens: number;
  /** The browsers that codes have signed in. */
  readonly devices: readonly string[];
}

export interface SharedGameStatus {
  readonly id: string;
  readonly account: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds. */
  readonly age: number;
  /** Seconds until the link ends; null if it does not. */
  readonly left: number | null;
}

export interface SharedGames {
  readonly games: readonly SharedGameStatus[];
  /** Of all, also of those that are not listed. */
  readonly total: number;
}

type Answer = { readonly ok: boolean; readonly error?: string };
type Receiver = (answer: Answer) => void;

const PATH = "/admin/orders";
const SUBPROTOCOL = "rookery.operator";
const REFRESH_INTERVAL = 1000; // ms
const SELDOM_INTERVAL = 10_000; // ms; for what changes seldom
const RETRY_DELAY = 2000; // ms

export class Operator {
  readonly status = signal<Status | null>(null);
  readonly sessions = signal<readonly SessionStatus[]>([]);
  /** Null if the server has no jobs. */
  readonly jobs = signal<JobStatuses | null>(null);
  /** Null if the server wants no tokens. */
  readonly accounts = signal<readonly AccountStatus[] | null>(null);
  /** Null if the server shares no games. */
  readonly games = signal<SharedGames | null>(null);
  /** The reason why there is nothing to show; null if there is none. */
  readonly problem = signal<Problem | null>(null);
  readonly wantsToken = signal(false);
  readonly error = signal("");

  token = loadToken();
  private socket: WebSocket | null = null;
  private isOpen = false;
  private receivers: Receiver[] = []; // of the answers to come, in order
  private seldomAt = Number.NEGATIVE_INFINITY; // ms, of the clock since the page was opened
  private timer: ReturnType<typeof setTimeout> | undefined;

  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    const socket = openWebSocket(PATH, SUBPROTOCOL, this.token);
    this.socket = socket;
    this.receivers = [];
    socket.onopen = () => {
      this.isOpen = true;
      this.problem.value = null;
      this.seldomAt = Number.NEGATIVE_INFINITY;
      this.refresh();
    };
    socket.onmessage = ({ data }) => this.receivers.shift()?.(JSON.parse(String(data)) as Answer);
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      const wasOpen = this.isOpen;
      this.isOpen = false;
      clearTimeout(this.timer);
      if (wasOpen && code === 1008) this.showRefusal(problemOf("unauthorized", reason));
      else void this.probeServer();
    };
  }

  signIn(token: string): void {
    this.token = token;
    saveToken(token);
    this.wantsToken.value = false;
    this.connect();
  }

  endSession(session: number): void {
    this.sendCommand({ do: "end", session });
  }

  changeJob(job: string, action: "end" | "pause" | "resume"): void {
    this.sendCommand({ do: `${action}-job`, job });
  }

  /** Withdraw a shared game. */
  endGame(game: string): void {
    this.seldomAt = Number.NEGATIVE_INFINITY;
    this.sendCommand({ do: "end-game", game });
  }

  drainServer(): void {
    this.sendCommand({ do: "drain" });
  }

  private sendCommand(request: object): void {
    this.sendRequest(request, (answer) => {
      this.error.value = answer.ok ? "" : (answer.error ?? "");
      this.refresh();
    });
  }

  private refresh(): void {
    clearTimeout(this.timer);
    this.sendRequest({ do: "status" }, (answer) => {
      this.status.value = answer as unknown as Status;
    });
    this.sendRequest({ do: "jobs" }, (answer) => {
      this.jobs.value = answer.ok ? (answer as unknown as JobStatuses) : null;
    });
    this.refreshSeldom();
    this.sendRequest({ do: "sessions" }, (answer) => {
      this.sessions.value = (answer as unknown as { sessions: SessionStatus[] }).sessions;
      this.timer = setTimeout(() => this.refresh(), REFRESH_INTERVAL);
    });
  }

  /** Ask at once for what changes seldom. */
  refreshNow(): void {
    this.seldomAt = Number.NEGATIVE_INFINITY;
    this.refresh();
  }

  private refreshSeldom(): void {
    if (performance.now() - this.seldomAt < SELDOM_INTERVAL) return;
    this.seldomAt = performance.now();
    this.sendRequest({ do: "accounts" }, (answer) => {
      const found = answer as unknown as { accounts: readonly AccountStatus[] };
      this.accounts.value = answer.ok ? found.accounts : null;
    });
    this.sendRequest({ do: "shared-games" }, (answer) => {
      const found = answer as unknown as {
        "shared-games": readonly SharedGameStatus[];
        total: number;
      };
      this.games.value = answer.ok ? { games: found["shared-games"], total: found.total } : null;
    });
  }

  private sendRequest(request: object, receiver: Receiver): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.receivers.push(receiver);
    this.socket.send(JSON.stringify(request));
  }

  /** Find out why there is no connection, and connect again if that may help. */
  private async probeServer(): Promise<void> {
    const verdict = await probe(PATH, this.token);
    if (verdict && verdict.retry === null) {
      this.showRefusal(verdict.problem);
      return;
    }
    this.problem.value = verdict?.problem ?? null;
    const wait = Math.max(RETRY_DELAY, 1000 * (verdict?.retry ?? 0));
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private showRefusal(problem: Problem): void {
    this.problem.value = problem;
    this.status.value = null;
    this.sessions.value = [];
    this.jobs.value = null;
    this.games.value = null;
    this.accounts.value = null;
    this.wantsToken.value = problem.code === "unauthorized" || problem.code === "too-many-tries";
  }
}
