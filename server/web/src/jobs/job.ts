/** A job of the analysis service (`docs/api.md`), and its words for people.  Pure. */

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

/** Describe how far a job is: `Running: 3 of 20 games, about 2 min left`. */
export function describeJob(job: Job): string {
  switch (job.state) {
    case "queued":
      return `Waiting for an engine: ${doneText(job)}`;
    case "running":
      return `Running: ${doneText(job)}${leftText(job.seconds_left)}`;
    case "paused":
      return `Paused: ${doneText(job)}`;
    case "failed":
      return `Stopped: ${job.reason || "the server did not say why"}`;
    case "finished":
      return `Finished: ${counted(job.total, job.kind)}${failedText(job)}`;
  }
}

function doneText({ done, total, kind }: Job): string {
  const all = counted(total, kind);
  return total === 1 ? all : `${done} of ${all}`;
}

function failedText({ failed, total }: Job): string {
  if (!failed) return "";
  if (failed === total) return ", which could not be analysed";
  return `, of which ${failed} could not be analysed`;
}

/** Write a number with its noun: `1 game`, `12 positions`. */
function counted(count: number, kind: Job["kind"]): string {
  return `${count} ${count === 1 ? kind.slice(0, -1) : kind}`;
}

function leftText(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 60) return `, about ${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `, about ${minutes} min left`;
  return `, about ${Math.round(minutes / 60)} h left`;
}
