import type { ParameterExpansionPart } from "unbash";
import { isSecretName } from "../secret-names.ts";
import type { Expander } from "./expand.ts";
import type { Value } from "./fields.ts";
import { COMPUTED, DECODED, isKnown, MANY, REMOTE, SECRET, UNKNOWN } from "./marks.ts";
import { removePattern, replacePattern } from "./patterns.ts";
import type { ShellState } from "./state.ts";

/** `$x`, `$1`, `$@`. */
export function lookup(name: string, state: ShellState): Value {
  if (name === "@" || name === "*") return state.positional ?? [UNKNOWN + MANY];
  // Some process of this very shell: a number, whichever.
  if (name === "!" || name === "$" || name === "BASHPID" || name === "PPID") return "99999";
  if (name === "#") return state.positional ? String(state.positional.length) : UNKNOWN;
  if (name === "0") return state.variables.get("0") ?? "bash";
  if (/^[1-9]\d*$/.test(name)) return state.positional ? (state.positional[Number(name) - 1] ?? "") : UNKNOWN;
  const value = state.variables.get(name);
  if (value === undefined) return isSecretName(name) ? SECRET : UNKNOWN;
  return typeof value === "string" ? value : (value[0] ?? "");
}

/** `${x}`, `${x:-y}`, `${x#p}` and all the others. */
export function expandParameter(part: ParameterExpansionPart, state: ShellState, by: Expander): Value {
  const name = part.parameter;
  let value: Value = lookup(name, state);
  let set = (state.variables.has(name) && !isUnset(state.variables.get(name))) || (/^[@*0-9]/.test(name) && state.positional !== undefined);
  if (part.index) {
    const stored = state.variables.get(name);
    const index = by.text(part.index, state);
    if (Array.isArray(stored)) {
      if (index === "@" || index === "*") value = stored;
      else value = /^-?\d+$/.test(index) ? (stored.at(Number(index)) ?? "") : UNKNOWN;
    } else if (index !== "@" && index !== "*" && index !== "0" && stored !== undefined) value = UNKNOWN;
  }
  if (part.prefix === "#") return typeof value === "string" ? (isKnown(value) ? String(value.length) : UNKNOWN) : String(value.length);
  if (part.prefix === "!") {
    if (part.operation?.type === "Names") return UNKNOWN + MANY;
    if (Array.isArray(value) || part.index) return UNKNOWN + MANY;
    const target = String(value);
    value = isKnown(target) && /^\w+$/.test(target) ? lookup(target, state) : target.includes(COMPUTED) ? SECRET : COMPUTED;
    set = true;
  }
  const operation = part.operation;
  if (!operation) return value;
  const each = (change: (text: string) => string): Value =>
    typeof value === "string"
      ? isKnown(value)
        ? change(charged(value, state))
        : keepMark(value)
      : value.map((item) => (isKnown(item) ? change(charged(item, state)) : item));
  switch (operation.type) {
    case "Default": {
      const operand = by.text(operation.operand, state);
      const empty = set && value === "";
      const missing = !set || (operation.operator.startsWith(":") && empty);
      if (operation.operator.endsWith("+")) return missing && state.variables.has(name) ? "" : operand;
      if (operation.operator.endsWith("?")) return value;
      if (missing && operation.operator.endsWith("=")) state.variables.set(name, operand);
      return missing ? operand : value;
    }
    case "Remove": {
      const pattern = by.text(operation.operand, state);
      if (!isKnown(pattern)) return UNKNOWN;
      return each((text) => removePattern(text, pattern, operation.operator, state.budget) ?? UNKNOWN);
    }
    case "Replace": {
      const pattern = by.text(operation.pattern, state);
      const replacement = by.text(operation.replacement, state);
      if (!isKnown(pattern) || !isKnown(replacement)) return UNKNOWN;
      return each((text) => replacePattern(text, pattern, replacement, operation.operator, state.budget) ?? UNKNOWN);
    }
    case "Slice": {
      const offset = Number(by.text(operation.offset, state));
      const length = operation.length && Number(by.text(operation.length, state));
      if (name === "PATH" && offset === 0 && length === 1) return "/";
      if (Number.isNaN(offset) || Number.isNaN(length)) return COMPUTED;
      if (Array.isArray(value)) return value.slice(offset, length === undefined ? undefined : offset + length);
      return isKnown(String(value)) ? slice(String(value), offset, length) : String(value).includes(SECRET) ? SECRET : COMPUTED;
    }
    case "CaseModification": {
      if (operation.operand) by.text(operation.operand, state);
      const upper = operation.operator.startsWith("^");
      const all = operation.operator.length === 2;
      return each((text) => (all ? cased(text, upper) : cased(text.slice(0, 1), upper) + text.slice(1)));
    }
    case "Transform":
      // `@P` expands the value once more, commands and all.
      if (part.text.endsWith("@P}")) by.rerun(typeof value === "string" ? value : COMPUTED, state);
      return COMPUTED;
    default:
      by.sweep(operation, state);
      return COMPUTED;
  }
}

function keepMark(value: string): string {
  return value.includes(REMOTE)
    ? REMOTE
    : value.includes(DECODED)
      ? DECODED
      : value.includes(SECRET)
        ? SECRET
        : value.includes(COMPUTED)
          ? COMPUTED
          : UNKNOWN;
}

const isUnset = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;

const cased = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text.toLowerCase());

function slice(text: string, offset: number, length: number | undefined): string {
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  if (length === undefined) return text.slice(start);
  return length < 0 ? text.slice(start, text.length + length) : text.slice(start, start + length);
}

function charged(text: string, state: ShellState): string {
  state.budget.spend(0.2 + text.length / 100);
  return text;
}
