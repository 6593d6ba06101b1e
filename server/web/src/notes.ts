/** What is said to who uses the page, for a while. */

import { signal } from "@preact/signals";
import { InputError } from "./game/position";
import { type Problem, problemOf } from "./link/problem";

export interface Toast {
  readonly id: number;
  readonly problem: Problem;
}

const SHOWN = 7000; // ms; errors stay until they are dismissed
const MOST = 3;

export class Notes {
  readonly toasts = signal<readonly Toast[]>([]);
  private count = 0;

  tell(problem: Problem): void {
    const id = ++this.count;
    const others = this.toasts.peek().filter((each) => each.problem.text !== problem.text);
    this.toasts.value = [...others.slice(1 - MOST), { id, problem }];
    if (problem.tone !== "error") setTimeout(() => this.dismiss(id), SHOWN);
  }

  dismiss(id: number): void {
    this.toasts.value = this.toasts.peek().filter((each) => each.id !== id);
  }

  complain(error: unknown): void {
    const text = error instanceof InputError ? error.message : String(error);
    this.tell(problemOf("input", text));
  }

  say(title: string, text = ""): void {
    this.tell({ code: "note", title, text, hint: "", tone: "note" });
  }
}
