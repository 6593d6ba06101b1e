/**
 * What the server knows of the position on the board without an engine.
 *
 * It is asked when a position stays on the board for a moment, and never twice for the last ones.
 */

import { effect, type ReadonlySignal, signal } from "@preact/signals";

const DELAY = 80; // ms: who walks through a game asks nothing
const MOST_KEPT = 200; // answers
const TIMEOUT = 15_000; // ms

export type Lookup<Answer> =
  | { readonly type: "none" }
  | { readonly type: "asking" }
  | { readonly type: "found"; readonly fen: string; readonly answer: Answer }
  | { readonly type: "failed" };

export class PositionLookup<Answer> {
  readonly state = signal<Lookup<Answer>>({ type: "none" });
  private readonly kept = new Map<string, Answer>();

  /** Ask at an address for the positions of a signal; null is none. */
  constructor(
    private readonly path: string,
    fen: ReadonlySignal<string | null>,
    private readonly token: () => string | null,
  ) {
    effect(() => {
      const wanted = fen.value;
      if (wanted === null) {
        this.state.value = { type: "none" };
        return undefined;
      }
      const answer = this.kept.get(wanted);
      if (answer !== undefined) {
        this.state.value = { type: "found", fen: wanted, answer };
        return undefined;
      }
      this.state.value = { type: "asking" };
      const ends = new AbortController();
      const timer = setTimeout(() => void this.ask(wanted, ends.signal), DELAY);
      return () => {
        clearTimeout(timer);
        ends.abort();
      };
    });
  }

  private async ask(fen: string, ended: AbortSignal): Promise<void> {
    const answer = await this.fetch(fen, ended).catch(() => null);
    if (ended.aborted) return;
    if (answer === null) {
      this.state.value = { type: "failed" };
      return;
    }
    const oldest = this.kept.size < MOST_KEPT ? undefined : this.kept.keys().next().value;
    if (oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(fen, answer);
    this.state.value = { type: "found", fen, answer };
  }

  private async fetch(fen: string, ended: AbortSignal): Promise<Answer> {
    return JSON.parse(await this.fetchText(`${this.path}?fen=${encodeURIComponent(fen)}`, ended));
  }

  /** Return what the server has at an address; fails if it has nothing. */
  async fetchText(path: string, ended?: AbortSignal): Promise<string> {
    const token = this.token();
    const headers: HeadersInit = token ? { Authorization: `Bearer ${token}` } : {};
    const timeout = AbortSignal.timeout(TIMEOUT);
    const signal = ended ? AbortSignal.any([ended, timeout]) : timeout;
    const found = await fetch(path, { headers, signal });
    if (!found.ok) throw new Error(`status ${found.status}`);
    return await found.text();
  }
}
