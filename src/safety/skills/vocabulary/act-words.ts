import { CHANGING_WORDS } from "./changing-words.ts";
import { DECEIVING_WORDS } from "./deceiving-words.ts";
import { OUTGOING_WORDS } from "./outgoing-words.ts";

/**
 * The topics of a sentence, in the languages of skills. Data: bars separate alternatives, `*` is the rest of a word, `
 * … ` a few words of the same sentence. Words of scripts without spaces match anywhere.
 */
export const ACT_WORDS = { ...OUTGOING_WORDS, ...DECEIVING_WORDS, ...CHANGING_WORDS } as const satisfies {
  readonly [act: string]: readonly string[];
};

export type Act = keyof typeof ACT_WORDS;
