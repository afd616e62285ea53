import type { LlmRequestInfo, MiddlewareKind, RequestInfo } from "../../contract/plugins/hook.ts";
import type { ModelEnd, ModelFailure, ModelRequest, Usage } from "../../contract/providers/model.ts";
import type { AnswerPart } from "../../contract/conversation/part.ts";
import { wellFormedCalls } from "../../contract/common/well-formed.ts";
import { NO_USAGE } from "../../contract/common/usage.ts";
import { abortable } from "../async/abortable.ts";
import { bounded } from "../async/bounded.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { TurnResources } from "./turn-resources.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

type Service = Pick<TurnResources, "ports" | "transcript">;

/** The time that middleware may take besides the model's. */
const OWN_MS = 30_000;

/**
 * The request as `llm_request` middleware leaves it; one that hangs or returns none changes nothing. Rejects with the
 * signal's reason.
 */
export async function rewriteRequest(
  resources: Service,
  info: RequestInfo,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { middlewares, clock, log } = resources.ports;
  if (!middlewares.has("llm_request")) return request;
  const input: LlmRequestInfo = { ...info, request, original_request: request };
  const ended = await bounded(
    abortable(
      middlewares.run("llm_request", input, async (last) => last.request),
      signal,
    ),
    OWN_MS,
    clock,
  );
  const changed = ended.kind === "timeout" ? undefined : allowed(request, ended.value);
  if (changed === undefined) {
    log.warning(
      `The llm_request middleware of ${owners(resources, "llm_request")} ${ended.kind === "timeout" ? `gave no answer within ${OWN_MS / 1000} s` : "returned no request"}; the request stays unchanged.`,
    );
    return request;
  }
  reportOfPrefix(resources, "llm_request", request, changed);
  return changed;
}

/**
 * Asks inside the `llm_execution` middleware. Never rejects: a middleware that breaks, hangs or answers nonsense ends
 * as a failure.
 * @param original Before `llm_request` middleware.
 */
export async function askInside(
  resources: Service,
  info: RequestInfo,
  request: ModelRequest,
  original: ModelRequest,
  { signal, totalMs }: { readonly signal: AbortSignal; readonly totalMs: number },
  ask: (request: ModelRequest) => Promise<ModelEnd>,
): Promise<ModelEnd> {
  const { middlewares, clock, log } = resources.ports;
  if (!middlewares.has("llm_execution")) return ask(request);
  const last = async ({ request: given }: LlmRequestInfo): Promise<ModelEnd> => {
    const changed = allowed(request, given) ?? request;
    reportOfPrefix(resources, "llm_execution", request, changed);
    return ask(changed);
  };
  const limitMs = totalMs + OWN_MS;
  try {
    const ended = await bounded(
      abortable(middlewares.run("llm_execution", { ...info, request, original_request: original }, last), signal),
      limitMs,
      clock,
    );
    if (ended.kind === "timeout")
      return failed(
        "timeout",
        `The llm_execution middleware of ${owners(resources, "llm_execution")} did not end within ${limitMs / 1000} s.`,
      );
    return (
      endOf(ended.value) ??
      failed(
        "bad_response",
        `The llm_execution middleware of ${owners(resources, "llm_execution")} returned an invalid answer.`,
      )
    );
  } catch (cause) {
    if (signal.aborted) return failed("cancelled", "The request was cancelled.");
    log.error("The llm_execution middleware failed.", { cause });
    return failed("bad_response", cause instanceof Error ? cause.message : String(cause));
  }
}

/** The fields of a request that a plugin may change; `undefined` if the result is not a request. */
function allowed(request: ModelRequest, changed: unknown): ModelRequest | undefined {
  if (changed === request) return request;
  if (typeof changed !== "object" || changed === null) return undefined;
  const { sessionId, connectMs, toolChoice } = request;
  const next = {
    ...(changed as ModelRequest),
    sessionId,
    ...definedFields({ connectMs, toolChoice: toolChoice === "none" ? toolChoice : undefined }),
  };
  const whole =
    typeof next.model === "string" &&
    next.model !== "" &&
    typeof next.system === "string" &&
    Array.isArray(next.tools) &&
    Array.isArray(next.messages) &&
    next.messages.length > 0;
  return whole ? wellFormedCalls(next) : undefined;
}

/** Sessions in which it was logged. */
const output = new WeakSet<Transcript>();

function reportOfPrefix(resources: Service, kind: MiddlewareKind, before: ModelRequest, after: ModelRequest): void {
  if (before === after || output.has(resources.transcript)) return;
  if (before.system === after.system && JSON.stringify(before.tools) === JSON.stringify(after.tools)) return;
  output.add(resources.transcript);
  resources.ports.log.warning(
    `The ${kind} middleware of ${owners(resources, kind)} changes the system prompt or the tools of requests; each change may invalidate the prompt cache of the provider.`,
  );
}

function owners({ ports }: Service, kind: MiddlewareKind): string {
  return ports.middlewares
    .list()
    .filter((one) => one.kind === kind)
    .map(({ owner }) => `"${owner}"`)
    .join(", ");
}

function endOf(value: unknown): ModelEnd | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, failure, parts, finish, usage, model } = value as {
    readonly kind?: unknown;
    readonly failure?: ModelFailure;
    readonly parts?: unknown;
    readonly finish?: unknown;
    readonly usage?: Partial<Usage>;
    readonly model?: unknown;
  };
  if (kind === "failure")
    return typeof failure?.code === "string" && typeof failure.message === "string"
      ? { type: "end", kind, failure: { ...failure, retryable: failure.retryable === true } }
      : undefined;
  if (kind !== "answer" || !Array.isArray(parts) || !parts.every(isPart)) return undefined;
  const calls = parts.some(({ type }) => type === "tool-call");
  return {
    type: "end",
    kind,
    parts,
    finish: finish === "length" || finish === "filter" ? finish : calls ? "tool-calls" : "stop",
    usage: { ...NO_USAGE, ...usage },
    model: typeof model === "string" ? model : undefined,
  };
}

function isPart(part: unknown): part is AnswerPart {
  if (typeof part !== "object" || part === null || !("type" in part)) return false;
  const { type, text, callId, tool, args } = part as { readonly [key: string]: unknown };
  if (type === "tool-call") return typeof callId === "string" && typeof tool === "string" && typeof args === "string";
  return (type === "text" || type === "reasoning") && typeof text === "string";
}

function failed(code: ModelFailure["code"], message: string): ModelEnd {
  return { type: "end", kind: "failure", failure: { code, message, retryable: false } };
}
