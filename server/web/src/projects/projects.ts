/** The projects of this page: those of the account, and the one that is beside the board. */

import { effect, untracked } from "@preact/signals";
import type { App } from "../app";
import { loadLater } from "../language/catalogue";
import { ProjectClient } from "./client";
import { requestFor } from "./keeping";
import { mayPass, ProjectList } from "./list";
import { OpenProject } from "./open_project";
import type { ProjectRequest } from "./project";

export class Projects {
  readonly client = new ProjectClient(() => this.app.account.token.peek());
  readonly list = new ProjectList(this.client);
  /** The one beside the board. */
  readonly shown: OpenProject;
  /** Whether the user has just opened a project, and wants to see it. */
  isAwaited = false;
  private isProbed = false;

  constructor(private readonly app: App) {
    const { study, toasts, mayChange, account, project: id } = app;
    const { token, isAdmitted } = account;
    const { client } = this;
    this.shown = new OpenProject({ client, study, toasts, mayChange, id, token, isAdmitted });
    // An address with a position is meant to show that position.
    if (!/\b(?:fen|moves)=/.test(app.landing)) this.shown.goToRootOnce();
    effect(() => {
      void token.value;
      untracked(() => this.reset());
    });
    const setHidden = () => {
      this.list.setHidden(document.hidden);
      this.shown.setHidden(document.hidden);
    };
    document.addEventListener("visibilitychange", setHidden);
    setHidden();
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

  /** Show a project beside the board, and its root on the board. */
  open(id: string): void {
    this.app.project.value = id;
    this.isAwaited = true;
    this.shown.goToRootOnce();
    this.app.study.saveNow(); // The address names it.
  }

  /** Return the request for a project of the analysis on the board. */
  analysed(): ProjectRequest {
    const { study, analysis, openings, settings } = this.app;
    const [tree, node] = [study.tree.peek(), study.node.peek().inGame];
    const { engine } = analysis.main;
    const { options, lines } = settings.peek();
    const opening = openings.openingAt(node)?.name ?? null;
    return requestFor({ tree, node, engine, options: options[engine] ?? {}, lines, opening });
  }

  /** Make a project of the analysis on the board, and show it. */
  async keepAnalysis(): Promise<void> {
    const { toasts } = this.app;
    const project = await this.list.create(this.analysed());
    const problem = this.list.problem.peek();
    if (project) this.open(project.id);
    else if (problem) toasts.addProblem(problem);
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
