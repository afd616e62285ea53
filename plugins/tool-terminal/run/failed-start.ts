import { TerminalUnavailable, ToolFailure } from "hermes-agent/plugin";

/** A backend that cannot be reached, in the shape this tool's results have. Nothing is tried a second time: it may have had effects. */
export function failedStart(error: unknown): unknown {
  if (!(error instanceof TerminalUnavailable)) return error;
  return new ToolFailure("unavailable", error.message, {
    data: { output: "", exit_code: -1, status: "disabled" },
    cause: error,
    hint: error.hint,
  });
}
