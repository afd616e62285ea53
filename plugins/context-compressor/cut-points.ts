import type { ChatMessage } from "hermes-agent/plugin";

const CHARS_PER_TOKEN = 3.8;
/** The newest messages that always stay unsummarized, however long they are. */
const MIN_RETAINED = 3;

/**
 * Which messages a summary takes the place of. Calls and their results stay together, and the end of the conversation
 * stays: so many messages, fewer only where these alone would fill the model.
 */
export function cutPoints(
  messages: readonly ChatMessage[],
  keep: { readonly first: number; readonly last: number; readonly tailTokens: number },
): { readonly from: number; readonly to: number } {
  let to = Math.max(0, messages.length - keep.last);
  let tail = messages.slice(to).reduce((sum, message) => sum + tokensOf(message), 0);
  while (tail > keep.tailTokens && messages.length - to > MIN_RETAINED) tail -= tokensOf(messages[to++]!);
  to = wholeFrom(messages, to);
  const from = Math.min(wholeTo(messages, Math.min(keep.first, to)), to);
  // A short beginning is worth no exception.
  return to - from >= 2 ? { from, to } : { from: 0, to: to >= 2 ? to : 0 };
}

/** Not in the middle of results: back to the answer that made the calls. */
function wholeFrom(messages: readonly ChatMessage[], at: number): number {
  let to = at;
  while (to > 0 && messages[to]?.role === "tool") to--;
  return to;
}

/** On to the end of the results, and no question without its answer. */
function wholeTo(messages: readonly ChatMessage[], at: number): number {
  let from = at;
  while (from < messages.length && messages[from]?.role === "tool") from++;
  while (from > 0 && messages[from - 1]?.role === "user") from--;
  return from;
}

export function tokensOf({ content, tool_calls }: ChatMessage): number {
  return (content.length + (tool_calls === undefined ? 0 : JSON.stringify(tool_calls).length)) / CHARS_PER_TOKEN;
}
