/**
 * The texts of the page in the languages that it speaks, by Project Fluent (projectfluent.org).
 *
 * Each language has a folder with two files: `page.ftl` with what is shown first, and `later.ftl`
 * with the rest.  A text that a language lacks is English.
 */

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import english from "./en/page.ftl?raw";

/** The languages, by their own names. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ru: "Русский",
} as const;

export type Language = keyof typeof LANGUAGES;
type Files = Readonly<Record<string, () => Promise<string>>>;

const PAGE: Files = import.meta.glob<string>(["./*/page.ftl", "!./en/page.ftl"], {
  query: "?raw",
  import: "default",
});
// The frame, which never loads them, is built without them.
const LATER: Files = import.meta.glob<string>("./*/later.ftl", {
  query: "?raw",
  import: "default",
});
const FALLBACK = "en";

const base = bundleOf(FALLBACK);
const spoken = signal(base);
let wanted: Language = FALLBACK;
let more: Files | null = null; // once they are needed
let loading: Promise<void> | null = null; // of those

add(base, english);

/** The tag of the language that is spoken: what is shown is drawn anew when it changes. */
export const language: ReadonlySignal<string> = computed(() => tagOf(spoken.value));

/** Return the best language for somebody who prefers some, the best one first. */
export function languageFor(preferred: readonly string[]): Language {
  const languages = preferred.map((tag) => tag.split("-", 1)[0] ?? "");
  return languages.find((each): each is Language => Object.hasOwn(LANGUAGES, each)) ?? FALLBACK;
}

/** Speak a language from when the promise ends, unless another one is wanted by then. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const bundle = language === FALLBACK ? base : bundleOf(language);
  if (bundle !== base) await load(bundle, PAGE);
  if (more) await load(bundle, more);
  if (wanted !== language) return;
  spoken.value = bundle;
  document.documentElement.lang = language;
}

/** Load the texts of what is loaded later, in the language that is spoken and in English. */
export function loadLater(): Promise<void> {
  more = LATER;
  loading ??= loadMore(LATER).catch((error) => {
    loading = null; // The next view that needs them tries again.
    throw error;
  });
  return loading;
}

async function loadMore(files: Files): Promise<void> {
  await Promise.all([...new Set([spoken.peek(), base])].map((bundle) => load(bundle, files)));
}

/** Return the tag of the language that is spoken, for numbers and dates. */
export function languageTag(): string {
  return tagOf(spoken.peek());
}

/**
 * Return a text; numbers are written as the language writes them.
 *
 * No signal is read: a view that reads one is only drawn again when that changes or a property
 * does, and a move of the game changes within.
 */
export function text(id: string, variables?: Readonly<Record<string, FluentVariable>>): string {
  return textIfAny(id, variables) ?? id;
}

/** Return a text as `text` does; undefined if there is none. */
export function textIfAny(
  id: string,
  variables?: Readonly<Record<string, FluentVariable>>,
): string | undefined {
  for (const bundle of [spoken.peek(), base]) {
    const pattern = bundle.getMessage(id)?.value;
    if (pattern) return bundle.formatPattern(pattern, variables, []);
  }
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

function tagOf(bundle: FluentBundle): string {
  return bundle.locales[0] ?? FALLBACK;
}

function bundleOf(language: Language): FluentBundle {
  // Marks around what is inserted would be in names that people copy.
  return new FluentBundle(language, { useIsolating: false });
}

async function load(bundle: FluentBundle, files: Files): Promise<void> {
  const [, find] =
    Object.entries(files).find(([path]) => path.startsWith(`./${tagOf(bundle)}/`)) ?? [];
  if (find) add(bundle, await find());
}

function add(bundle: FluentBundle, source: string): void {
  bundle.addResource(new FluentResource(source));
}
