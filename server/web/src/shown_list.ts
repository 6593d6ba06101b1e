/** A list of the account that is fetched while it is shown, and the commands that change it. */

import { signal } from "@preact/signals";
import { problemIn } from "./service";
import type { Problem } from "./uci/notice";

/**
 * `T` is what the server says of the list.  While the list is shown and the page is in sight, one
 * request follows the other.
 */
export abstract class ShownList<T> {
  /** The reason why the list is not the newest, or why the last command was not obeyed. */
  readonly problem = signal<Problem | null>(null);
  /** Whether a command is under way. */
  readonly isBusy = signal(false);

  protected isShown = false;
  private isHidden = false;
  private isRefused = false; // the last command
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting = new AbortController();

  /** Ask for the list as it is now, or for its next change if the last answer was no problem. */
  protected abstract request(isChange: boolean, ended: AbortSignal): Promise<T>;

  /** Show an answer; null is none. */
  protected abstract take(answer: T | null): void;

  /** Return the ms until the next request, after an answer or a problem; null is never. */
  protected abstract paceAfter(problem: Problem | null): number | null;

  /** Forget what an account was told: another one may follow. */
  reset(): void {
    this.end();
    this.forgetProblem();
    this.take(null);
  }

  show(): void {
    this.isShown = true;
    this.isRefused = false;
    void this.refresh();
  }

  hide(): void {
    this.isShown = false;
    this.end();
  }

  /** Show no more why the last command was not obeyed. */
  forgetProblem(): void {
    this.isRefused = false;
    this.problem.value = null;
  }

  /** React to the page having been hidden, or having come back. */
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    this.end();
    if (!isHidden && this.isShown) void this.refresh();
  }

  /** Fetch the list as it is now, and go on with that. */
  async refresh(): Promise<void> {
    await this.fetch(false);
  }

  private async fetch(isChange: boolean): Promise<void> {
    const { round, signal } = this.end();
    let problem: Problem | null = null;
    try {
      const answer = await this.request(isChange, signal);
      if (round !== this.round) return;
      this.take(answer);
    } catch (error) {
      if (round !== this.round) return;
      problem = problemIn(error);
    }
    if (problem || !this.isRefused) this.problem.value = problem;
    const pace = this.paceAfter(problem);
    if (pace === null || !this.isShown || this.isHidden) return;
    this.timer = setTimeout(() => void this.fetch(problem === null), pace);
  }

  /** End the request that is under way, whose answer would not be shown. */
  private end(): { readonly round: number; readonly signal: AbortSignal } {
    clearTimeout(this.timer);
    this.waiting.abort();
    this.waiting = new AbortController();
    return { round: ++this.round, signal: this.waiting.signal };
  }

  /** Obey the user; return null if the server refuses it, and `problem` says why. */
  protected async command<R>(run: () => Promise<R>): Promise<R | null> {
    this.isBusy.value = true;
    let result: R | null = null;
    try {
      result = await run();
      this.forgetProblem();
    } catch (error) {
      this.isRefused = true;
      this.problem.value = problemIn(error);
    } finally {
      this.isBusy.value = false;
    }
    if (this.isShown) await this.refresh();
    return result;
  }
}
