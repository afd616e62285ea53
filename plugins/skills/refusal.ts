import { ToolFailure, type JsonObject } from "hermes-agent/plugin";

/** A refusal in the result shape that callers know: `success` is false. */
export function refusal(
  code: "not_found" | "bad_arguments" | "blocked" | "conflict",
  message: string,
  hint?: string,
  data: JsonObject = {},
  cause?: unknown,
): ToolFailure {
  return new ToolFailure(code, message, {
    hint,
    data: { success: false, ...data },
    cause,
  });
}
