import { parseExact } from "../../contract/common/parse-exact.ts";
import { isObject } from "../../contract/common/is-object.ts";
import { looseCalls, plainName } from "./loose-calls.ts";
/** Calls that a model wrote into its words, as models do whose server does not understand their format. */
export interface TextualCalls {
  /** The text before the calls. */
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: string }[];
  /**
   * Exactly in a format that models are trained to call with, and which means nothing else. Otherwise it is bare JSON or
   * a form that had to be guessed, and may be meant for the user.
   */
  readonly marked: boolean;
}

type Call = TextualCalls["calls"][number] & {
  /** False if a part of the call was guessed. Default true. */
  readonly exact?: false;
};

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
  for (const read of [marked, bare, loose]) {
    const found = read(text);
    if (found !== undefined && found.calls.length > 0 && found.calls.every(({ tool }) => offered.has(tool)))
      return {
        text: found.text,
        calls: found.calls.map(({ tool, args }) => ({ tool, args })),
        marked: found.marked && found.calls.every(({ exact }) => exact !== false),
      };
  }
  return undefined;
}

/**
 * A call that was clearly meant and cannot be read: the mark of a format begins a line outside of code, and an offered
 * tool is named behind it. Text may not follow the call in its line: then it is an example.
 */
export function unreadableCall(
  words: string,
  offered: ReadonlySet<string>,
): { readonly tool: string; readonly why: string } | undefined {
  const text = words.trimEnd();
  if (text.length > MAX_CHARS) return undefined;
  for (const { begin, end } of FORMATS) {
    const at = text.indexOf(begin);
    if (at < 0 || !/(?:^|\n)[ \t]*$/.test(text.slice(0, at))) continue;
    // In a code block it is a quotation.
    if ((text.slice(0, at).match(/^\s*```/gm)?.length ?? 0) % 2 === 1) continue;
    const rest = text.slice(at + begin.length);
    const closes = end === undefined ? -1 : rest.lastIndexOf(end);
    if (closes >= 0 && /^[ \t]*\S/.test(rest.slice(closes + end!.length))) continue;
    const named = [...offered].find((tool) => namedIn(rest.slice(0, MAX_NAME_AT), tool));
    if (named !== undefined) return { tool: named, why: whyUnreadable(closes < 0 ? rest : rest.slice(0, closes)) };
  }
  return undefined;
}

/** Within so many characters a call names its tool. */
const MAX_NAME_AT = 400;

function namedIn(text: string, tool: string): boolean {
  const at = text.indexOf(tool);
  return at >= 0 && !/[\w-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + tool.length] ?? " ");
}

function whyUnreadable(inside: string): string {
  const at = inside.search(/[[{]/);
  if (at < 0) return "it has no arguments in JSON";
  try {
    JSON.parse(inside.slice(at).trim());
    return "its form is none that Hermes knows";
  } catch (cause) {
    const message = (cause as Error).message
      .replace(/, (?:\.\.\.)?"[^]*is not valid JSON$/, "")
      .replace(" in JSON", "");
    return `its JSON is not valid: ${message}`;
  }
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
    read: (inside) =>
      inside.startsWith("[")
        ? listed(inside)
        : each(
            inside.split(/<\/tool_call>\s*<tool_call>/),
            (one) => tagged(one) ?? keyed(one) ?? whole(one) ?? guessed(one),
          ),
  },
  {
    begin: "<minimax:tool_call>",
    end: "</minimax:tool_call>",
    read: (inside) => between(inside, "<invoke ", "</invoke>", invoked),
  },
  {
    begin: "<｜DSML｜function_calls>",
    end: "</｜DSML｜function_calls>",
    read: (inside) => between(inside.replaceAll("｜DSML｜", ""), "<invoke ", "</invoke>", invoked),
  },
  {
    begin: "<|tool_call|>",
    end: "<|/tool_call|>",
    read: (inside) => (inside.startsWith("[") ? listed(inside) : each([inside], whole)),
  },
  {
    begin: "<|START_ACTION|>",
    end: "<|END_ACTION|>",
    read: (inside) => looseCalls(inside)?.calls.map((call) => ({ ...call, exact: false })),
  },
  { begin: "<|channel|>commentary to=", end: "<|call|>", read: (inside) => each([inside], harmony) },
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

function marked(text: string): Found | undefined {
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

function loose(text: string): Found | undefined {
  const found = looseCalls(text);
  return found === undefined ? undefined : { ...found, marked: false };
}

interface Found extends TextualCalls {
  readonly calls: readonly Call[];
}

/** `NAME`, then each argument in `<arg_key>` and `<arg_value>`. */
function keyed(text: string): Call | undefined {
  const [, tool, inside] = /^([\w.-]+)\s*((?:<arg_key>[\s\S]*)?)$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  const args = parameters(inside, /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?<\/arg_value>/gy);
  return args === undefined ? undefined : { tool: plainName(tool), args };
}

/** `functions.NAME <|constrain|>json<|message|>{…}`. */
function harmony(text: string): Call | undefined {
  return named(/^([\w.-]+)[^{]*?<\|message\|>([\s\S]*)$/.exec(text)?.slice(1) ?? []);
}

/** One call in another form, inside the mark of a format. */
function guessed(text: string): Call | undefined {
  const found = looseCalls(text)?.calls;
  return found?.length === 1 ? { ...found[0]!, exact: false } : undefined;
}

/** The whole answer is one call or a list of calls, in a code block or not. */
function bare(text: string): Found | undefined {
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
  return { tool: plainName(call.name), args: typeof args === "string" ? args : JSON.stringify(args) };
}

/** `<function=NAME>` with its arguments as JSON, or each in `<parameter=KEY>`. */
function tagged(text: string): Call | undefined {
  const [, tool, inside] = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>)?$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  if (inside.trim().startsWith("{")) return named([tool, inside]);
  const args = parameters(inside, /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/gy);
  if (args === undefined) return undefined;
  // Without its end a value may be half of it.
  const ends = inside.split("</parameter>").length === inside.split("<parameter=").length;
  return ends ? { tool: plainName(tool), args } : { tool: plainName(tool), args, exact: false };
}

function invoked(text: string): Call | undefined {
  const [, tool, inside] = /^name="([\w.-]+)">([\s\S]*)$/.exec(text) ?? [];
  const args =
    inside === undefined ? undefined : parameters(inside, /<parameter name="([\w.-]+)"[^>]*>([\s\S]*?)<\/parameter>/gy);
  return tool === undefined || args === undefined ? undefined : { tool: plainName(tool), args };
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
  return isObject(json(inside)) ? { tool: plainName(name), args: inside.trim() } : undefined;
}

/** In two, before the mark; a mark that is part of the JSON stays with it. */
function splitAt(text: string, mark: string): readonly (string | undefined)[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(mark === "{" ? at : at + mark.length)];
}

function json(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // Then it is words.
  }
}
