/** A job of the analysis service (`docs/api.md`), and its words for people. */

import { text } from "../language/catalogue";

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly kind: "games" | "positions";
  readonly state: "queued" | "running" | "paused" | "finished" | "failed";
  /** The reason of a job that has failed. */
  readonly reason?: string;
  readonly total: number;
  readonly done: number;
  /** Those of `done` that could not be analysed. */
  readonly failed: number;
  readonly seconds_left?: number;
  readonly created: string;
  readonly expires?: string;
}

/** A job that this browser has posted, and that the server does not have any more. */
export interface LostJob {
  readonly id: string;
  readonly name: string;
  readonly state: "lost";
}

/** Return whether a job changes by itself. */
export function isActive({ state }: Job | LostJob): boolean {
  return state === "queued" || state === "running";
}

/** Return how many positions or games of a job have a result to look at. */
export function resultCount({ done, failed }: Job): number {
  return done - failed;
}

const ALL = { games: "jobs-all-games", positions: "jobs-all-positions" } as const;
const DONE = { games: "jobs-done-games", positions: "jobs-done-positions" } as const;

/** Describe how far a job is: `Running: 3 of 20 games, about 2 min left`. */
export function describeJob(job: Job): string {
  const { kind, total, done } = job;
  const all = text(ALL[kind], { total });
  const progress = total === 1 ? all : text(DONE[kind], { done, total });
  switch (job.state) {
    case "queued":
      return text("jobs-waiting", { progress });
    case "running":
      return runningText(progress, job.seconds_left);
    case "paused":
      return text("jobs-paused", { progress });
    case "failed":
      return job.reason
        ? text("jobs-stopped", { reason: job.reason })
        : text("jobs-stopped-unknown");
    case "finished":
      return finishedText(all, job);
  }
}

function runningText(progress: string, seconds: number | undefined): string {
  if (seconds === undefined) return text("jobs-running", { progress });
  if (seconds < 60) {
    const left = String(Math.max(1, Math.ceil(seconds)));
    return text("jobs-running-seconds", { progress, left });
  }
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return text("jobs-running-minutes", { progress, left: String(minutes) });
  return text("jobs-running-hours", { progress, left: String(Math.round(minutes / 60)) });
}

function finishedText(all: string, { failed, total }: Job): string {
  if (!failed) return text("jobs-finished", { all });
  if (failed === total) return text("jobs-finished-without-results", { all, total });
  return text("jobs-finished-in-part", { all, failed });
}
