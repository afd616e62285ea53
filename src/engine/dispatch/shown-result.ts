import type { Json } from "../../contract/common/json.ts";
import { wellFormed } from "../../contract/common/well-formed.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Part } from "../../contract/conversation/part.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { ToolCallInfo } from "../../contract/plugins/hook.ts";
import { maskValue, maskValueSteps } from "../../safety/secrets/mask-value.ts";
import type { Steps } from "../../safety/secrets/spans.ts";
import { runInPieces } from "../async/run-in-pieces.ts";
import type { DispatchPorts } from "../ports.ts";
import type { Call } from "./call.ts";
import { limitResult } from "./result-limit.ts";

declare const masked: unique symbol;

/** Parts whose texts are masked. Only `maskParts` and `maskedOutput` make them, and only they are cut and shown. */
type MaskedParts = readonly Part[] & { readonly [masked]: true };

/**
 * A tool's output as an outcome, with the author that `toModel` gave to any part of it on all of it: masked, made into
 * text or parts, cut to size, and past those who may rewrite it. Rejects as `toModel` does.
 */
export async function outcomeOf(
  call: Call,
  info: ToolCallInfo,
  given: unknown,
  durationMs: number,
): Promise<ToolOutcome> {
  const { ports } = call;
  // Before JSON makes escapes of halves of characters.
  const { value, parts } = await maskedOutput(call, wellFormed(given));
  let shown = await limited(call, parts);
  const author = parts.find((part) => part.from !== undefined)?.from;
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
        await maskParts(call, [{ type: "text", text: after }, ...shown.filter((part) => part.type !== "text")]),
      );
  }
  return {
    kind: "ok",
    value,
    shown:
      author === undefined ? shown : shown.map((part) => (part.from === undefined ? { ...part, from: author } : part)),
  };
}

/**
 * The output for observers and other tools, and the parts for the model. Values are masked before they become JSON;
 * what `toModel` writes is masked as text, because it may not be made of the value.
 */
async function maskedOutput(
  call: Call,
  output: unknown,
): Promise<{ readonly value: Json; readonly parts: MaskedParts }> {
  const { tool, ports } = call;
  const text = tool.toModel?.(output);
  const masking = runInPieces(maskValueSteps((output ?? null) as Json, stepsOf(ports)));
  const value = masking instanceof Promise ? await masking : masking;
  if (text === undefined) return { value, parts: [{ type: "text", text: JSON.stringify(value) }] as never };
  const parts: readonly Part[] = typeof text === "string" ? [{ type: "text", text }] : text;
  return { value, parts: await maskParts(call, parts) };
}

function stepsOf(ports: DispatchPorts): (text: string) => Steps<string> {
  return (
    ports.redactSteps ??
    // oxlint-disable-next-line require-yield -- never pauses
    function* (text) {
      return ports.redact(text);
    }
  );
}

/** Before it is cut, so that no secret survives at the edge. The same list when there was nothing to mask. */
async function maskParts({ ports }: Call, parts: readonly Part[]): Promise<MaskedParts> {
  const masked: Part[] = [];
  for (const part of parts) {
    const text = part.type === "text" ? await runInPieces(stepsOf(ports)(part.text)) : undefined;
    masked.push(part.type !== "text" || text === part.text ? part : { ...part, text: text! });
  }
  return masked as unknown as MaskedParts;
}

function limited(call: Call, masked: MaskedParts): Promise<readonly Part[]> | readonly Part[] {
  const { ports, session, request, entry } = call;
  const max = entry.value.declaration.maxResultChars;
  const short =
    max === "unlimited" || masked.every((part) => part.type !== "text" || part.text.length * masked.length <= max);
  return short ? masked : limitResult(masked, max, (text) => ports.spill(session.sessionId, request.callId, text));
}

/** The message of a failed, denied or interrupted call, masked. */
export function maskOutcome(outcome: ToolOutcome, redact: (text: string) => string): ToolOutcome {
  return outcome.kind === "ok" ? outcome : maskValue(outcome, redact);
}
