import type { Json } from "hermes-agent/plugin";
import type { Complaint } from "../wire/failure.ts";
import type { Traits } from "./providers.ts";

/** Fields that can be omitted without changing the request's meaning. */
const OPTIONAL = [
  "stream_options",
  "prompt_cache_key",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "temperature",
  "parallel_tool_calls",
  "stream",
] as const;
const REPLAY = ["reasoning_content", "reasoning_details"] as const;
const LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/** The field of this body that the service refuses, if it can be omitted. */
export function refusedField({ message }: Complaint, body: Record<string, Json>): string | undefined {
  if (
    !/unsupported|not support|unrecogni|unknown|unexpected|extra|not (permitted|allowed)|forbidden|invalid|only the default/i.test(
      message,
    )
  )
    return undefined;
  const names = (field: string): boolean => new RegExp(`\\b${field}\\b`).test(message);
  return (
    REPLAY.find((field) => names(field) && JSON.stringify(body["messages"]).includes(`"${field}":`)) ??
    [...LIMITS, ...OPTIONAL].find((field) => field in body && names(field))
  );
}

/** The two names of the output limit replace each other. */
export function traitsWithout(refused: ReadonlySet<string>, traits: Traits): Traits {
  if (refused.has("max_tokens")) return { ...traits, maxTokens: "max_completion_tokens" };
  if (refused.has("max_completion_tokens")) return { ...traits, maxTokens: undefined };
  return traits;
}

export function takesReplay(refused: ReadonlySet<string>): boolean {
  return !REPLAY.some((field) => refused.has(field));
}

export function bodyWithout(refused: ReadonlySet<string>, body: Record<string, Json>): Record<string, Json> {
  for (const field of OPTIONAL) if (refused.has(field)) delete body[field];
  if (refused.has("stream")) delete body["stream_options"];
  return body;
}
