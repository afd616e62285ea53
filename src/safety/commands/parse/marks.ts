/**
 * A word's text as far as the script determines it. These private-use characters mark the parts that only the running
 * shell knows, so that every table works with plain strings. Input that contains such a character is refused
 * beforehand.
 */
export const UNKNOWN = "\uE000";
/** Came over the network. */
export const REMOTE = "\uE001";
/** Came out of a decoder. */
export const DECODED = "\uE002";
/** Printed by a command of the script, content not shown. */
export const COMPUTED = "\uE004";
/** The value of an environment variable that the script does not set and that is named like a secret. */
export const SECRET = "\uE005";
/** Follows COMPUTED: the number of every process that there is. */
const PROCESSES = "\uE007";
export const EVERY_PROCESS = COMPUTED + PROCESSES;
/** A name for another name, which follows it. */
export const REFERENCE = "\uE006";
/** Follows an unknown that stood outside quotes: it may be no word, or several. */
export const MANY = "\uE008";
export const STAR = "\uE010";
export const QUESTION = "\uE011";
/** A bracket pattern such as `[a-z]`. */
export const BRACKET = "\uE012";

const ANY_MARK = /[\uE000-\uE01F]/;
const UNKNOWN_MARK = /[\uE000-\uE00F]/;

export function hasMark(text: string): boolean {
  return ANY_MARK.test(text);
}

export const holdsEveryProcess = (text: string): boolean => text.includes(PROCESSES);

/** Nothing unknown in it; globs allowed. */
export function isKnown(text: string): boolean {
  return !UNKNOWN_MARK.test(text);
}

export function hasGlob(text: string): boolean {
  return text.includes(STAR) || text.includes(QUESTION) || text.includes(BRACKET);
}

/** For people: `…` for what is not known, the pattern characters for globs. */
export function readable(text: string): string {
  if (!hasMark(text)) return text;
  let out = "";
  for (const char of text) {
    if (char === STAR) out += "*";
    else if (char === QUESTION) out += "?";
    else if (char === BRACKET) out += "[…]";
    else if (char === MANY) continue;
    else if (char >= UNKNOWN && char <= "\uE01F") out += "…";
    else out += char;
  }
  return out;
}

/** Pattern characters of a value that is expanded outside quotes become marks. */
export function activateGlobs(text: string): string {
  if (!text.includes("*") && !text.includes("?") && !text.includes("[")) return text;
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "*") out += STAR;
    else if (char === "?") out += QUESTION;
    else if (char === "[") {
      const close = text.indexOf("]", i + 2);
      if (close === -1) out += char;
      else {
        out += BRACKET;
        i = close;
      }
    } else out += char;
  }
  return out;
}

/** Pattern marks become the characters they were written as, where no file name expansion happens. */
export function quietGlobs(text: string): string {
  if (!hasGlob(text)) return text;
  return text.replaceAll(STAR, "*").replaceAll(QUESTION, "?").replaceAll(BRACKET, UNKNOWN);
}

/** Could `text`, with its marks, be `name`? */
export function mayBe(text: string, name: string): boolean {
  let states = new Set([0]);
  for (const char of text) {
    if (char === MANY) continue;
    const next = new Set<number>();
    for (const at of states) {
      if (char === STAR || (char >= UNKNOWN && char < MANY)) for (let to = at; to <= name.length; to++) next.add(to);
      else if (at < name.length && (char === QUESTION || char === BRACKET || char === name[at])) next.add(at + 1);
    }
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(name.length);
}
