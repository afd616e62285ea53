import { CHANGING_WORDS } from "./changing-words.ts";
import { DECEIVING_WORDS } from "./deceiving-words.ts";
import { OUTGOING_WORDS } from "./outgoing-words.ts";

/**
 * What a sentence speaks of, in the words of the languages that skills are written in. Data: alternatives stand between bars, `*` is the rest of
 * a word, ` … ` a few words of the same sentence. Words of scripts without spaces are found anywhere.
 */
export const ACT_WORDS = { ...OUTGOING_WORDS, ...DECEIVING_WORDS, ...CHANGING_WORDS } as const satisfies {
  readonly [act: string]: readonly string[];
};

export type Act = keyof typeof ACT_WORDS;
