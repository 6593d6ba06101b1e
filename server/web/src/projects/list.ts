/**
 * The projects of this account, as the window that lists them shows them.
 *
 * While it is shown and a project grows, the list is fetched again every few seconds: one request at
 * a time, and none while the page is hidden.
 */

import { computed, signal } from "@preact/signals";
import { ServiceError } from "../service";
import { type Problem, UNREACHABLE } from "../uci/notice";
import type { ProjectClient } from "./client";
import {
  isGrowing,
  type OwnProjects,
  type Project,
  type ProjectChange,
  type ProjectRequest,
} from "./project";
import type { Place } from "./tree";

const REFRESH_INTERVAL = 3000; // ms

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

  constructor(readonly client: Pick<ProjectClient, keyof ProjectClient>) {}

  /** Forget what an account was told: another one may follow. */
  reset(): void {
    this.round++;
    clearTimeout(this.timer);
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
    this.round++;
    clearTimeout(this.timer);
  }

  /** React to the page having been hidden, or having come back. */
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    clearTimeout(this.timer);
    if (!isHidden && this.isShown) void this.refresh();
  }

  /** Fetch the list, and again after a while. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const round = ++this.round;
    let problem: Problem | null = null;
    try {
      const own = await this.client.list();
      if (round !== this.round) return;
      this.own.value = own;
    } catch (error) {
      if (round !== this.round) return;
      problem = problemIn(error);
    }
    if (problem || !this.isRefused) this.problem.value = problem;
    const mayChange = problem ? mayPass(problem) : this.projects.peek()?.some(isGrowing);
    if (mayChange && this.isShown && !this.isHidden) {
      this.timer = setTimeout(() => void this.refresh(), REFRESH_INTERVAL);
    }
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

  copy(id: string, place: Place, name: string): Promise<Project | null> {
    return this.command(() => this.client.copy(id, place, name));
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
