/**
 * The analyses of this user on the server.
 *
 * With a token they are those of its account.  Without tokens all visitors of a server are one
 * account, so the list has only what this browser has posted, by ids that it has stored.  The list is
 * fetched again every few seconds while it is shown and something changes by itself.
 */

import { signal } from "@preact/signals";
import { ServiceError } from "../service";
import { forgetJob, loadJobs, rememberJob, type SavedJob } from "../settings";
import { type Problem, UNREACHABLE } from "../uci/notice";
import type { JobClient } from "./client";
import { isActive, type Job, type LostJob } from "./job";
import type { Order } from "./order";

interface JobListContext {
  readonly client: Pick<JobClient, keyof JobClient>;
  /** Return whether the server knows users by tokens. */
  hasAccounts(): boolean;
  /** Return whether the server would answer this user. */
  isAdmitted(): boolean;
}

const REFRESH_INTERVAL = 3000; // ms

export class JobList {
  /** Whether the server works at jobs. */
  readonly isOffered = signal(false);
  /** The newest first; null before the first answer. */
  readonly jobs = signal<readonly (Job | LostJob)[] | null>(null);
  /** The reason why the list is not the newest, or why the last command was not obeyed. */
  readonly problem = signal<Problem | null>(null);
  readonly isPosting = signal(false);

  /** The jobs of this page, for browsers that store nothing. */
  private posted: readonly SavedJob[] = [];
  private isProbed = false;
  private isShown = false;
  private isHidden = false;
  private isRefused = false; // the last command
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: JobListContext) {}

  /** Ask the server whether it works at jobs, unless it was asked before. */
  async probe(): Promise<void> {
    if (this.isProbed || !this.context.isAdmitted()) return;
    this.isProbed = true;
    try {
      await this.context.client.list();
      this.isOffered.value = true;
    } catch (error) {
      this.isOffered.value = false;
      this.isProbed = problemIn(error) !== UNREACHABLE;
    }
  }

  /** Forget what an account was told: another one may follow. */
  reset(): void {
    this.round++;
    this.isProbed = this.isRefused = false;
    this.jobs.value = this.problem.value = null;
  }

  // --- the list

  show(): void {
    this.isShown = true;
    this.isRefused = false;
    void this.refresh();
  }

  hide(): void {
    this.isShown = false;
    this.round++;
    clearTimeout(this.timer);
  }

  /** React to the page having been hidden, or having come back. */
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (!isHidden && this.isShown) void this.refresh();
  }

  /** Fetch the list, and again after a while. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const round = ++this.round;
    let problem: Problem | null = null;
    try {
      const jobs = await this.fetchJobs();
      if (round !== this.round) return;
      this.jobs.value = jobs;
    } catch (error) {
      if (round !== this.round) return;
      problem = problemIn(error);
    }
    if (problem || !this.isRefused) this.problem.value = problem;
    const mayChange = problem ? problem.code !== "unauthorized" : this.jobs.peek()?.some(isActive);
    if (mayChange && this.isShown && !this.isHidden) {
      this.timer = setTimeout(() => void this.refresh(), REFRESH_INTERVAL);
    }
  }

  private async fetchJobs(): Promise<readonly (Job | LostJob)[]> {
    const { client } = this.context;
    if (this.context.hasAccounts()) return await client.list();
    const stored = loadJobs();
    const unstored = this.posted.filter(({ id }) => !stored.some((each) => each.id === id));
    return await Promise.all(
      [...unstored, ...stored].map(async ({ id, name }) => {
        try {
          return await client.job(id);
        } catch (error) {
          if (!isGone(error)) throw error;
          return { id, name, state: "lost" as const };
        }
      }),
    );
  }

  // --- commands

  /** Post games; return the problem, or null. */
  async post(order: Order): Promise<Problem | null> {
    this.isPosting.value = true;
    try {
      const job = await this.context.client.create(order);
      if (!this.context.hasAccounts()) this.remember({ id: job.id, name: order.name });
      return null;
    } catch (error) {
      return problemIn(error);
    } finally {
      this.isPosting.value = false;
    }
  }

  async pause(id: string): Promise<void> {
    await this.command(() => this.context.client.pause(id));
  }

  async resume(id: string): Promise<void> {
    await this.command(() => this.context.client.resume(id));
  }

  /** Delete a job with its results; one that is gone already is forgotten. */
  async remove(id: string): Promise<void> {
    await this.command(async () => {
      try {
        await this.context.client.remove(id);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
      this.posted = this.posted.filter((each) => each.id !== id);
      forgetJob(id);
    });
  }

  private remember(job: SavedJob): void {
    this.posted = [job, ...this.posted];
    rememberJob(job);
  }

  /** Return the results of a job as text; null if they cannot be had. */
  async results(job: Job): Promise<string | null> {
    let text: string | null = null;
    await this.command(async () => {
      text = await this.context.client.results(job);
    });
    return text;
  }

  private async command(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.isRefused = false;
    } catch (error) {
      this.isRefused = true;
      this.problem.value = problemIn(error);
    }
    if (this.isShown) await this.refresh();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

function problemIn(error: unknown): Problem {
  if (error instanceof ServiceError) return error.problem;
  throw error;
}
