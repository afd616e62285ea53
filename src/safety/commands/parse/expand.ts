import type { Word, WordPart } from "unbash";
import { arithmetic } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import { substituted } from "../risk/effect.ts";
import type { Expander } from "./expander.ts";
import { addValue, Fields } from "./fields.ts";
import { BRACKET, isKnown, MANY, QUESTION, STAR, UNKNOWN } from "./marks.ts";
import { expandParameter, lookup } from "./parameter.ts";
import type { ShellState, Value } from "./state.ts";

/** The fields a word becomes: none, one or several. */
export function expandWord(word: Word, state: ShellState, by: Expander): readonly string[] {
  const parts = word.parts;
  if (!parts) return [tilde(word.text, word.value, state, by)];
  if (parts.some((part) => part.type === "BraceExpansion")) {
    const texts = expandBraces(word.text, state.budget);
    if (!texts) {
      by.overflow();
      return [UNKNOWN + MANY];
    }
    if (texts.length > 1 || texts[0] !== word.text) {
      return texts.flatMap((text) => {
        if (text === "") return [];
        const inner = by.parseWord(text, state);
        return inner ? expandWord(inner, state, by) : [UNKNOWN];
      });
    }
  }
  const fields = new Fields(state);
  parts.forEach((part, index) => {
    if (index === 0 && part.type === "Literal") fields.quoted(tilde(part.text, part.value, state, by), true);
    else addPart(part, fields, state, by, false);
  });
  return fields.finish();
}

/** One string, without splitting: assignments, redirection targets, here-documents, `[[ … ]]`. */
export function expandText(word: Word, state: ShellState, by: Expander): string {
  if (!word.parts) return tilde(word.text, word.value, state, by);
  return expandParts(word.parts, state, by);
}

export function expandParts(parts: readonly WordPart[], state: ShellState, by: Expander): string {
  const fields = new Fields(state);
  parts.forEach((part, index) => {
    if (index === 0 && part.type === "Literal") fields.quoted(tilde(part.text, part.value, state, by), true);
    else if (part.type === "Glob") fields.quoted(part.text, true);
    else if (part.type === "BraceExpansion") fields.quoted(part.text, true);
    else addPart(part, fields, state, by, true);
  });
  return fields.finish().join(" ");
}

function addPart(part: WordPart, fields: Fields, state: ShellState, by: Expander, quoted: boolean): void {
  // The content is parsed on expansion, again at every level.
  if (part.type !== "Literal" && part.type !== "SingleQuoted") state.budget.spend(part.text.length / 5);
  switch (part.type) {
    case "Literal":
      fields.quoted(part.value, !quoted);
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      fields.quoted(part.value);
      return;
    case "DoubleQuoted":
    case "LocaleString":
      fields.quoted("");
      for (const child of part.parts) addPart(child, fields, state, by, true);
      return;
    case "Glob":
      if (part.kind === "bracket") {
        for (const child of part.parts) by.sweep(child, state);
        // The address of a host, not a pattern that any file name would match.
        if (/^\[[0-9a-f.]*:[0-9a-f:.]*\]$/i.test(part.text)) {
          fields.quoted(part.text);
          return;
        }
      }
      fields.quoted(part.kind === "star" ? STAR : part.kind === "question" ? QUESTION : BRACKET);
      return;
    case "ExtendedGlob":
      for (const child of part.parts ?? []) by.sweep(child, state);
      fields.quoted(STAR);
      return;
    case "BraceExpansion":
      fields.quoted(part.text);
      return;
    case "SimpleExpansion":
      addValue(
        quoted && part.text === "$*" ? oneWord(lookup("*", state), state) : lookup(part.text.slice(1), state),
        fields,
        quoted,
      );
      return;
    case "ParameterExpansion": {
      const value = expandParameter(part, state, by);
      addValue(
        quoted && (part.parameter === "*" || part.index?.text === "*") ? oneWord(value, state) : value,
        fields,
        quoted,
      );
      return;
    }
    case "CommandExpansion":
      addValue(substituted(by.capture(part.script, state)), fields, quoted);
      return;
    case "ArithmeticExpansion": {
      const value = part.expression && arithmetic(part.expression, state, by);
      fields.quoted(value === undefined ? UNKNOWN : String(value));
      return;
    }
    case "ProcessSubstitution":
      fields.quoted(by.process(part, state));
  }
}

/** `"$*"`: what it stands for is one word, with the first letter of IFS between. */
function oneWord(value: Value, state: ShellState): Value {
  if (typeof value === "string") return value;
  const between = state.variables.get("IFS");
  const letter =
    between === undefined ? " " : typeof between === "string" && isKnown(between) ? between.slice(0, 1) : UNKNOWN;
  return value.map((item) => item.replaceAll(MANY, "")).join(letter);
}

function tilde(source: string, value: string, state: ShellState, by: Expander): string {
  if (source.startsWith("~")) return expandTilde(value, state, by);
  const equals = source.indexOf("=~");
  if (equals > 0 && /^[\w-]+$/.test(source.slice(0, equals)))
    return value.slice(0, equals + 1) + expandTilde(value.slice(equals + 1), state, by);
  return value;
}

function expandTilde(value: string, state: ShellState, by: Expander): string {
  const slash = value.indexOf("/");
  const user = slash === -1 ? value.slice(1) : value.slice(1, slash);
  const rest = slash === -1 ? "" : value.slice(slash);
  if (user === "") {
    const home = state.variables.get("HOME");
    return (typeof home === "string" ? home : by.home) + rest;
  }
  if (user === "+") return (state.cwds[0] ?? UNKNOWN) + rest;
  if (user === "-") return UNKNOWN + rest;
  if (user === "root") return `/root${rest}`;
  return /^[a-z_][\w.-]*$/i.test(user) ? `${by.home.startsWith("/Users/") ? "/Users" : "/home"}/${user}${rest}` : value;
}
