/**
 * The projects of this account, as the window that lists them shows them.
 *
 * While it is shown, the server is asked for the next change of the list, one request after the
 * other; none while the page is hidden.
 */

import { computed, signal } from "@preact/signals";
import { ServiceError } from "../service";
import { type Problem, UNREACHABLE } from "../uci/notice";
import type { ExportBounds, ExportFormat, ProjectClient } from "./client";
import type { OwnProjects, Project, ProjectChange, ProjectRequest } from "./project";
import type { Place } from "./tree";

const PACE = 1000; // ms from one change to the question for the next
const RETRY = 3000; // ms after an error

export class ProjectList {
  /** What the account has and may have; null before the first answer. */
  readonly own = signal<OwnProjects | null>(null);
  /** The newest first; null before the first answer. */
  readonly projects = computed(() => this.own.value?.projects ?? null);
  /** The reason why the list is not the newest, or why the last command was not obeyed. */
  readonly problem = signal<Problem | null>(null);
  /** Whether a command is under way. */
  readonly isBusy = signal(false);

  private isShown = false;
  private isHidden = false;
  private isRefused = false; // the last command
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting = new AbortController();

  constructor(readonly client: Pick<ProjectClient, keyof ProjectClient>) {}

  /** Forget what an account was told: another one may follow. */
  reset(): void {
    this.end();
    this.isRefused = false;
    this.own.value = this.problem.value = null;
    if (this.isShown) void this.refresh();
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

  /** Fetch the list as it is now, and then each change. */
  async refresh(): Promise<void> {
    await this.fetch(null);
  }

  /** Fetch the list, or its next change if a version is known. */
  private async fetch(known: string | null): Promise<void> {
    const { round, signal } = this.end();
    let problem: Problem | null = null;
    try {
      const own = await (known === null
        ? this.client.list()
        : this.client.listChange(known, signal));
      if (round !== this.round) return;
      this.own.value = own;
    } catch (error) {
      if (round !== this.round) return;
      problem = problemIn(error);
    }
    if (problem || !this.isRefused) this.problem.value = problem;
    if (!this.isShown || this.isHidden || (problem && !mayPass(problem))) return;
    const version = problem ? null : (this.own.peek()?.version ?? null);
    this.timer = setTimeout(() => void this.fetch(version), problem ? RETRY : PACE);
  }

  /** End the request that is under way, whose answer would not be shown. */
  private end(): { readonly round: number; readonly signal: AbortSignal } {
    clearTimeout(this.timer);
    this.waiting.abort();
    this.waiting = new AbortController();
    return { round: ++this.round, signal: this.waiting.signal };
  }

  // --- commands: each returns null if the server has refused it, and `problem` says why

  create(request: ProjectRequest): Promise<Project | null> {
    return this.command(() => this.client.create(request));
  }

  edit(id: string, change: ProjectChange): Promise<Project | null> {
    return this.command(() => this.client.edit(id, change));
  }

  merge(id: string, from: string): Promise<Project | null> {
    return this.command(() => this.client.merge(id, from));
  }

  addGame(id: string, pgn: string): Promise<Project | null> {
    return this.command(() => this.client.addGame(id, pgn));
  }

  copy(id: string, place: Place, name: string): Promise<Project | null> {
    return this.command(() => this.client.copy(id, place, name));
  }

  /** Return a tree as a file. */
  export(id: string, format: ExportFormat, bounds: ExportBounds): Promise<Blob | null> {
    return this.command(() => this.client.export(id, format, bounds));
  }

  /** Delete a project; one that is gone already is no problem.  Return whether it is gone. */
  async remove(id: string): Promise<boolean> {
    const done = await this.command(async () => {
      try {
        await this.client.remove(id);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
      return true;
    });
    return done !== null;
  }

  private async command<T>(run: () => Promise<T>): Promise<T | null> {
    this.isBusy.value = true;
    let result: T | null = null;
    try {
      result = await run();
      this.isRefused = false;
      this.problem.value = null;
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

/** Return whether an error says that there is no such project, or no such position. */
export function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** Return the problem that an answer of the server is; other errors are thrown again. */
export function problemIn(error: unknown): Problem {
  if (error instanceof ServiceError) return error.problem;
  throw error;
}

const LASTING: readonly string[] = ["unauthorized", "projects-off"];

/** Return whether the same request may succeed later. */
export function mayPass(problem: Problem): boolean {
  return problem === UNREACHABLE || !LASTING.includes(problem.code);
}
