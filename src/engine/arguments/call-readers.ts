import { isObject } from "../../contract/common/is-object.ts";
import { parseExact } from "../../contract/common/parse-exact.ts";
import { looseCalls, plainName } from "./loose-calls.ts";
import { readTolerantly } from "./read-tolerantly.ts";

/** A call that a model wrote into its words. */
export interface FormattedCall {
  readonly tool: string;
  readonly args: string;
  /** False if a part of the call was guessed. Default true. */
  readonly exact?: false;
}

type Call = FormattedCall;

/** `NAME`, then each argument in `<arg_key>` and `<arg_value>`. */
export function keyed(text: string): Call | undefined {
  const [, tool, inside] = /^([\w.-]+)\s*((?:<arg_key>[\s\S]*)?)$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  const args = parameters(
    inside,
    /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>\n?((?:(?!<arg_key>)[\s\S])*?)\n?<\/arg_value>/gy,
  );
  if (args !== undefined) return { tool: plainName(tool), args };
  // Without its end a value may be half of it.
  const open = parameters(
    inside,
    /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?(?:<\/arg_value>|(?=<arg_key>)|$)/gy,
  );
  return open === undefined ? undefined : { tool: plainName(tool), args: open, exact: false };
}

/** `functions.NAME <|constrain|>json<|message|>{…}`. */
export function bareHarmony(text: string): Call | undefined {
  return named(
    /^([\w.-]+)\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*(\{[\s\S]*)$/.exec(text)?.slice(1) ?? [],
  );
}

export function harmony(text: string): Call | undefined {
  return named(/^([\w.-]+)[^{]*?<\|message\|>([\s\S]*)$/.exec(text)?.slice(1) ?? []);
}

/** One call in another form, inside the mark of a format. */
export function guessed(text: string, ended: boolean): Call | undefined {
  const found = looseCalls(text, ended)?.calls;
  return found?.length === 1 ? { ...found[0]!, exact: false } : undefined;
}

/** `{"NAME": {…}}`. */
export function keyedByName(text: string): Call | undefined {
  const value = json(text);
  const [[tool, args] = [], ...more] = isObject(value) ? Object.entries(value) : [];
  return tool !== undefined && isObject(args) && more.length === 0
    ? { tool: plainName(tool), args: JSON.stringify(args) }
    : undefined;
}

/** `<tool_name>NAME</tool_name><parameters><key>…</key></parameters>`. */
export function legacyInvoked(text: string): Call | undefined {
  const [, tool, inside] =
    /^\s*<tool_name>([\w.-]+)<\/tool_name>\s*<parameters>([\s\S]*)<\/parameters>\s*$/.exec(text) ?? [];
  const args = inside === undefined ? undefined : parameters(inside, /<([\w.-]+)>([\s\S]*?)<\/\1>/gy);
  return tool === undefined || args === undefined ? undefined : { tool, args };
}

export const guesses = (calls: readonly Call[] | undefined): readonly Call[] | undefined =>
  calls?.map((call) => ({ ...call, exact: false }));

/** `{…}; {…}`. */
export const NEXT_OBJECT = /(?<=\})\s*;\s*(?=\{)/;

/** `NAME{key:<|"|>text<|"|>,other:5}`. */
export function gemma(text: string): Call | undefined {
  const [, tool, inside] = /^([\w.-]+)(\{[\s\S]*\})$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  const args = readTolerantly(inside.replace(/<\|"\|>([\s\S]*?)<\|"\|>/g, (_, value: string) => JSON.stringify(value)));
  return isObject(args) ? { tool: plainName(tool), args: JSON.stringify(args) } : undefined;
}

export function each(
  pieces: readonly string[],
  read: (piece: string) => Call | undefined,
): readonly Call[] | undefined {
  const calls = pieces.map((piece) => read(piece.trim()));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

export function between(
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

export function listed(text: string): readonly Call[] | undefined {
  const list = json(text);
  return Array.isArray(list)
    ? each(
        list.map((one) => JSON.stringify(one)),
        whole,
      )
    : undefined;
}

/** `{"name": …, "arguments": …}`, or the same inside `function`, as the wire has it. */
export function whole(text: string): Call | undefined {
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
export function tagged(text: string): Call | undefined {
  const [, tool, inside] = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>)?$/.exec(text) ?? [];
  if (tool === undefined || inside === undefined) return undefined;
  if (inside.trim().startsWith("{")) return named([tool, inside]);
  const args =
    parameters(inside, /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/gy) ??
    // A value that contains the closing tag.
    parameters(inside, /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>(?=\s*(?:<parameter=|$))/gy);
  if (args === undefined) return undefined;
  // Without its end a value may be half of it.
  const ends = inside.split(/<\/parameter>\s*(?=<parameter=|$)/).length === inside.split("<parameter=").length;
  return ends ? { tool: plainName(tool), args } : { tool: plainName(tool), args, exact: false };
}

export function invoked(text: string): Call | undefined {
  const [, tool, inside] = /^name="([\w.-]+)">([\s\S]*)$/.exec(text) ?? [];
  const args =
    inside === undefined
      ? undefined
      : parameters(inside, /<parameter name="([\w.-]+)"[^>]*>((?:(?!<parameter name=)[\s\S])*?)<\/parameter>/gy);
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

export function deepseek(text: string): Call | undefined {
  const [kind, rest] = splitAt(text, "<｜tool▁sep｜>");
  // Newer models leave the kind out.
  if (rest === undefined) return undefined;
  return kind === "function" ? named(splitAt(rest, "\n")) : named([kind!, rest]);
}

/** A name and its arguments, possibly in a code block. */
export function named([name, args]: readonly (string | undefined)[]): Call | undefined {
  if (name === undefined || args === undefined) return undefined;
  const inside = args
    .trim()
    .replace(/^```(?:json)?\s*\n?/, "")
    .replace(/\n?```$/, "");
  return isObject(json(inside)) ? { tool: plainName(name), args: inside.trim() } : undefined;
}

/** In two, before the mark; a mark that is part of the JSON stays with it. */
export function splitAt(text: string, mark: string): readonly (string | undefined)[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(mark === "{" ? at : at + mark.length)];
}

export function json(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // Then it is words.
  }
}
