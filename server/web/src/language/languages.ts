/** The languages that the page speaks, without their texts: the first script chooses one. */

/** The languages, by their own names. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ru: "Русский",
} as const;

export type Language = keyof typeof LANGUAGES;

export const FALLBACK = "en"; // for those who prefer others

/** Return the best language for somebody who prefers some, the best one first. */
export function languageFor(preferred: readonly string[]): Language {
  const languages = preferred.map((tag) => tag.split("-", 1)[0] ?? "");
  return languages.find((each): each is Language => Object.hasOwn(LANGUAGES, each)) ?? FALLBACK;
}

/** Return the language that the settings name, which may be that of the browser. */
export function chosenLanguage(setting: string): Language {
  return languageFor(setting === "browser" ? navigator.languages : [setting]);
}
