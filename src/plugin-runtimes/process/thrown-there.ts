import { OutcomeUnknown, ToolFailure, UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { UntrustedSource } from "../../contract/conversation/part.ts";
import { untrustedSource } from "./untrusted-source.ts";
import type { PeerError } from "./peer.ts";

/** An error of the other process as if thrown here: type, message, its source and stack. */
export function thrownThere(there: PeerError): Error {
  const { type, stack, code, hint, more, words, from } = there.data as {
    readonly type?: string;
    readonly stack?: string;
    readonly code?: string;
    readonly hint?: string;
    readonly more?: JsonObject;
    readonly words?: string;
    readonly from?: Json;
  };
  const author = authorText(from);
  if (type === "ToolFailure")
    return new ToolFailure(code ?? "failed", there.message, { hint, data: more, words, from: author, cause: there });
  const cause = author === undefined ? there : new ToolFailure("failed", there.message, { from: author, cause: there });
  if (type === "UserError") return new UserError(there.message, { hint, cause });
  if (type === "OutcomeUnknown") return new OutcomeUnknown(there.message, { data: more, cause });
  const error = new Error(there.message, { cause });
  error.name = type ?? "Error";
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Any text in it is untrusted. */
function authorText(from: Json | undefined): UntrustedSource | undefined {
  try {
    return from === undefined ? undefined : untrustedSource(from);
  } catch {
    return { source: "a plugin that does not name the source of its text" };
  }
}
