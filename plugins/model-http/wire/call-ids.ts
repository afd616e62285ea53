import type { ModelRequest } from "hermes-agent/plugin";

/** Ids of the calls in the conversation so far. */
export function usedCallIds({ messages }: ModelRequest): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []))
        : [],
    ),
  );
}

/**
 * An id that is missing, or was used before in this conversation, would pair a result with the wrong call. Adds what it
 * gives to `used`.
 */
export function freshCallId(wanted: string, prefix: string, used: Set<string>): string {
  const stem = wanted === "" ? `${prefix}_${used.size + 1}` : wanted;
  let id = stem;
  for (let number = 2; used.has(id); number++) id = `${stem}_${number}`;
  used.add(id);
  return id;
}
