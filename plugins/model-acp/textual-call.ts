import { isObject } from "hermes-agent/plugin";

/** What stands around a call in the words of an answer: a format that models know, and that the engine hears where ours cannot be sure. */
export const BEGIN = "<tool_call>";
export const END = "</tool_call>";

export interface TextualCall {
  readonly callId: string;
  readonly tool: string;
  /** JSON, or what the model wrote in its place. */
  readonly args: string;
}

/**
 * A call as it is written into words. Its id begins with a key that is told to the agent alone: words of strangers which the agent repeats
 * hold no call of ours.
 */
export function callText({ callId, tool, args }: TextualCall, key: string): string {
  return `${BEGIN}\n{"id":${JSON.stringify(`${key}:${callId}`)},"name":${JSON.stringify(tool)},"arguments":${isObject(parsed(args)) ? args : JSON.stringify(args)}}\n${END}`;
}

/** The calls that `text` consists of from `at` to its end; `undefined` where it is anything else. */
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

/** Arguments may hold the words that end a call, so it ends where it can be read. */
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
  // Some models leave the last mark out.
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
    return JSON.parse(text);
  } catch {
    return undefined; // Then it is words.
  }
}
