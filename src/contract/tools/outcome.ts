import type { Json, JsonObject } from "../common/json.ts";
import type { Part, Provenance } from "../conversation/part.ts";
import { definedFields } from "../common/defined-fields.ts";

/** How a tool call ended. */
export type ToolOutcome =
  | { readonly kind: "ok"; readonly value: Json; readonly shown: readonly Part[] }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly data?: JsonObject;
      /** Shown instead, as the tool wrote it. */ readonly words?: string;
      /** The message may contain untrusted text: an error page, a service's response. */ readonly from?: Provenance;
    }
  | { readonly kind: "denied"; readonly by: string; readonly reason: string; readonly data?: JsonObject }
  | { readonly kind: "cancelled"; readonly reason: string }
  /** Interrupted: it may or may not have happened. Never rerun automatically. */
  | {
      readonly kind: "unknown";
      readonly reason: string;
      readonly data?: JsonObject;
      /** The data may contain untrusted text. */ readonly from?: Provenance;
    };

/** The stored part of an outcome: everything the model is shown, nothing twice. */
export type SettledOutcome =
  | Exclude<ToolOutcome, { kind: "ok" }>
  | { readonly kind: "ok"; readonly shown: readonly Part[] };

export function toSettled(outcome: ToolOutcome): SettledOutcome {
  return outcome.kind === "ok" ? { kind: "ok", shown: outcome.shown } : outcome;
}

/**
 * The content of an outcome for the model. Always parts; anything but `ok` is one well-formed JSON object with an
 * `error` key.
 */
export function shownOf(outcome: SettledOutcome): readonly Part[] {
  if (outcome.kind === "ok") return outcome.shown;
  const from =
    (outcome.kind === "failed" || outcome.kind === "unknown") && outcome.from !== undefined
      ? { from: outcome.from }
      : {};
  return [
    {
      type: "text",
      text:
        outcome.kind === "failed" && outcome.words !== undefined ? outcome.words : JSON.stringify(errorObject(outcome)),
      ...from,
    },
  ];
}

function errorObject(outcome: Exclude<SettledOutcome, { kind: "ok" }>): JsonObject {
  switch (outcome.kind) {
    case "failed":
      return { ...outcome.data, error: outcome.message, ...definedFields({ hint: outcome.hint }) };
    case "denied":
      return { ...outcome.data, error: outcome.reason, status: "blocked" };
    case "cancelled":
      return { error: `Cancelled: ${outcome.reason}` };
    case "unknown":
      return {
        ...outcome.data,
        error: `Interrupted, outcome unknown: ${outcome.reason}`,
        hint: "It may or may not have happened. Check before you repeat it.",
      };
  }
}
