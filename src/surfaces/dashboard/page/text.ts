import { CHINESE } from "./chinese.ts";

/** Languages of the page. */
export const LANGUAGES = [
  ["en", "English"],
  ["zh-Hans", "简体中文"],
] as const;

const RETAINED = "hermes-language";

export function language(): string {
  const saved = localStorage.getItem(RETAINED);
  if (LANGUAGES.some(([code]) => code === saved)) return saved!;
  return /^zh\b(?!-(TW|HK|Hant))/.test(navigator.language) ? "zh-Hans" : "en";
}

export function chooseLanguage(code: string): void {
  localStorage.setItem(RETAINED, code);
}

/** Translates a text into the user's language; the arguments replace `{}`. */
export function say(english: string, ...about: readonly (string | number)[]): string {
  let at = 0;
  return ((language() === "zh-Hans" ? CHINESE[english] : undefined) ?? english).replaceAll("{}", () =>
    String(about[at++] ?? ""),
  );
}
