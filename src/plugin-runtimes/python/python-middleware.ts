import { parseExact } from "../../contract/common/parse-exact.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { LlmRequestInfo, MiddlewareKind, MiddlewareMap } from "../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ModelEnd } from "../../contract/providers/model.ts";
import { shownOf } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { BREACH } from "../../host/plugins/registry/contract-breach.ts";
import type { CallScope } from "../process/call-scope.ts";
import { PeerError } from "../process/peer.ts";
import { raised } from "./python-raised.ts";
import { endForAgent, endForPython, requestForAgent, requestForPython } from "../../host/compat/python-llm.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";
import { textAt } from "../process/text-at.ts";

type Input<K extends MiddlewareKind> = MiddlewareMap[K]["input"];
type Next<K extends MiddlewareKind> = (changed?: Partial<Input<K>>) => Promise<MiddlewareMap[K]["output"]>;
/** Runs the callback; `serve` answers its `next_call`. */
type Ask = (input: JsonObject, serve?: (changed: Json) => Promise<Json>) => Promise<Json>;

/** A request middleware has as much time as a hook; an execution middleware as long as the call it wraps. */
const REQUEST_MS = 25_000;

/**
 * Middleware of a Python plugin, with the original's payloads: a request returns its changes, an execution calls
 * `next_call`.
 */
export function registerPythonMiddleware(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  const kind = textAt(message, "name");
  const askFor =
    (sessionId: string): Ask =>
    (input, serve) => {
      const scope: CallScope = {
        serve: (method, params) => (method === "middleware.next" ? serve?.(params["changed"] ?? null) : undefined),
      };
      return remote.call(
        "middleware.call",
        { handle, middleware: kind, input, context: { session_id: sessionId } },
        serve === undefined ? { timeoutMs: REQUEST_MS } : { scope },
      );
    };
  switch (kind) {
    case "tool_request":
      ctx.middleware(kind, (input, next) => toolRequest(input, next, askFor(input.session_id)));
      return;
    case "tool_execution": {
      const wrapped = textAt(message, "tool");
      if (wrapped === "") ctx.middleware(kind, (input, next) => toolExecution(input, next, askFor(input.session_id)));
      else
        ctx.middleware(kind, (input, next) =>
          input.tool_name === wrapped ? wrappedTool(input, next, askFor(input.session_id), remote) : next(),
        );
      return;
    }
    case "llm_request":
      ctx.middleware(kind, (input, next) => llmRequest(input, next, askFor(input.session_id)));
      return;
    case "llm_execution":
      ctx.middleware(kind, (input, next) => llmExecution(input, next, askFor(input.session_id)));
      return;
    default:
      ctx.log.warning(
        `The plugin "${ctx.id}" registers ${kind} middleware, which this version never calls. Supported: tool_request, tool_execution, llm_request, llm_execution.`,
        BREACH,
      );
  }
}

async function toolRequest(input: Input<"tool_request">, next: Next<"tool_request">, ask: Ask): Promise<JsonObject> {
  const args = objectAt(await ask(input as unknown as JsonObject), "args");
  return next(args === undefined ? undefined : { args });
}

async function toolExecution(input: Input<"tool_execution">, next: Next<"tool_execution">, ask: Ask): Promise<Json> {
  let inner: { readonly value: Json; readonly text: string } | undefined;
  const answer = await ask(input as unknown as JsonObject, async (changed) => {
    const value = await next(
      typeof changed === "object" && changed !== null ? { args: changed as JsonObject } : undefined,
    );
    inner = { value, text: typeof value === "string" ? value : JSON.stringify(value) };
    return inner.text;
  });
  // None means no change, so it does not remove a result.
  if (answer === null) return undefined as never;
  // The middleware's text if it changed or refused the result, else the result unchanged.
  return answer === inner?.text ? inner.value : ownWords(answer);
}

/**
 * A plugin's handler that wraps the tool's own: it is the tool now, so an exception fails the call and does not bypass
 * the wrapper.
 */
async function wrappedTool(
  input: Input<"tool_execution">,
  next: Next<"tool_execution">,
  ask: Ask,
  remote: RemotePlugin,
): Promise<Json> {
  let broken: { readonly cause: unknown } | undefined;
  let failed: { readonly text: string; readonly cause: ToolFailure } | undefined;
  // A handler returns its errors as JSON.
  const asText = async (changed?: Partial<Input<"tool_execution">>): Promise<Json> => {
    try {
      return await next(changed);
    } catch (cause) {
      if (!(cause instanceof ToolFailure)) {
        broken = { cause };
        throw cause;
      }
      const { code, message, hint, data, words } = cause;
      failed = { cause, text: textOf(shownOf({ kind: "failed", code, message, hint, data, words })) };
      return failed.text;
    }
  };
  let answer: Json;
  try {
    answer = (await toolExecution(input, asText, ask)) ?? null;
  } catch (cause) {
    if (broken !== undefined) throw broken.cause;
    const failure = raised(cause, remote);
    return { error: failure instanceof Error ? failure.message : String(failure) };
  }
  if (failed !== undefined && answer === failed.text) throw failed.cause;
  return answer;
}

async function llmRequest(
  input: LlmRequestInfo,
  next: Next<"llm_request">,
  ask: Ask,
): Promise<MiddlewareMap["llm_request"]["output"]> {
  const changed = objectAt(await ask(llmInput(input)), "request");
  return next(changed === undefined ? undefined : { request: requestForAgent(changed, input.request) });
}

async function llmExecution(input: LlmRequestInfo, next: Next<"llm_execution">, ask: Ask): Promise<ModelEnd> {
  let inner: { readonly end: ModelEnd; readonly shown: JsonObject | undefined } | undefined;
  try {
    const answer = await ask(llmInput(input), async (changed) => {
      const request =
        typeof changed === "object" && changed !== null
          ? requestForAgent(changed as JsonObject, input.request)
          : input.request;
      const end = await next({ request });
      inner = {
        end,
        shown: end.kind === "answer" ? endForPython(end, request.model, input.api_request_id) : undefined,
      };
      if (end.kind === "failure")
        throw new PeerError(end.failure.message, -32000, { type: "ModelFailure", code: end.failure.code });
      return inner.shown!;
    });
    return endForAgent(answer, inner);
  } catch (cause) {
    // It passed the model's failure on, which is not its own fault.
    if (inner?.end.kind === "failure" && cause instanceof PeerError) return inner.end;
    throw cause;
  }
}

function llmInput({ request, original_request, ...info }: LlmRequestInfo): JsonObject {
  return {
    ...info,
    base_url: "",
    api_mode: "chat_completions",
    request: requestForPython(request),
    original_request: requestForPython(original_request),
  };
}

function objectAt(answer: Json, name: string): JsonObject | undefined {
  const found = (answer as JsonObject | null)?.[name];
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as JsonObject) : undefined;
}

function ownWords(answer: Json): Json {
  if (typeof answer !== "string") return answer;
  try {
    return parseExact(answer) as Json;
  } catch {
    return answer;
  }
}
