import type { ModelRequest } from "hermes-agent/plugin";
import type { Connection } from "./connection.ts";

/**
 * What a service takes as the id of a call. `mistral`: nine letters or digits; `plain`: letters, digits, `_` and `-`, at
 * most 64; `short` and `long`: at most 40 and 64 of any.
 */
export type IdForm = "mistral" | "plain" | "short" | "long";

const FORMS: { readonly [form in IdForm]: RegExp } = {
  mistral: /^[a-zA-Z0-9]{9}$/,
  plain: /^[a-zA-Z0-9_-]{1,64}$/,
  short: /^[^]{1,40}$/,
  long: /^[^]{1,64}$/,
};

/** The id that goes over the wire instead of a session's own: always the same for one id, and another for another. */
export function wireId(id: string, form: IdForm | undefined): string {
  if (form === undefined || FORMS[form].test(id)) return id;
  // Loads only where an id has to change.
  const digest = process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(id)
    .digest("base64")
    .replace(/[^a-zA-Z0-9]/g, "");
  // Two ids may differ only in characters that the service refuses, so the digest is part of the new one.
  return form === "mistral"
    ? digest.slice(0, 9)
    : `${id.slice(0, 24).replace(/[^a-zA-Z0-9_-]/g, "_")}_${digest.slice(0, 12)}`;
}

/** The form of ids in chat completions: by service, by model, or as the service demanded. */
export function idFormOf(
  { row, baseUrl = "", refused }: Pick<Connection, "row" | "baseUrl" | "refused">,
  model: string,
): IdForm | undefined {
  const learned = [...(refused.get(model) ?? [])].find((id) => id.startsWith("ids:"));
  if (learned !== undefined) return learned.slice(4) as IdForm;
  if (row.id === "mistral" || /\bapi\.mistral\.ai\b/.test(baseUrl) || MISTRAL.test(model)) return "mistral";
  if (/^(openai|azure-foundry)$/.test(row.id) || /\.openai\.(com|azure\.com)\b/.test(baseUrl) || OPENAI.test(model))
    return "short";
  // Claude behind chat completions keeps the rule of its own wire.
  return /claude/i.test(model) ? "plain" : undefined;
}

const MISTRAL = /(mi[sx]tral|codestral|devstral|magistral|ministral|pixtral|voxtral)/i;
const OPENAI = /^(openai\/|azure\/)?(gpt-[345]|o[1345](-|$)|chatgpt)/i;

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
