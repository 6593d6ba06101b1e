/** The options of the engine as they were chosen: kept for each engine, and told to it. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Settings } from "../settings";
import type { Option } from "../uci/option";
import type { Engine } from "./engine";

export interface ChoicesHome {
  readonly settings: ReadonlySignal<Settings>;
  /** The name of the engine. */
  readonly chosen: ReadonlySignal<string>;
  /** The engine itself; null while there is none. */
  readonly engine: Engine | null;
  change(settings: Partial<Settings>): void;
  /** What was found counts no more. */
  forget(): void;
}

// What the page sets by itself, as the position and the view want it; and what would leave it
// without anything to show.
export const OURS: ReadonlySet<string> = new Set([
  "MultiPV",
  "UCI_Chess960",
  "UCI_AnalyseMode",
  "UCI_ShowWDL",
  "Ponder",
  "Minimal",
]);
const HARMLESS = new Set(["Threads", "Hash"]); // they do not change what is found

export class Choices {
  /** What the engine has said that it has. */
  readonly options = signal<readonly Option[]>([]);

  constructor(private readonly home: ChoicesHome) {}

  set(name: string, value: string): void {
    this.keep({ ...this.own(this.home.settings.peek()), [name]: value });
    if (!HARMLESS.has(name)) this.home.forget();
    this.home.engine?.set(name, value);
  }

  press(name: string): void {
    this.home.engine?.press(name);
  }

  value(option: Option): string {
    const own = this.own(this.home.settings.value);
    if (own && Object.hasOwn(own, option.name)) return own[option.name] ?? "";
    return this.home.engine?.value(option.name) ?? option.initial;
  }

  /** Have them all as the engine has them by itself, but for those that are the page's. */
  reset(): void {
    this.home.forget();
    for (const { name, initial } of this.options.peek()) {
      if (!OURS.has(name)) this.home.engine?.set(name, initial);
    }
    this.keep({});
  }

  private own({ options }: Settings): Readonly<Record<string, string>> | undefined {
    return options[this.home.chosen.value];
  }

  private keep(own: Readonly<Record<string, string>>): void {
    const { options } = this.home.settings.peek();
    this.home.change({ options: { ...options, [this.home.chosen.peek()]: own } });
  }
}
