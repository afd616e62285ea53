import { findAll } from "./exact.ts";
import type { Strategy } from "./span.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\r": "\r" };

/** A wanted text whose line ends and tabs were written as backslash and letter. */
export const escapeNormalized: Strategy = {
  name: "escape_normalized",
  find(text, wanted) {
    const meant = wanted.replace(/\\[ntr]/g, (escape) => ESCAPES[escape]!);
    return meant === wanted ? [] : findAll(text, meant);
  },
};
