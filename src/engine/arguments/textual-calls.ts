import { parseExact } from "../../contract/common/parse-exact.ts";
import { isObject } from "../../contract/common/is-object.ts";
/** Calls that a model wrote into its words, as models do whose server does not understand their format. */
export interface TextualCalls {
  /** The text before the calls. */
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: string }[];
  /**
   * In a format that models are trained to call with, and which means nothing else. Otherwise it is bare JSON and may
   * be meant for the user.
   */
  readonly marked: boolean;
}

type Call = TextualCalls["calls"][number];

/** Longer words end in no call. */
const MAX_CHARS = 400_000;

/**
 * The calls at the end of an answer. No text may follow them, every one must name an offered tool by its exact name,
 * and all must be readable; otherwise the text stays text. A call quoted in the middle, or in a marked code block, is
 * therefore not a call.
 */
export function textualCalls(words: string, offered: ReadonlySet<string>): TextualCalls | undefined {
  const text = words.trimEnd();
  if (text === "" || text.length > MAX_CHARS) return undefined;
  const found = marked(text) ?? bare(text);
  return found !== undefined && found.calls.length > 0 && found.calls.every(({ tool }) => offered.has(tool))
    ? found
    : undefined;
}

interface Format {
  readonly begin: string;
  /** Closing tag of the format, if present; some models omit the last one. */
  readonly end?: string;
  readonly read: (inside: string) => readonly Call[] | undefined;
}

/** By what they begin with. The first whose mark is in the text is its format. */
const FORMATS: readonly Format[] = [
  {
    begin: "<tool_call>",
    end: "</tool_call>",
    read: (inside) => each(inside.split(/<\/tool_call>\s*<tool_call>/), (one) => tagged(one) ?? whole(one)),
  },
  {
    begin: "<|tool_calls_section_begin|>",
    end: "<|tool_calls_section_end|>",
    read: (inside) =>
      between(inside, "<|tool_call_begin|>", "<|tool_call_end|>", (one) =>
        named(one.split("<|tool_call_argument_begin|>")),
      ),
  },
  {
    begin: "<｜tool▁calls▁begin｜>",
    end: "<｜tool▁calls▁end｜>",
    read: (inside) => between(inside, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", deepseek),
  },
  {
    begin: "<function_calls>",
    end: "</function_calls>",
    read: (inside) => between(inside, "<invoke ", "</invoke>", invoked),
  },
  {
    begin: "[TOOL_CALLS]",
    read: (inside) =>
      inside.startsWith("[{")
        ? listed(inside)
        : each(inside.split("[TOOL_CALLS]"), (one) => named(splitAt(one, one.includes("[ARGS]") ? "[ARGS]" : "{"))),
  },
  { begin: "<|python_tag|>", read: (inside) => each([inside.replace(/<\|eom_id\|>$/, "")], whole) },
  {
    begin: "<function=",
    end: "</function>",
    read: (inside) => each(inside.split(/<\/function>\s*<function=/), (one) => tagged(`<function=${one}</function>`)),
  },
];

const LONGEST_MARK = Math.max(...FORMATS.map(({ begin }) => begin.length));

/** Text that streams to the user: a possible call is not shown until it is clear. */
export class WordsOnTheWay {
  /** From where a call begins, or may begin when more comes. */
  pending = "";
  #begun = false;

  /** @returns What can be shown now: whole characters, of which a stream may bring the halves apart. */
  take(text: string): string {
    const all = this.pending + text;
    const begins = this.#begun ? 0 : this.#begins(all);
    const ready = begins === all.length && isFirstHalf(all) ? begins - 1 : begins;
    this.pending = all.slice(ready);
    return all.slice(0, ready).toWellFormed();
  }

  #begins(text: string): number {
    if (!/[<[]/.test(text)) return text.length;
    const marks = FORMATS.map(({ begin }) => text.indexOf(begin)).filter((at) => at >= 0);
    this.#begun = marks.length > 0;
    if (this.#begun) return Math.min(...marks);
    for (let at = Math.max(0, text.length - LONGEST_MARK + 1); at < text.length; at++) {
      if (FORMATS.some(({ begin }) => begin.startsWith(text.slice(at)))) return at;
    }
    return text.length;
  }
}

/** It ends in the middle of a character of two code units. */
function isFirstHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00;
}

function marked(text: string): TextualCalls | undefined {
  for (const { begin, end, read } of FORMATS) {
    const at = text.indexOf(begin);
    if (at < 0) continue;
    const rest = text.slice(at + begin.length);
    const inside = end !== undefined && rest.endsWith(end) ? rest.slice(0, -end.length) : rest;
    const calls = read(inside.trim());
    return calls === undefined ? undefined : { text: text.slice(0, at).trimEnd(), calls, marked: true };
  }
  return undefined;
}

/** The whole answer is one call or a list of calls, in a code block or not. */
function bare(text: string): TextualCalls | undefined {
  const fence = /^```(?:json|tool_call)?\s*\n([\s\S]*?)\n?```$/.exec(text.trimStart());
  const inside = (fence?.[1] ?? text).trim();
  const calls = inside.startsWith("[") ? listed(inside) : inside.startsWith("{") ? each([inside], whole) : undefined;
  return calls === undefined ? undefined : { text: "", calls, marked: false };
}

function each(pieces: readonly string[], read: (piece: string) => Call | undefined): readonly Call[] | undefined {
  const calls = pieces.map((piece) => read(piece.trim()));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function between(
  text: string,
  begin: string,
  end: string,
  read: (piece: string) => Call | undefined,
): readonly Call[] | undefined {
  const pieces = text.split(begin);
  if (pieces[0]!.trim() !== "") return undefined;
  return each(
    pieces.slice(1).map((piece) => (piece.trimEnd().endsWith(end) ? piece.trimEnd().slice(0, -end.length) : piece)),
    read,
  );
}

function listed(text: string): readonly Call[] | undefined {
  const list = json(text);
  return Array.isArray(list)
    ? each(
        list.map((one) => JSON.stringify(one)),
        whole,
      )
    : undefined;
}

/** `{"name": …, "arguments": …}`, or the same inside `function`, as the wire has it. */
function whole(text: string): Call | undefined {
  const value = json(text);
  if (!isObject(value)) return undefined;
  const call = isObject(value.function) ? value.function : value;
  const args = call.arguments ?? call.parameters;
  const known = new Set(["name", "arguments", "parameters", "id", "type", "function", "index"]);
  if (
    typeof call.name !== "string" ||
    args === undefined ||
    ![...Object.keys(value), ...Object.keys(call)].every((key) => known.has(key))
  )
    return undefined;
  return { tool: plain(call.name), args: typeof args === "string" ? args : JSON.stringify(args) };
}

/** `<function=NAME>` with its arguments as JSON, or each in `<parameter=KEY>`. */
function tagged(text: string): Call | undefined {
  const [, tool, inside] = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>)?$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  if (inside.trim().startsWith("{")) return named([tool, inside]);
  const args = parameters(inside, /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/gy);
  return args === undefined ? undefined : { tool: plain(tool), args };
}

function invoked(text: string): Call | undefined {
  const [, tool, inside] = /^name="([\w.-]+)">([\s\S]*)$/.exec(text) ?? [];
  const args =
    inside === undefined ? undefined : parameters(inside, /<parameter name="([\w.-]+)"[^>]*>([\s\S]*?)<\/parameter>/gy);
  return tool === undefined || args === undefined ? undefined : { tool: plain(tool), args };
}

/** Texts as they are: what a tool wants as a number or a list, its arguments' repair makes of them. */
function parameters(text: string, pattern: RegExp): string | undefined {
  const args: Record<string, string> = {};
  let rest = text.trim();
  for (pattern.lastIndex = 0; rest !== ""; pattern.lastIndex = 0) {
    const match = pattern.exec(rest);
    if (match === null || Object.hasOwn(args, match[1]!)) return undefined;
    Object.defineProperty(args, match[1]!, { value: match[2]!, enumerable: true });
    rest = rest.slice(match[0].length).trim();
  }
  return JSON.stringify(args);
}

function deepseek(text: string): Call | undefined {
  const [kind, rest] = splitAt(text, "<｜tool▁sep｜>");
  // Newer models leave the kind out.
  if (rest === undefined) return undefined;
  return kind === "function" ? named(splitAt(rest, "\n")) : named([kind!, rest]);
}

/** A name and its arguments, possibly in a code block. */
function named([name, args]: readonly (string | undefined)[]): Call | undefined {
  if (name === undefined || args === undefined) return undefined;
  const inside = args
    .trim()
    .replace(/^```(?:json)?\s*\n?/, "")
    .replace(/\n?```$/, "");
  return isObject(json(inside)) ? { tool: plain(name), args: inside.trim() } : undefined;
}

/** In two, before the mark; a mark that is part of the JSON stays with it. */
function splitAt(text: string, mark: string): readonly (string | undefined)[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(mark === "{" ? at : at + mark.length)];
}

/** `functions.read_file:0` is `read_file`. */
function plain(name: string): string {
  return name
    .trim()
    .replace(/^functions\./, "")
    .replace(/:\d+$/, "");
}

function json(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // Then it is words.
  }
}
