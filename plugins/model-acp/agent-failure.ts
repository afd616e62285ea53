import { isObject, type ModelFailure } from "hermes-agent/plugin";
import type { AgentService } from "./copilot.ts";

/** Why an agent gave no answer. */
export class AgentFailure extends Error {
  readonly failure: ModelFailure;

  constructor(code: ModelFailure["code"], message: string, retryable = false) {
    super(message);
    this.failure = { code, message, retryable };
  }
}

export function cancelled({ label }: AgentService): AgentFailure {
  return new AgentFailure("cancelled", `The request to ${label} was cancelled.`);
}

/**
 * The failure of an agent whose process ended.
 * @param why The reason from `LineProgram`.
 * @param ready The agent had started successfully, so a retry may help.
 */
export function ended(service: AgentService, why: string, ready: boolean): AgentFailure {
  const { label, install, signIn, commandEnv } = service;
  const helps = `${install} and ${signIn}, or set its path in ${commandEnv[0]}.`;
  if (/^(there is no program|it cannot be started)|cannot be run/.test(why))
    return new AgentFailure("network", `Cannot start ${label}: ${plain(why)}. ${helps}`);
  if (ready) return new AgentFailure("server", `${label} ended during its answer: ${plain(why)}.`, true);
  return new AgentFailure(
    "server",
    `${label} ended during its start: ${plain(why)}. Check that it is up to date and signed in. ${helps}`,
  );
}

type Kind = Pick<ModelFailure, "code" | "retryable">;

/** Error codes of the protocol: not signed in, and unknown method. */
const BY_CODE: { readonly [code: number]: Kind } = {
  [-32000]: { code: "auth", retryable: false },
  [-32601]: { code: "bad_request", retryable: false },
};

/** Error texts of agents for cases without a code in the protocol. */
const BY_TEXT: readonly (Kind & { readonly pattern: RegExp })[] = [
  {
    pattern: /not (logged|signed) in|\blog ?in\b|authenticat|unauthori[sz]ed|\b40[13]\b/i,
    code: "auth",
    retryable: false,
  },
  { pattern: /quota|billing|premium requests?|payment|\b402\b/i, code: "billing", retryable: false },
  { pattern: /rate.?limit|too many requests|\b429\b/i, code: "rate_limit", retryable: true },
  {
    pattern: /context (length|window)|too (long|large)|too many tokens|\b413\b/i,
    code: "context_overflow",
    retryable: false,
  },
  { pattern: /model\b.{0,80}(not (found|available|supported)|unknown)/i, code: "model_not_found", retryable: false },
  { pattern: /overloaded|unavailable|\b(503|529)\b/i, code: "overloaded", retryable: true },
];

/** The failure of a running agent that reports an error. */
export function refused(
  { label, signIn }: AgentService,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): AgentFailure {
  const details =
    isObject(error.data) && typeof error.data["details"] === "string" ? ` (${error.data["details"]})` : "";
  const words = plain(`${error.message}${details}`);
  const { code, retryable } = BY_CODE[error.code] ??
    BY_TEXT.find(({ pattern }) => pattern.test(words)) ?? { code: "server", retryable: true };
  return new AgentFailure(
    code,
    `${label} reports an error: ${words.replace(/([^.!?])$/, "$1.")}${code === "auth" ? ` To sign in, ${signIn}.` : ""}`,
    retryable,
  );
}

/** One line of limited length. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
