import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Part } from "../../contract/conversation/part.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { ToolCallInfo } from "../../contract/plugins/hook.ts";
import type { Call } from "./call.ts";
import { limitResult } from "./result-limit.ts";

/**
 * A tool's output as an outcome, with the author that `toModel` gave to any part of it on all of it: made into text or
 * parts, masked, cut to size, and past those who may rewrite it. Rejects as `toModel` does.
 */
export async function outcomeOf(
  call: Call,
  info: ToolCallInfo,
  output: unknown,
  durationMs: number,
): Promise<ToolOutcome> {
  const { ports, tool } = call;
  const text = tool.toModel === undefined ? undefined : tool.toModel(output);
  const parts: readonly Part[] =
    typeof text === "string"
      ? [{ type: "text", text }]
      : (text ?? [{ type: "text", text: JSON.stringify(output ?? null) }]);
  const masked = maskParts(call, parts);
  let shown = await limited(call, masked);
  const author = masked.find((part) => part.from !== undefined)?.from;
  if (ports.hooks.has("transform_tool_result")) {
    const before = textOf(shown);
    const after = await ports.hooks.chain("transform_tool_result", {
      ...info,
      value: before,
      duration_ms: Math.round(durationMs),
    });
    if (after !== before)
      shown = await limited(
        call,
        maskParts(call, [{ type: "text", text: after }, ...shown.filter((part) => part.type !== "text")]),
      );
  }
  // If the shown text needed no mask, the value needs none either; otherwise observers and other tools get masked texts
  // too.
  const clean = text === undefined && masked === parts;
  return {
    kind: "ok",
    value: clean ? ((output ?? null) as Json) : mask((output ?? null) as Json, (words) => ports.redact(words)),
    shown:
      author === undefined ? shown : shown.map((part) => (part.from === undefined ? { ...part, from: author } : part)),
  };
}

/** Before it is cut, so that no secret survives at the edge. The same list when there was nothing to mask. */
function maskParts({ ports }: Call, parts: readonly Part[]): readonly Part[] {
  const masked = parts.map((part) => maskText(part, (text) => ports.redact(text)));
  return masked.every((part, at) => part === parts[at]) ? parts : masked;
}

function limited(call: Call, masked: readonly Part[]): Promise<readonly Part[]> | readonly Part[] {
  const { ports, session, request, entry } = call;
  const max = entry.value.declaration.maxResultChars;
  const short =
    max === "unlimited" || masked.every((part) => part.type !== "text" || part.text.length * masked.length <= max);
  return short ? masked : limitResult(masked, max, (text) => ports.spill(session.sessionId, request.callId, text));
}

function maskText(part: Part, redact: (text: string) => string): Part {
  if (part.type !== "text") return part;
  const text = redact(part.text);
  return text === part.text ? part : { ...part, text };
}

/** The message of a failed, denied or interrupted call, masked. */
export function maskOutcome(outcome: ToolOutcome, redact: (text: string) => string): ToolOutcome {
  return outcome.kind === "ok" ? outcome : (maskStrings(outcome, redact) as unknown as ToolOutcome);
}

function maskStrings(value: object, redact: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), mask(item as Json, redact)]));
}

function mask(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => mask(item, redact));
  return typeof value === "object" && value !== null ? maskStrings(value, redact) : value;
}
