/** Messages that are shown for a while. */

import { signal } from "@preact/signals";
import { whenComplete } from "./language/catalogue";
import { errorText } from "./language/problems";
import { type Problem, problemOf } from "./uci/notice";

interface Toast {
  readonly id: number;
  readonly problem: Problem;
}

const SHOWN = 7000; // ms; errors stay until they are dismissed
const MOST = 3;

export class Toasts {
  readonly shown = signal<readonly Toast[]>([]);
  private count = 0;

  addProblem(problem: Problem): void {
    const id = ++this.count;
    const others = this.shown.peek().filter((each) => each.problem.text !== problem.text);
    this.shown.value = [...others.slice(1 - MOST), { id, problem }];
    if (problem.tone !== "error") setTimeout(() => this.dismiss(id), SHOWN);
  }

  addError(error: unknown): void {
    whenComplete(() => this.addProblem(problemOf("input", errorText(error))));
  }

  addNote(title: string, text = ""): void {
    this.addProblem({ code: "note", title, text, tone: "note" });
  }

  dismiss(id: number): void {
    this.shown.value = this.shown.peek().filter((each) => each.id !== id);
  }
}
