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
 * An agent that has ended.
 * @param why In words, as `LineProgram` tells it.
 * @param ready It had answered before: then another one may do.
 */
export function ended(service: AgentService, why: string, ready: boolean): AgentFailure {
  const { label, install, signIn, commandEnv } = service;
  const helps = `${install} and ${signIn}, or say where the program lies: ${commandEnv[0]}.`;
  if (/^(there is no program|it cannot be started)|cannot be run/.test(why))
    return new AgentFailure("network", `${label} cannot be asked: ${plain(why)}. ${helps}`);
  if (ready) return new AgentFailure("server", `${label} broke off: ${plain(why)}.`, true);
  return new AgentFailure(
    "server",
    `${label} did not begin: ${plain(why)}. Is it the newest version, and signed in? ${helps}`,
  );
}

type Kind = Pick<ModelFailure, "code" | "retryable">;

/** The protocol's own codes: not signed in, and a method that the agent does not have. */
const BY_CODE: { readonly [code: number]: Kind } = {
  [-32000]: { code: "auth", retryable: false },
  [-32601]: { code: "bad_request", retryable: false },
};

/** What agents say where the protocol has no code. */
const BY_WORDS: readonly (Kind & { readonly said: RegExp })[] = [
  {
    said: /not (logged|signed) in|\blog ?in\b|authenticat|unauthori[sz]ed|\b40[13]\b/i,
    code: "auth",
    retryable: false,
  },
  { said: /quota|billing|premium requests?|payment|\b402\b/i, code: "billing", retryable: false },
  { said: /rate.?limit|too many requests|\b429\b/i, code: "rate_limit", retryable: true },
  {
    said: /context (length|window)|too (long|large)|too many tokens|\b413\b/i,
    code: "context_overflow",
    retryable: false,
  },
  { said: /model\b.{0,80}(not (found|available|supported)|unknown)/i, code: "model_not_found", retryable: false },
  { said: /overloaded|unavailable|\b(503|529)\b/i, code: "overloaded", retryable: true },
];

/** An agent that lives and refuses. */
export function refused(
  { label, signIn }: AgentService,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): AgentFailure {
  const details =
    isObject(error.data) && typeof error.data["details"] === "string" ? ` (${error.data["details"]})` : "";
  const words = plain(`${error.message}${details}`);
  const { code, retryable } = BY_CODE[error.code] ??
    BY_WORDS.find(({ said: output }) => output.test(words)) ?? { code: "server", retryable: true };
  return new AgentFailure(
    code,
    `${label} reports an error: ${words.replace(/([^.!?])$/, "$1.")}${code === "auth" ? ` To sign in, ${signIn}.` : ""}`,
    retryable,
  );
}

/** One line, and not an endless one. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
