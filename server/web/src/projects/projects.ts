/** The projects of this page: those of the account, and the one that is beside the board. */

import { effect, untracked } from "@preact/signals";
import type { App } from "../app";
import { loadLater } from "../language/catalogue";
import { ProjectClient } from "./client";
import { mayPass, ProjectList } from "./list";

export class Projects {
  readonly client = new ProjectClient(() => this.app.account.token.peek());
  readonly list = new ProjectList(this.client);
  private isProbed = false;

  constructor(private readonly app: App) {
    effect(() => {
      void app.account.token.value;
      untracked(() => this.reset());
    });
    document.addEventListener("visibilitychange", () => this.list.setHidden(document.hidden));
  }

  /** Ask the server whether it keeps projects for this user, unless that is known. */
  async probe(): Promise<void> {
    if (this.isProbed || !this.app.account.isAdmitted.peek()) return;
    await Promise.all([this.list.refresh(), loadLater()]);
    const problem = this.list.problem.peek();
    this.isProbed = problem === null || !mayPass(problem);
    this.app.keepsProjects.value = problem === null;
  }

  /** Forget what an account was told: another one may follow. */
  private reset(): void {
    this.isProbed = this.app.keepsProjects.value = false;
    this.list.reset();
  }

  // --- the project beside the board

  /** Show a project beside the board. */
  open(id: string): void {
    this.app.project.value = id;
    this.app.study.saveNow(); // The address names it.
  }

  /** Show no project. */
  close(): void {
    this.app.project.value = null;
    this.app.study.saveNow();
  }
}

/** Return the projects of a page; they are made when something asks for them. */
export function projectsOf(app: App): Projects {
  app.projects ??= new Projects(app);
  return app.projects;
}
