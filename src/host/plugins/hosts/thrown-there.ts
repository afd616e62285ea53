import { OutcomeUnknown, ToolFailure, UserError } from "../../../contract/failure.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { PeerError } from "./peer.ts";

/** What was thrown in the other process, as if it had been thrown here: type, words and stack. */
export function thrownThere(cause: PeerError): Error {
  const { type, stack, code, hint, more, words } = cause.data as { readonly type?: string; readonly stack?: string; readonly code?: string; readonly hint?: string; readonly more?: JsonObject; readonly words?: string };
  if (type === "ToolFailure") return new ToolFailure(code ?? "failed", cause.message, { hint, data: more, words, cause });
  if (type === "UserError") return new UserError(cause.message, { ...(hint === undefined ? {} : { hint }), cause });
  if (type === "OutcomeUnknown") return new OutcomeUnknown(cause.message, { ...(more === undefined ? {} : { data: more }), cause });
  const error = new Error(cause.message, { cause });
  error.name = type ?? "Error";
  if (stack !== undefined) error.stack = stack;
  return error;
}
