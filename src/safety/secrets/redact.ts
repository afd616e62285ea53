import type { KnownMask } from "./known-values.ts";
import { commandSpans } from "./command-passwords.ts";
import { keyBlockSpans } from "./key-blocks.ts";
import { namedSpans } from "./named-values.ts";
import { Page } from "./page.ts";
import { applySpans, joinSpans, PIECE, runSteps, type Span, type Steps } from "./spans.ts";
import { escapedLiterals, outerSpans, type Literal } from "./string-literals.ts";
import { tokenSpans } from "./token-runs.ts";
import { urlSpans } from "./url-passwords.ts";

/** Masks the secrets of a text. To mask a value, use `maskValue` before you make JSON of it. */
export interface Redactor {
  (text: string): string;
  /** As a call of this function, but yields in between, for long texts. */
  readonly steps: (text: string) => Steps<string>;
}

/**
 * Masks secrets in text on its way to a model, a log or a file: every known value (also reversed, base64, URL, JSON and
 * hex forms), the values of secret names, and whatever looks like a key. Known values vanish wholly; others keep their
 * first six and last four characters. Only characters of the secret change.
 */
export function createRedactor(known: KnownMask): Redactor {
  const steps: Redactor["steps"] = function* (text) {
    if (mayShow(text)) return known(text);
    const plain = yield* known.steps(text);
    return yield* applySpans(plain, yield* shapeSpans(plain, 0));
  };
  return Object.assign((text: string) => (mayShow(text) ? known(text) : runSteps(steps(text))), { steps });
}

/** A short text without any sign of a secret, as most texts of a result are. */
const mayShow = (text: string): boolean => text.length <= SHORT && !SIGN.test(text);

const SHORT = 200;
/** A separator, a name, what tokens are made of, or letters of another script. */
const SIGN =
  /[=:+|(>@"'`\-\u0080-\uffff]|\w{16}|eyJ|key|token|secret|pass|pwd|cred|auth|cookie|_pat|identified|kennwort|senha/i;

/** For `security.redact_secrets: false`. */
// oxlint-disable-next-line require-yield -- never pauses
export const NO_MASKING: Redactor = Object.assign((text: string) => text, {
  *steps(text: string): Steps<string> {
    return text;
  },
});

/** JSON in a JSON string in a line of JSON, and once more. */
const MAX_DEPTH = 4;

/** Everything in a text that looks like a secret, also inside quoted texts with escapes. */
export function* shapeSpans(text: string, depth: number): Steps<readonly Span[]> {
  const found: Span[] = [];
  const literals = depth < MAX_DEPTH && MAY_HAVE_LITERALS.test(text) ? yield* escapedLiterals(text) : NONE;
  let done = 0;
  for (const literal of literals) {
    if (literal.end - done > PIECE) {
      yield;
      done = literal.end;
    }
    if (literal.text.length < SHORTEST) continue;
    const inner = yield* shapeSpans(literal.text, depth + 1);
    if (inner.length > 0) found.push(...(yield* outerSpans(text, literal, inner)));
  }
  const page = new Page(text, literals);
  if (text.includes("-----BEGIN ")) yield* keyBlockSpans(text, found);
  yield* tokenSpans(page.text, found);
  if (page.text.includes("://")) yield* urlSpans(page.text, found);
  yield* namedSpans(page, found);
  yield* commandSpans(page.text, found);
  if (page.text.includes("+")) phoneSpans(page.text, found);
  return joinSpans(found);
}

const MAY_HAVE_LITERALS = /\\|["'] ?: ?["']/;
/** No name with a value is shorter. */
const SHORTEST = 10;
const NONE: readonly Literal[] = [];
const PHONE = /(?<![\w+./:-])\+[1-9]\d{9,14}(?!\d)/y;

function phoneSpans(text: string, found: Span[]): void {
  for (let at = text.indexOf("+"); at !== -1; at = text.indexOf("+", at + 1)) {
    PHONE.lastIndex = at;
    const number = PHONE.exec(text)?.[0];
    if (number !== undefined)
      found.push({ start: at, end: at + number.length, mask: `${number.slice(0, 3)}***${number.slice(-2)}` });
  }
}
