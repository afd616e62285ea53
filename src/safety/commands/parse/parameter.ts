import type { ParameterExpansionPart } from "unbash";
import { isSecretName } from "../../secrets/secret-names.ts";
import type { Expander } from "./expander.ts";
import {
  COMPUTED,
  DECODED,
  EVERY_PROCESS,
  holdsEveryProcess,
  isKnown,
  MANY,
  REMOTE,
  SECRET,
  UNKNOWN,
} from "./marks.ts";
import { removePattern, replacePattern } from "./patterns.ts";
import type { ShellState, Value } from "./state.ts";
import { unescape } from "./text-tools.ts";
import { elementOf, keysOf, setVariable, valueOf } from "./variables.ts";

/** `$x`, `$1`, `$@`. */
export function lookup(name: string, state: ShellState): Value {
  if (name === "@" || name === "*") return state.positional ?? [UNKNOWN + MANY];
  // Some process of this very shell: a number, whichever.
  if (name === "!" || name === "$" || name === "BASHPID" || name === "PPID") return "99999";
  if (name === "#") return state.positional ? String(state.positional.length) : UNKNOWN;
  if (name === "0") return state.variables.get("0") ?? "bash";
  if (/^[1-9]\d*$/.test(name)) return state.positional ? (state.positional[Number(name) - 1] ?? "") : UNKNOWN;
  const value = valueOf(name, state);
  if (value === undefined) return isSecretName(name) ? SECRET : UNKNOWN;
  return typeof value === "string" ? value : (value[0] ?? "");
}

/** `${x}`, `${x:-y}`, `${x#p}` and all the others. */
export function expandParameter(part: ParameterExpansionPart, state: ShellState, by: Expander): Value {
  const name = part.parameter;
  let value: Value = lookup(name, state);
  const stored = valueOf(name, state);
  let set = (stored !== undefined && !isUnset(stored)) || (/^[@*0-9]/.test(name) && state.positional !== undefined);
  if (part.index) {
    const index = by.text(part.index, state);
    const found = elementOf(name, index, state) ?? elementOf(name, calculated(index, state, by), state);
    value = found ?? (index === "@" || index === "*" || stored === undefined ? value : UNKNOWN);
    set ||= found !== undefined && found !== "";
  }
  if (part.prefix === "#")
    return typeof value === "string" ? (isKnown(value) ? String(value.length) : UNKNOWN) : String(value.length);
  if (part.prefix === "!") {
    if (part.operation?.type === "Names") return UNKNOWN + MANY;
    if (part.index && /^[@*]$/.test(part.index.text)) return keysOf(name, state) ?? UNKNOWN + MANY;
    if (Array.isArray(value) || part.index) return UNKNOWN + MANY;
    const target = String(value);
    const element = /^(\w+)\[([^\]]*)\]$/.exec(target);
    if (isKnown(target) && (/^\w+$/.test(target) || /^[@*]$/.test(target))) value = lookup(target, state);
    else
      value =
        (element && isKnown(target) ? elementOf(element[1]!, element[2]!, state) : undefined) ??
        (target.includes(COMPUTED) ? SECRET : COMPUTED);
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
      if (missing && operation.operator.endsWith("=")) setVariable(name, operand, state);
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
      const offset = Number(calculated(by.text(operation.offset, state), state, by));
      const length = operation.length && Number(calculated(by.text(operation.length, state), state, by));
      if (name === "PATH" && offset === 0 && length === 1) return "/";
      if (Number.isNaN(offset) || Number.isNaN(length)) return COMPUTED;
      if (typeof value !== "string") return sliceItems(value, offset, length, name, state);
      return isKnown(String(value))
        ? slice(String(value), offset, length)
        : String(value).includes(SECRET)
          ? SECRET
          : COMPUTED;
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
      return transformed(value, part.text.slice(-3, -1));
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
          ? holdsEveryProcess(value)
            ? EVERY_PROCESS
            : COMPUTED
          : UNKNOWN;
}

const isUnset = (value: Value | undefined): boolean => Array.isArray(value) && value.length === 0;

const cased = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text.toLowerCase());

function slice(text: string, offset: number, length: number | undefined): string {
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  if (length === undefined) return text.slice(start);
  return length < 0 ? text.slice(start, text.length + length) : text.slice(start, start + length);
}

/** `${a[i+1]}` */
function calculated(index: string, state: ShellState, by: Expander): string {
  if (/^\s*-?\d*$/.test(index)) return index;
  const word = /^[\w+*/%() -]{1,40}$/.test(index) ? by.parseWord(`$((${index}))`, state) : undefined;
  return word ? by.text(word, state) : UNKNOWN;
}

/** `${@:2}` counts from `$0` on, `${a[@]:2}` from the first item. */
function sliceItems(
  items: readonly string[],
  offset: number,
  length: number | undefined,
  name: string,
  state: ShellState,
): Value {
  const all = name === "@" || name === "*" ? [String(lookup("0", state)), ...items] : items;
  const start = offset < 0 ? Math.max(0, all.length + offset) : offset;
  return all.slice(start, length === undefined ? undefined : start + length);
}

/** `${x@U}` and the others that only change letters. */
function transformed(value: Value, operator: string): Value {
  if (typeof value !== "string" || !isKnown(value)) return COMPUTED;
  if (operator === "@U" || operator === "@L") return cased(value, operator === "@U");
  if (operator === "@u") return cased(value.slice(0, 1), true) + value.slice(1);
  if (operator === "@E") return unescape(value);
  return (operator === "@P" || operator === "@Q") &&
    /^[\w./ -]+$/.test(value) &&
    (operator === "@P" || !/[^\w./-]/.test(value))
    ? value
    : COMPUTED;
}

function charged(text: string, state: ShellState): string {
  state.budget.spend(0.2 + text.length / 100);
  return text;
}
