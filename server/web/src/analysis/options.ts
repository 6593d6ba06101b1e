/** The options of the engine as the user has chosen them: stored for each engine, and sent to it. */

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation } from "../engine/conversation";
import type { EngineSession } from "../engine/session";
import type { Settings } from "../settings";
import type { Option } from "../uci/option";

// Options that the page sets by itself, and those that would leave it without anything to show.
export const HIDDEN_OPTIONS: ReadonlySet<string> = new Set([
  "MultiPV",
  "UCI_Chess960",
  "UCI_AnalyseMode",
  "UCI_ShowWDL",
  "Ponder",
  "Minimal",
]);
export const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["Threads", "Hash"]); // on what a search finds

export class EngineOptions {
  /** The options that the engine has sent. */
  readonly offered = signal<readonly Option[]>([]);

  /** `onChange`: findings with other values of the options are not comparable any more. */
  constructor(
    private readonly settings: Signal<Settings>,
    private readonly engine: ReadonlySignal<string>,
    private readonly session: () => Pick<EngineSession, "conversation" | "update"> | null,
    private readonly onChange: () => void,
  ) {}

  setValue(name: string, value: string): void {
    this.store({ ...this.chosen, [name]: value });
    if (!WITHOUT_EFFECT.has(name)) this.onChange();
    this.session()?.update((conversation) => conversation.setOption(name, value));
  }

  pressButton(name: string): void {
    this.session()?.update((conversation) => conversation.pressButton(name));
  }

  value(option: Option): string {
    const { chosen } = this;
    if (Object.hasOwn(chosen, option.name)) return chosen[option.name] ?? "";
    return this.session()?.conversation.value(option.name) ?? option.initial;
  }

  /** Set all options to the engine's initial values, except for those that the page sets. */
  reset(): void {
    this.onChange();
    this.session()?.update((conversation: Conversation) => {
      for (const { name, initial } of this.offered.peek()) {
        if (!HIDDEN_OPTIONS.has(name)) conversation.setOption(name, initial);
      }
    });
    this.store({});
  }

  /** Return the values of the user's choice, for options that the engine has. */
  chosenValues(): Readonly<Record<string, string>> {
    const names = new Set(this.offered.peek().map(({ name }) => name));
    const values = Object.entries(this.chosen);
    return Object.fromEntries(
      values.filter(([name]) => names.has(name) && !HIDDEN_OPTIONS.has(name)),
    );
  }

  private get chosen(): Readonly<Record<string, string>> {
    return this.settings.value.options[this.engine.value] ?? {};
  }

  private store(values: Readonly<Record<string, string>>): void {
    const settings = this.settings.peek();
    const options = { ...settings.options, [this.engine.peek()]: values };
    this.settings.value = { ...settings, options };
  }
}
