import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import { isSecretName } from "../secret-names.ts";
import { expandBraces } from "./braces.ts";
import type { Flow } from "./effect.ts";
import { activateGlobs, BRACKET, COMPUTED, DECODED, hasMark, isKnown, MANY, QUESTION, REMOTE, SECRET, STAR, UNKNOWN } from "./marks.ts";
import type { ShellState } from "./state.ts";

/** What expansion needs from whoever walks the script. */
export interface Expander {
  readonly home: string;
  /** Runs a substitution in a subshell of `state` and returns its output. */
  capture(script: ParsedScript | undefined, state: ShellState): Flow;
  /** A `<(…)` or `>(…)`: the path that stands for it. */
  process(part: WordPart & { type: "ProcessSubstitution" }, state: ShellState): string;
  /** Looks for commands in a part of the tree that expansion does not read. */
  sweep(node: SyntaxNode, state: ShellState): void;
  parseWord(text: string): Word | undefined;
  /** More than the analysis is willing to follow. */
  overflow(): void;
}

/** The fields a word becomes: none, one or several. */
export function expandWord(word: Word, state: ShellState, by: Expander): readonly string[] {
  const parts = word.parts;
  if (!parts) return [tilde(word.text, word.value, state, by)];
  if (parts.some((part) => part.type === "BraceExpansion")) {
    const texts = expandBraces(word.text);
    if (!texts) {
      by.overflow();
      return [UNKNOWN + MANY];
    }
    if (texts.length > 1 || texts[0] !== word.text) {
      return texts.flatMap((text) => {
        if (text === "") return [];
        const inner = by.parseWord(text);
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

class Fields {
  private readonly done: string[] = [];
  private current: string | undefined;
  private readonly state: ShellState;

  constructor(state: ShellState) {
    this.state = state;
  }

  quoted(text: string, literal = false): void {
    if (literal && text === "") return;
    const joined = (this.current ?? "") + text;
    this.current = joined.length > 100_000 ? UNKNOWN : joined;
  }

  /** An expansion outside quotes: split by IFS, its pattern characters alive. */
  split(text: string): void {
    const ifs = this.state.variables.get("IFS");
    const separators = typeof ifs === "string" && isKnown(ifs) ? ifs : " \t\n";
    if (!separators.includes(text[0] ?? "") && text.length < 64 && ![...separators].some((separator) => text.includes(separator))) {
      if (text !== "") this.quoted(activateGlobs(text));
      return;
    }
    let piece = "";
    for (const char of text) {
      if (!separators.includes(char)) {
        piece += char;
        continue;
      }
      if (piece !== "") this.quoted(activateGlobs(piece));
      piece = "";
      this.cut();
    }
    if (piece !== "") this.quoted(activateGlobs(piece));
  }

  /** `"$@"`: each its own field. */
  list(items: readonly string[], quoted: boolean): void {
    items.forEach((item, index) => {
      if (index > 0) this.cut();
      if (quoted) this.quoted(item);
      else this.split(item);
    });
  }

  cut(): void {
    if (this.current !== undefined && this.done.length < 5000) this.done.push(this.current);
    this.current = undefined;
  }

  finish(): readonly string[] {
    this.cut();
    return this.done;
  }
}

function addPart(part: WordPart, fields: Fields, state: ShellState, by: Expander, quoted: boolean): void {
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
      addValue(lookup(part.text.slice(1), state), fields, quoted);
      return;
    case "ParameterExpansion":
      addValue(parameter(part, state, by), fields, quoted);
      return;
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

type Value = string | readonly string[];

function addValue(value: Value, fields: Fields, quoted: boolean): void {
  if (typeof value !== "string") fields.list(value, quoted);
  else if (quoted) fields.quoted(value);
  else if (value.length === 1 && hasMark(value)) fields.quoted(value + MANY);
  else fields.split(value);
}

/** The text a substitution stands for, or the mark of where it came from. */
export function substituted(flow: Flow): string {
  if (flow.text !== undefined && !flow.remote) return flow.text.replace(/\n+$/, "");
  return flow.remote ? REMOTE : flow.decoded ? DECODED : flow.secret ? SECRET : COMPUTED;
}

function lookup(name: string, state: ShellState): Value {
  if (name === "@" || name === "*") return state.positional ?? [UNKNOWN + MANY];
  if (name === "#") return state.positional ? String(state.positional.length) : UNKNOWN;
  if (name === "0") return "bash";
  if (/^[1-9]\d*$/.test(name)) return state.positional ? (state.positional[Number(name) - 1] ?? "") : UNKNOWN;
  const value = state.variables.get(name);
  if (value === undefined) return isSecretName(name) ? SECRET : UNKNOWN;
  return typeof value === "string" ? value : (value[0] ?? "");
}

function parameter(part: ParameterExpansionPart, state: ShellState, by: Expander): Value {
  const name = part.parameter;
  let value: Value = lookup(name, state);
  let set = state.variables.has(name) || (/^[@*0-9]/.test(name) && state.positional !== undefined);
  if (part.index) {
    const stored = state.variables.get(name);
    const index = expandText(part.index, state, by);
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
    value = isKnown(target) && /^\w+$/.test(target) ? lookup(target, state) : COMPUTED;
    set = true;
  }
  const operation = part.operation;
  if (!operation) return value;
  const each = (change: (text: string) => string): Value => (typeof value === "string" ? (isKnown(value) ? change(value) : keepMark(value)) : value.map((item) => (isKnown(item) ? change(item) : item)));
  switch (operation.type) {
    case "Default": {
      const operand = expandText(operation.operand, state, by);
      const empty = set && (value === "" || (Array.isArray(value) && value.length === 0));
      const missing = !set || (operation.operator.startsWith(":") && empty);
      if (operation.operator.endsWith("+")) return missing && set ? "" : operand;
      if (operation.operator.endsWith("?")) return value;
      if (missing && operation.operator.endsWith("=")) state.variables.set(name, operand);
      return missing ? operand : value;
    }
    case "Remove": {
      const pattern = expandText(operation.operand, state, by);
      if (!isKnown(pattern)) return UNKNOWN;
      return each((text) => removePattern(text, pattern, operation.operator));
    }
    case "Replace": {
      const pattern = expandText(operation.pattern, state, by);
      const replacement = expandText(operation.replacement, state, by);
      if (!isKnown(pattern) || !isKnown(replacement)) return UNKNOWN;
      return each((text) => replacePattern(text, pattern, replacement, operation.operator));
    }
    case "Slice": {
      const offset = Number(expandText(operation.offset, state, by));
      const length = operation.length && Number(expandText(operation.length, state, by));
      if (name === "PATH" && offset === 0 && length === 1) return "/";
      if (Number.isNaN(offset) || Number.isNaN(length)) return COMPUTED;
      if (Array.isArray(value)) return value.slice(offset, length === undefined ? undefined : offset + length);
      return isKnown(String(value)) ? slice(String(value), offset, length) : COMPUTED;
    }
    case "CaseModification": {
      if (operation.operand) expandText(operation.operand, state, by);
      const upper = operation.operator.startsWith("^");
      const all = operation.operator.length === 2;
      return each((text) => (all ? cased(text, upper) : cased(text.slice(0, 1), upper) + text.slice(1)));
    }
    default:
      by.sweep(operation, state);
      return COMPUTED;
  }
}

function keepMark(value: string): string {
  return value.includes(REMOTE) ? REMOTE : value.includes(DECODED) ? DECODED : value.includes(SECRET) ? SECRET : value.includes(COMPUTED) ? COMPUTED : UNKNOWN;
}

const cased = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text.toLowerCase());

function slice(text: string, offset: number, length: number | undefined): string {
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  if (length === undefined) return text.slice(start);
  return length < 0 ? text.slice(start, text.length + length) : text.slice(start, start + length);
}

/** A shell pattern as a regular expression over the value; bracket expressions keep their meaning. */
function globSource(pattern: string): string {
  let out = "";
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === "*") out += "[\\s\\S]*";
    else if (char === "?") out += "[\\s\\S]";
    else if (char === "[" && pattern.indexOf("]", i + 2) > 0) {
      const close = pattern.indexOf("]", i + 2);
      const body = pattern.slice(i + 1, close).replace(/\\/g, "\\\\").replace(/^!/, "^");
      out += `[${body.replaceAll("[", "\\[")}]`;
      i = close;
    } else out += char.replace(/[.+^${}()|\\\]\[*?]/g, "\\$&");
  }
  return out;
}

function removePattern(text: string, pattern: string, operator: string): string {
  if (text.length > 2000 || pattern.length > 200) return UNKNOWN;
  let expression: RegExp;
  try {
    expression = new RegExp(`^${globSource(pattern)}$`);
  } catch {
    return UNKNOWN; // not a pattern we can read
  }
  const longest = operator.length === 2;
  const prefix = operator.startsWith("#");
  const lengths = Array.from({ length: text.length + 1 }, (_, i) => (longest ? text.length - i : i));
  for (const n of lengths) {
    const piece = prefix ? text.slice(0, n) : text.slice(text.length - n);
    if (expression.test(piece)) return prefix ? text.slice(n) : text.slice(0, text.length - n);
  }
  return text;
}

function replacePattern(text: string, pattern: string, replacement: string, operator: string): string {
  if (text.length > 10_000 || pattern.length > 200 || pattern === "") return text;
  try {
    const source = globSource(pattern);
    const anchored = operator === "/#" ? `^${source}` : operator === "/%" ? `${source}$` : source;
    return text.replace(new RegExp(anchored, operator === "//" ? "g" : ""), () => replacement);
  } catch {
    return UNKNOWN; // not a pattern we can read
  }
}

function tilde(source: string, value: string, state: ShellState, by: Expander): string {
  if (source.startsWith("~")) return expandTilde(value, state, by);
  const equals = source.indexOf("=~");
  if (equals > 0 && /^[\w-]+$/.test(source.slice(0, equals))) return value.slice(0, equals + 1) + expandTilde(value.slice(equals + 1), state, by);
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

/** The value of an arithmetic expression whose every part is written out. */
export function arithmetic(node: ArithmeticExpression, state: ShellState, by: Expander): number | undefined {
  switch (node.type) {
    case "ArithmeticWord": {
      const text = node.parts ? expandParts(node.parts, state, by) : node.value;
      const based = /^(\d+)#([0-9a-z]+)$/i.exec(text);
      if (based) return Number.parseInt(based[2]!, Number(based[1]));
      if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
      if (/^(0x[0-9a-f]+|\d+)$/i.test(text)) return Number(text);
      const stored = /^[a-z_]\w*$/i.test(text) ? state.variables.get(text) : undefined;
      return typeof stored === "string" && /^-?\d+$/.test(stored) ? Number(stored) : undefined;
    }
    case "ArithmeticCommandExpansion": {
      const value = Number(substituted(by.capture(node.script, state)));
      return Number.isInteger(value) ? value : undefined;
    }
    case "ArithmeticGroup":
      return arithmetic(node.expression, state, by);
    case "ArithmeticUnary": {
      const value = arithmetic(node.operand, state, by);
      if (value === undefined) return undefined;
      return node.operator === "-" ? -value : node.operator === "+" ? value : node.operator === "~" ? ~value : node.operator === "!" ? Number(!value) : undefined;
    }
    case "ArithmeticTernary": {
      const test = arithmetic(node.test, state, by);
      const yes = arithmetic(node.consequent, state, by);
      const no = arithmetic(node.alternate, state, by);
      return test === undefined ? undefined : test ? yes : no;
    }
    case "ArithmeticBinary": {
      const left = arithmetic(node.left, state, by);
      const right = arithmetic(node.right, state, by);
      if (node.operator.endsWith("=") && !["==", "!=", "<=", ">="].includes(node.operator) && node.left.type === "ArithmeticWord") {
        state.variables.set(node.left.value, node.operator === "=" && right !== undefined ? String(right) : UNKNOWN);
        return node.operator === "=" ? right : undefined;
      }
      return left === undefined || right === undefined ? undefined : calculate(node.operator, left, right);
    }
  }
}

function calculate(operator: string, a: number, b: number): number | undefined {
  const whole = (n: number): number | undefined => (Number.isFinite(n) ? Math.trunc(n) : undefined);
  switch (operator) {
    case "+": return a + b;
    case "-": return a - b;
    case "*": return a * b;
    case "/": return whole(a / b);
    case "%": return whole(a % b);
    case "**": return whole(a ** b);
    case "<<": return a << b;
    case ">>": return a >> b;
    case "&": return a & b;
    case "|": return a | b;
    case "^": return a ^ b;
    case ",": return b;
    case "==": return Number(a === b);
    case "!=": return Number(a !== b);
    case "<": return Number(a < b);
    case ">": return Number(a > b);
    case "<=": return Number(a <= b);
    case ">=": return Number(a >= b);
    case "&&": return Number(a !== 0 && b !== 0);
    case "||": return Number(a !== 0 || b !== 0);
    default: return undefined;
  }
}

