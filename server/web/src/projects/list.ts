/**
 * The projects of this account, as the window that lists them shows them.
 *
 * While it is shown, the server is asked for the next change of the list, one request after the
 * other; none while the page is hidden.
 */

import { computed, signal } from "@preact/signals";
import { removeIfThere } from "../service";
import { ShownList } from "../shown_list";
import { type Problem, UNREACHABLE } from "../uci/notice";
import type { ExportBounds, ExportFormat, ProjectClient } from "./client";
import type { OwnProjects, Project, ProjectChange, ProjectRequest } from "./project";
import type { Place } from "./tree";

const PACE = 1000; // ms from one change to the question for the next
const RETRY = 3000; // ms after an error

export class ProjectList extends ShownList<OwnProjects> {
  /** What the account has and may have; null before the first answer. */
  readonly own = signal<OwnProjects | null>(null);
  /** The newest first; null before the first answer. */
  readonly projects = computed(() => this.own.value?.projects ?? null);
  constructor(readonly client: Pick<ProjectClient, keyof ProjectClient>) {
    super();
  }

  override reset(): void {
    super.reset();
    if (this.isShown) void this.refresh();
  }

  protected override request(isChange: boolean, ended: AbortSignal): Promise<OwnProjects> {
    const known = this.own.peek();
    return isChange && known ? this.client.listChange(known.version, ended) : this.client.list();
  }

  protected override take(own: OwnProjects | null): void {
    this.own.value = own;
  }

  protected override paceAfter(problem: Problem | null): number | null {
    if (problem && !mayPass(problem)) return null;
    return problem ? RETRY : PACE;
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
      await removeIfThere(this.client.remove(id));
      return true;
    });
    return done !== null;
  }
}

const LASTING: readonly string[] = ["unauthorized", "projects-off"];

/** Return whether the same request may succeed later. */
export function mayPass(problem: Problem): boolean {
  return problem === UNREACHABLE || !LASTING.includes(problem.code);
}
