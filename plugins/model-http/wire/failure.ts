import type { ModelFailure } from "hermes-agent/plugin";
import type { Complaint } from "./complaint.ts";
import { classify } from "./error-table.ts";
import { windowInError } from "./window-in-error.ts";

/** The service and model for messages; `key` is only used to mask it. */
export interface Asked {
  readonly service: string;
  readonly model: string;
  readonly keyEnv: readonly string[];
  readonly key: string | undefined;
  /** Where the key comes from; without a key, why there is none. Absent: one of `keyEnv`. */
  readonly keyOrigin?: string | undefined;
}

/** The one place that decides what a complaint means for the engine. */
export function failureOf(complaint: Complaint, asked: Asked): ModelFailure {
  const { code, retryable } = classify(complaint);
  const output = mask(complaint.message, asked.key);
  const status = complaint.status === undefined ? "reports an error" : `answered ${complaint.status}`;
  return {
    code,
    message: `${asked.service} ${status}${output === "" ? "." : `: ${output.replace(/([^.!?])$/, "$1.")}`}${advice(code, asked, output)}${/\bv1\/responses\b/.test(output) ? " To use its other wire, run `hermes config set model.api_mode codex_responses`." : ""}`,
    retryable,
    retryAfterMs: complaint.retryAfterMs,
    status: complaint.status,
    contextTokens: code === "context_overflow" ? windowInError(complaint.message) : undefined,
  };
}

/** Sent where a wire asks for some key and the endpoint has none. */
const NO_KEY = "no-key-required";

function advice(code: ModelFailure["code"], asked: Asked, output: string): string {
  const names = asked.keyEnv.slice(0, 2).join(" or ");
  switch (code) {
    case "auth": {
      const { key, keyOrigin } = asked;
      if (key !== undefined && key !== NO_KEY)
        return ` Check ${keyOrigin ?? (names === "" ? "the key" : names)} (\`hermes setup\`).`;
      return keyOrigin === undefined
        ? ` No key was sent: set ${names === "" ? "the key" : names} (\`hermes setup\`).`
        : ` No key was sent, because ${keyOrigin}. Set it with \`hermes setup\`.`;
    }
    case "billing":
      return " The account needs credit, or choose another provider with `hermes model`.";
    case "model_not_found":
      // Without a message the server may not serve models at all.
      return `${output === "" ? " Is the base URL right?" : ""} Is "${asked.model}" the right name? \`hermes model\` lists what there is.`;
    default:
      return "";
  }
}

/** One short line without control characters, our key, or anything that looks like one. */
function mask(message: string, key: string | undefined): string {
  const withoutKey = key === undefined || key.length < 4 ? message : message.replaceAll(key, "[key]");
  const line = withoutKey
    .replace(/\b(sk|pk|gsk|xai|hf|nvapi|AIza|ghp|gho|ghu|key)[-_]?[A-Za-z0-9*._-]{12,}/g, "[key]")
    .replace(/\b(bearer)\s+\S+/gi, "$1 [key]")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
