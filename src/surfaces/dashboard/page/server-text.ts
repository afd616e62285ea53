import { language } from "./text.ts";

/** Translates a text of the server: an error, a hint, a state. An unknown one stays English. */
export function sayServer(english: string): string {
  return language() === "zh-Hans" ? (translate?.(english) ?? english) : english;
}

let translate: ((english: string) => string | undefined) | undefined;

/** Loads the Chinese messages, which most users never need. */
export async function loadServerTexts(): Promise<void> {
  if (language() === "zh-Hans") ({ translated: translate } = await import("./chinese/messages.ts"));
}
