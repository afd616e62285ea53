import { isObject, parseExact } from "hermes-agent/plugin";

/**
 * Delimiters of a call in an answer. Models know this format, and the engine parses it too where this plugin cannot be
 * sure.
 */
export const BEGIN = "<tool_call>";
export const END = "</tool_call>";

export interface TextualCall {
  readonly callId: string;
  readonly tool: string;
  /** JSON, or the invalid text that the model wrote. */
  readonly args: string;
}

/**
 * A call as text. Its id starts with a key that only the agent knows, so untrusted content that the agent repeats
 * cannot contain a valid call.
 */
export function callText({ callId, tool, args }: TextualCall, key: string): string {
  return `${BEGIN}\n{"id":${JSON.stringify(`${key}:${callId}`)},"name":${JSON.stringify(tool)},"arguments":${isObject(parsed(args)) ? args : JSON.stringify(args)}}\n${END}`;
}

/** The calls that make up `text` from `at` to its end; `undefined` if there is anything else. */
export function callsFrom(text: string, at: number, key: string): readonly TextualCall[] | undefined {
  const calls: TextualCall[] = [];
  for (let from = at; from < text.length; from += /^\s*/.exec(text.slice(from))![0].length) {
    const block = text.startsWith(BEGIN, from) ? blockAt(text, from + BEGIN.length, key) : undefined;
    if (block === undefined) return undefined;
    calls.push(block.call);
    from = block.end;
  }
  return calls;
}

/** Arguments may contain the closing delimiter, so try further ones until the call parses. */
const MAX_TRIES = 50;

function blockAt(
  text: string,
  from: number,
  key: string,
): { readonly call: TextualCall; readonly end: number } | undefined {
  let close = text.indexOf(END, from);
  for (let tries = 0; close >= 0 && tries < MAX_TRIES; tries++) {
    const call = callOf(text.slice(from, close), key);
    if (call !== undefined) return { call, end: close + END.length };
    close = text.indexOf(END, close + 1);
  }
  // Some models omit the last delimiter.
  const call = close >= 0 ? undefined : callOf(text.slice(from), key);
  return call === undefined ? undefined : { call, end: text.length };
}

function callOf(text: string, key: string): TextualCall | undefined {
  const value = parsed(text);
  if (!isObject(value)) return undefined;
  const { id, name, arguments: args } = value;
  if (typeof id !== "string" || !id.startsWith(`${key}:`) || id.length === key.length + 1 || typeof name !== "string")
    return undefined;
  if (typeof args !== "string" && !isObject(args)) return undefined;
  return { callId: id.slice(key.length + 1), tool: name, args: typeof args === "string" ? args : JSON.stringify(args) };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // Not a call, so plain text.
  }
}
