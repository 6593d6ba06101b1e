/** Analyses whole games: on the server, as jobs, or in this tab. */

import { computed } from "@preact/signals";
import type { App } from "../app";
import type { Job } from "./job";
import { orderGame, orderGames } from "./order";

export class Reviewer {
  /** Whether a whole game is analysed on the server, and not in this tab. */
  readonly reviewsOnServer = computed(
    () => this.app.jobs.isOffered.value && this.app.settings.value.reviewPlace !== "tab",
  );

  constructor(private readonly app: App) {}

  /** Analyse the game on the board, on the server or in this tab. */
  analyseGame(): void {
    const isBusy = this.app.analysis.progress.peek() !== null || this.app.jobs.isPosting.peek();
    const hasMoves = this.app.study.tree.peek().root.children.length > 0;
    if (isBusy || !hasMoves || !this.app.room.hasControl.peek()) return;
    if (this.reviewsOnServer.peek()) void this.startJob(false);
    else this.app.analysis.startReview();
  }

  /** Have the server analyse the game on the board, or all games of the file. */
  async startJob(isForAll: boolean): Promise<void> {
    const { study } = this.app;
    const order = {
      engine: this.app.chosen.peek(),
      movetime: this.app.settings.peek().reviewMs,
      options: this.app.analysis.main.options.chosenValues(),
    };
    const games = study.games.peek();
    const problem = await this.app.jobs.post(
      isForAll ? orderGames(games, order) : orderGame(study.tree.peek(), order),
    );
    if (problem) this.app.toasts.addProblem(problem);
    else this.app.openDialog("jobs");
  }

  /** Open the games of a job that are analysed; if there are several, list them. */
  async openJob(job: Job): Promise<void> {
    const pgn = await this.app.jobs.results(job);
    const { opener } = this.app;
    if (pgn === null || !opener.mayOpen() || !(await opener.openText(pgn))) return;
    this.app.dialog.value = this.app.study.games.peek().length > 1 ? "import" : null;
  }
}
