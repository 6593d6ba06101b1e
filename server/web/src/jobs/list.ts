/**
 * The analyses of this user on the server.
 *
 * With a token they are those of its account.  Without tokens all visitors of a server are one
 * account, so the list has only what this browser has posted, by ids that it has stored.  The list is
 * fetched again every few seconds while it is shown and something changes by itself.
 */

import { signal } from "@preact/signals";
import { isGone, problemIn, removeIfThere } from "../service";
import { forgetJob, loadJobs, rememberJob, type SavedJob } from "../settings";
import { ShownList } from "../shown_list";
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

export class JobList extends ShownList<readonly (Job | LostJob)[]> {
  /** Whether the server works at jobs. */
  readonly isOffered = signal(false);
  /** The newest first; null before the first answer. */
  readonly jobs = signal<readonly (Job | LostJob)[] | null>(null);
  readonly isPosting = signal(false);

  /** The jobs of this page, for browsers that store nothing. */
  private posted: readonly SavedJob[] = [];
  private isProbed = false;

  constructor(private readonly context: JobListContext) {
    super();
  }

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

  override reset(): void {
    this.isProbed = false;
    super.reset();
  }

  // --- the list

  protected override take(jobs: readonly (Job | LostJob)[] | null): void {
    this.jobs.value = jobs;
  }

  protected override paceAfter(problem: Problem | null): number | null {
    const mayChange = problem ? problem.code !== "unauthorized" : this.jobs.peek()?.some(isActive);
    return mayChange ? REFRESH_INTERVAL : null;
  }

  protected override async request(): Promise<readonly (Job | LostJob)[]> {
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
      await removeIfThere(this.context.client.remove(id));
      this.posted = this.posted.filter((each) => each.id !== id);
      forgetJob(id);
    });
  }

  private remember(job: SavedJob): void {
    this.posted = [job, ...this.posted];
    rememberJob(job);
  }

  /** Return the results of a job as text; null if they cannot be had. */
  results(job: Job): Promise<string | null> {
    return this.command(() => this.context.client.results(job));
  }
}
