import { isObject } from "../../contract/common/is-object.ts";
import { readTolerantly } from "./read-tolerantly.ts";

/** A call in a form that only its likeness tells; never exact, so it may only read. */
export interface LooseCall {
  readonly tool: string;
  readonly args: string;
}

const TOOL_KEYS = ["name", "tool", "tool_name", "function", "action", "recipient_name"];
const ARGS_KEYS = ["arguments", "parameters", "args", "input", "tool_input", "action_input", "kwargs"];
const OTHER_KEYS = new Set(["id", "type", "index", "tool_call_id", "call_id"]);
const WRAPPERS =
  /^<(tools?|code|tool_use|tool_code|tool_request|function_call|invoke_tool|action)>\s*([\s\S]*?)\s*(?:<\/\1>)?$/;
const FENCE = /^```[\w-]*\s*\n([\s\S]*?)\n?```$/;
/** `Action:` and a code block, as Cohere's models and LangChain's prompts have it. */
const ACTION_BLOCK = /(?:^|\n)\s*Action\s*:\s*```(?:json)?\s*([\s\S]*?)```\s*$/i;
const REACT = /(?:^|\n)\s*Action\s*:\s*`?([\w.-]+)`?\s*\n\s*Action[ _]Input\s*:\s*([\s\S]+)$/i;

/**
 * Calls in text that is nothing but them: JSON with other keys or typographic quotes, a wrapper of another model family,
 * Python calls, a ReAct step. `undefined` for anything else.
 */
export function looseCalls(
  text: string,
  closes = false,
): { readonly text: string; readonly calls: readonly LooseCall[] } | undefined {
  const thought = /^(?:<think>[\s\S]*?)?<\/think>\s*/.exec(text)?.[0];
  if (thought !== undefined) {
    const found = looseCalls(text.slice(thought.length), closes);
    return found === undefined ? undefined : { ...found, text: `${thought}${found.text}`.trimEnd() };
  }
  const block = ACTION_BLOCK.exec(text);
  const inBlock = block === null ? undefined : fromJson(block[1]!.trim(), false);
  if (inBlock !== undefined) return { text: text.slice(0, block!.index).trimEnd(), calls: inBlock };
  const react = REACT.exec(text.replace(/\n\s*Observation:?\s*$/, ""));
  if (react !== null) {
    const calls = jsonCall({ name: react[1]!, arguments: jsonOf(straight(unfenced(react[2]!.trim()))) });
    return calls === undefined ? undefined : { text: text.slice(0, react.index).trimEnd(), calls: [calls] };
  }
  const inside = unwrapped(unfenced(text.trim()));
  const calls =
    fromJson(inside, closes) ??
    pythonCalls(inside.replace(/^<ctrl\d+>call\s*/, "")) ??
    namedObject(inside) ??
    xmlCall(inside);
  if (calls !== undefined && calls.length > 0) return { text: "", calls };
  const last = LAST_LIST.exec(text) ?? LAST_TAG.exec(text);
  const behind = last === null ? undefined : (pythonCalls(last[1]!) ?? xmlCall(last[1]!));
  return behind === undefined ? undefined : { text: text.slice(0, last!.index).trimEnd(), calls: behind };
}

/** A list of Python calls on the last lines. */
const LAST_LIST = /\n[ \t]*\n[ \t]*(\[[ \t]*[a-z_][\w.]*\([^\n]*\)[ \t]*\])\s*$/i;

const LAST_TAG = /\n[ \t]*\n[ \t]*(<([a-z_][\w.-]{1,63})>\s*<[\s\S]*<\/\2>)\s*$/i;

/** `read_file {…}`, on one line or two. */
function namedObject(text: string): readonly LooseCall[] | undefined {
  const [, name, inside] = /^(?:>>>)?`?([a-z_][\w.-]{1,63}(?::\d+)?)`?\s*(\{[\s\S]*\})$/i.exec(text) ?? [];
  const args = inside === undefined ? undefined : (jsonOf(inside) ?? readTolerantly(inside));
  return name !== undefined && isObject(args) ? [{ tool: plainName(name), args: JSON.stringify(args) }] : undefined;
}

/** `<read_file><path>…</path></read_file>`. */
function xmlCall(text: string): readonly LooseCall[] | undefined {
  const [, tool, inside] = /^<([a-z_][\w.-]{1,63})>\s*((?:<[\w.-]+>[\s\S]*?<\/[\w.-]+>\s*)+)<\/\1>$/i.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  const args: Record<string, string> = {};
  let rest = inside.trim();
  while (rest !== "") {
    const [all, key, value] = /^<([\w.-]+)>\n?([\s\S]*?)\n?<\/\1>\s*/.exec(rest) ?? [];
    if (all === undefined || key === undefined || value === undefined || Object.hasOwn(args, key)) return undefined;
    Object.defineProperty(args, key, { value, enumerable: true });
    rest = rest.slice(all.length);
  }
  return [{ tool: plainName(tool), args: JSON.stringify(args) }];
}

function unwrapped(text: string): string {
  const inside = WRAPPERS.exec(text)?.[2] ?? text;
  return inside.startsWith("functools[") ? inside.slice("functools".length) : inside;
}

function unfenced(text: string): string {
  return FENCE.exec(text)?.[1]?.trim() ?? text;
}

function fromJson(text: string, closes: boolean): readonly LooseCall[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const value =
    jsonOf(text) ??
    jsonOf(straight(text)) ??
    readTolerantly(text, { closes }) ??
    jsonOf(`[${text.replace(/(?<=\})\s*;\s*(?=\{)/g, ",")}]`);
  const many = isObject(value) && Array.isArray(value["tool_calls"]) ? value["tool_calls"] : undefined;
  if (many !== undefined && Object.keys(value as object).every((key) => BESIDE_CALLS.has(key)))
    return fromJson(JSON.stringify(many), false);
  const list = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  const calls = list.map(jsonCall);
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

/** Keys beside a list of calls. */
const BESIDE_CALLS = new Set(["tool_calls", "role", "content", "thought", "thoughts", "reasoning"]);

/** Reads a JSON object as a tool call if it has the keys of a call and no others. */
function jsonCall(value: unknown): LooseCall | undefined {
  if (!isObject(value)) return undefined;
  const [[only, inner] = []] = Object.entries(value);
  if (
    only !== undefined &&
    /^(?:function|tool)_?call$/i.test(only) &&
    isObject(inner) &&
    Object.keys(value).length === 1
  )
    return jsonCall(inner);
  const tool = TOOL_KEYS.find((key) => typeof value[key] === "string");
  const args = ARGS_KEYS.find((key) => value[key] !== undefined);
  if (tool === undefined || args === undefined) return undefined;
  if (!Object.keys(value).every((key) => key === tool || key === args || OTHER_KEYS.has(key))) return undefined;
  const given = value[args];
  const object = typeof given === "string" ? jsonOf(given) : given;
  return isObject(object) ? { tool: plainName(String(value[tool])), args: JSON.stringify(object) } : undefined;
}

/** `functions.read_file:0`, `default_api.read_file` and `tools.read_file` are `read_file`. */
export function plainName(name: string): string {
  return name
    .trim()
    .replace(/^(?:functions|default_api|tools|tool)[.:]/, "")
    .replace(/:\d+$/, "");
}

/** Typographic quotes, as some models and keyboards write them. */
function straight(text: string): string {
  return text.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Then it is words.
  }
}

/** `[read_file(path="a"), …]`, one such call, or one in `print(…)`. */
export function pythonCalls(text: string): readonly LooseCall[] | undefined {
  if (!/^(?:\[\s*)?(?:print\(\s*)?[a-z_][\w.]*\(/i.test(text) || text.length > MAX_PYTHON) return undefined;
  const reader = new PythonReader(straight(text));
  try {
    return reader.calls();
  } catch (cause) {
    if (cause instanceof NoPython) return undefined;
    throw cause;
  }
}

const MAX_PYTHON = 50_000;
const MAX_DEPTH = 20;

class NoPython extends Error {}

/** Reads Python calls whose arguments are named literals. */
class PythonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  calls(): readonly LooseCall[] {
    const calls = this.#takes("[") ? this.#items("]", () => this.#call()) : this.#lines();
    if (!this.#ended()) throw new NoPython();
    return calls;
  }

  #lines(): readonly LooseCall[] {
    const calls: LooseCall[] = [];
    while (!this.#ended()) {
      calls.push(this.#call());
      this.#takes(";");
    }
    return calls;
  }

  #call(): LooseCall {
    const name = this.#name();
    if (!this.#takes("(")) throw new NoPython();
    if (name === "print") {
      const inner = this.#call();
      if (!this.#takes(")")) throw new NoPython();
      return inner;
    }
    const args: [string, unknown][] = [];
    while (!this.#takes(")")) {
      const key = this.#name();
      if (!this.#takes("=") || args.some(([known]) => known === key)) throw new NoPython();
      args.push([key, this.#value(0)]);
      if (!this.#takes(",") && !this.#peeks(")")) throw new NoPython();
    }
    return { tool: plainName(name), args: JSON.stringify(Object.fromEntries(args)) };
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NoPython();
    if (this.#takes("[")) return this.#items("]", () => this.#value(depth + 1));
    if (this.#takes("{"))
      return Object.fromEntries(
        this.#items("}", () => {
          const key = this.#string();
          if (!this.#takes(":")) throw new NoPython();
          return [key, this.#value(depth + 1)] as const;
        }),
      );
    const word = this.#match(/(?:True|False|None|true|false|null)\b/y);
    if (word !== undefined) return WORDS[word.toLowerCase() as keyof typeof WORDS];
    const number = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/y);
    return number === undefined ? this.#string() : Number(number);
  }

  #items<T>(end: string, read: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.#takes(end)) {
      items.push(read());
      if (!this.#takes(",") && !this.#peeks(end)) throw new NoPython();
    }
    return items;
  }

  #string(): string {
    const text = this.#match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y);
    if (text === undefined) throw new NoPython();
    const bare = text.slice(1, -1);
    const json = `"${bare.replace(/\\'/g, "'").replace(/(^|[^\\])((?:\\\\)*)"/g, '$1$2\\"')}"`;
    const value = jsonOf(json);
    if (typeof value !== "string") throw new NoPython();
    return value;
  }

  #name(): string {
    const name = this.#match(/[a-z_][\w.]*/iy);
    if (name === undefined) throw new NoPython();
    return name;
  }

  #takes(mark: string): boolean {
    const found = this.#peeks(mark);
    if (found) this.#at += mark.length;
    return found;
  }

  #peeks(mark: string): boolean {
    this.#blanks();
    return this.#text.startsWith(mark, this.#at);
  }

  #ended(): boolean {
    this.#blanks();
    return this.#at >= this.#text.length;
  }

  #match(pattern: RegExp): string | undefined {
    this.#blanks();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}

const WORDS = { true: true, false: false, none: null, null: null } as const;
