/**
 * The texts of the page in the language that is spoken, by Project Fluent (projectfluent.org).
 *
 * Each language has a folder with two files: `page.ftl` with what a first visit shows first, and
 * `later.ftl` with the rest.  No other language is loaded: each has all texts.  A view that draws a
 * text which is not there yet has it loaded, and is drawn again; what keeps a text waits for it
 * (`whenComplete`).
 */

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { FALLBACK, type Language } from "./languages";

type Files = Readonly<Record<string, () => Promise<string>>>;

const PAGE: Files = import.meta.glob<string>("./*/page.ftl", { query: "?raw", import: "default" });
const LATER: Files = import.meta.glob<string>("./*/later.ftl", {
  query: "?raw",
  import: "default",
});

/** The texts of a language, as far as they are loaded. */
class Texts {
  readonly bundle: FluentBundle;
  /** Whether the rest is loaded, too. */
  readonly isComplete = signal(false);
  private readonly loads = new Map<Files, Promise<void>>();

  constructor(readonly language: Language) {
    // Marks around what is inserted would be in names that people copy.
    this.bundle = new FluentBundle(language, { useIsolating: false });
  }

  /** Load one of the two files, once. */
  load(files: Files): Promise<void> {
    const load = this.loads.get(files) ?? this.read(files);
    this.loads.set(files, load);
    return load;
  }

  private async read(files: Files): Promise<void> {
    const [, find] =
      Object.entries(files).find(([path]) => path.includes(`/${this.language}/`)) ?? [];
    try {
      if (find) this.bundle.addResource(new FluentResource(await find()));
      if (files === LATER) this.isComplete.value = true;
    } catch (error) {
      this.loads.delete(files); // The next one who needs it tries again.
      throw error;
    }
  }
}

const known = new Map<Language, Texts>();
const spoken = signal(textsOf(FALLBACK));
let wanted: Language = FALLBACK;
let isLater = false; // what is loaded later is needed

/** The tag of the language that is spoken: what is shown is drawn anew when it changes. */
export const language: ReadonlySignal<string> = computed(() => spoken.value.language);

/** Speak a language from when the promise ends, unless another one is wanted by then. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const texts = textsOf(language);
  await texts.load(PAGE);
  if (isLater) await texts.load(LATER);
  if (wanted === language) spoken.value = texts;
}

/** Load the texts of what is loaded later, in the language that is spoken. */
export function loadLater(): Promise<void> {
  isLater = true;
  return spoken.peek().load(LATER);
}

/** Do something as soon as all texts are there, or cannot be had. */
export function whenComplete(action: () => void): void {
  if (spoken.peek().isComplete.peek()) action();
  else loadLater().then(action, action);
}

/** Return the tag of the language that is spoken, for numbers and dates. */
export function languageTag(): string {
  return spoken.peek().language;
}

/**
 * Return a text, which is empty until it is there; numbers are written as the language writes them.
 *
 * No signal is read where the text is there: a view that reads one is only drawn again when that
 * changes or a property does, and a move of the game changes within.
 */
export function text(id: string, variables?: Readonly<Record<string, FluentVariable>>): string {
  return textIfAny(id, variables) ?? (spoken.peek().isComplete.peek() ? id : "");
}

/** Return a text as `text` does; undefined if there is none. */
export function textIfAny(
  id: string,
  variables?: Readonly<Record<string, FluentVariable>>,
): string | undefined {
  const { bundle, isComplete } = spoken.peek();
  const pattern = bundle.getMessage(id)?.value;
  if (pattern) return bundle.formatPattern(pattern, variables, []);
  if (!isComplete.value) loadLater().catch(() => {}); // The next one who draws it tries again.
  return undefined;
}

/** Return a list: `a, b and c`. */
export function listText(parts: readonly string[]): string {
  return new Intl.ListFormat(dateLanguage(), { type: "conjunction" }).format(parts);
}

/** Return the language of dates and lists; English ones have the day first, and one comma less. */
export function dateLanguage(): string {
  const tag = languageTag();
  return tag === FALLBACK ? "en-GB" : tag;
}

function textsOf(language: Language): Texts {
  const texts = known.get(language) ?? new Texts(language);
  known.set(language, texts);
  return texts;
}
