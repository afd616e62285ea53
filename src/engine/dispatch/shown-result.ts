import type { Json } from "../../contract/common/json.ts";
import { wellFormed } from "../../contract/common/well-formed.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Part } from "../../contract/conversation/part.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { ToolCallInfo } from "../../contract/plugins/hook.ts";
import { isFree, maskValue, maskValueSteps } from "../../safety/secrets/mask-value.ts";
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
  const masking = maskedOutput(call, wellFormed(given));
  const { value, parts } = masking instanceof Promise ? await masking : masking;
  const limiting = limited(call, parts);
  let shown = limiting instanceof Promise ? await limiting : limiting;
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

interface MaskedOutput {
  readonly value: Json;
  readonly parts: MaskedParts;
}

/**
 * The output for observers and other tools, and the parts for the model. Values are masked before they become JSON;
 * what `toModel` writes is masked as text, because it may not be made of the value. Without a promise if the output is
 * short.
 */
function maskedOutput(call: Call, output: unknown): MaskedOutput | Promise<MaskedOutput> {
  const { tool, ports } = call;
  const text = tool.toModel?.(output);
  const given = (output ?? null) as Json;
  if (isFree(given, (one) => ports.redact(one))) return withParts(call, given, text);
  const masking = runInPieces(maskValueSteps(given, stepsOf(ports)));
  return masking instanceof Promise
    ? masking.then((value) => withParts(call, value, text))
    : withParts(call, masking, text);
}

function withParts(
  call: Call,
  value: Json,
  text: string | readonly Part[] | undefined,
): MaskedOutput | Promise<MaskedOutput> {
  if (text === undefined) return { value, parts: [{ type: "text", text: JSON.stringify(value) }] as never };
  const parts = maskParts(call, typeof text === "string" ? [{ type: "text", text }] : text);
  return parts instanceof Promise ? parts.then((late) => ({ value, parts: late })) : { value, parts };
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

/** Before it is cut, so that no secret survives at the edge. The same list if there was nothing to mask. */
function maskParts({ ports }: Call, parts: readonly Part[]): MaskedParts | Promise<MaskedParts> {
  if (parts.every((part) => part.type !== "text" || isFree(part.text, (one) => ports.redact(one))))
    return parts as MaskedParts;
  return maskLong(ports, parts);
}

async function maskLong(ports: DispatchPorts, parts: readonly Part[]): Promise<MaskedParts> {
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
