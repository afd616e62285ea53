import { ToolFailure } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Message, ModelEnd, ModelFailure } from "../../contract/providers/model.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { LlmAnswer, LlmRequest } from "../../contract/plugins/plugin.ts";
import type { ConnectingModelService } from "./model-service.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const TIMEOUT_MS = 120_000;

export interface AskPorts {
  readonly models: ConnectingModelService;
  readonly config: (path: string) => Json | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Tokens that each plugin's questions used so far. */
  readonly used: Map<string, number>;
  /**
   * The plugin's own settings. For an external plugin, only values that the user wrote, not defaults of its manifest.
   */
  ownSetting(plugin: string, path: string): Json | undefined;
}

/**
 * A plugin's request to the user's model: without tools or conversation, and within the models and tokens that the
 * user allowed.
 */
export async function askModel(
  ports: AskPorts,
  plugin: string,
  request: LlmRequest,
  signal?: AbortSignal,
): Promise<LlmAnswer> {
  const rule = (name: string): Json | undefined => ports.config(`plugins.entries.${plugin}.llm.${name}`);
  for (const what of ["provider", "model"] as const) {
    const wanted = request[what];
    if (wanted !== undefined && !allowed(wanted, rule(`allow_${what}_override`), rule(`allowed_${what}s`))) {
      throw new ToolFailure("blocked", `The plugin "${plugin}" may not choose the ${what} "${wanted}".`, {
        hint: `hermes config set plugins.entries.${plugin}.llm.allow_${what}_override true`,
      });
    }
  }
  const requested =
    request.setting === undefined
      ? { provider: request.provider, model: request.model }
      : namedBy(request.setting, ports.ownSetting(plugin, request.setting));
  const budget = rule("token_budget");
  const used = ports.used.get(plugin) ?? 0;
  if (typeof budget === "number" && used >= budget)
    throw new ToolFailure(
      "blocked",
      `The plugin "${plugin}" used ${used} tokens for its own requests, but its budget is ${budget}.`,
      { hint: `hermes config set plugins.entries.${plugin}.llm.token_budget TOKENS` },
    );
  const model =
    request.task !== undefined && requested.provider === undefined && requested.model === undefined
      ? await ports.models.auxiliary(request.task)
      : await ports.models.inUse({
          provider: requested.provider,
          name: requested.model,
        });
  const limit = AbortSignal.any([
    ports.signal,
    AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS),
    ...(signal === undefined ? [] : [signal]),
  ]);
  const messages = request.messages.map(({ role, text, images = [] }): Message =>
    role === "user" ? { role, parts: [{ type: "text", text }, ...images] } : { role, parts: [{ type: "text", text }] },
  );
  let end: ModelEnd | undefined;
  const asked = {
    model: model.model,
    system: request.system ?? "",
    tools: [],
    messages,
    sessionId: `plugin:${plugin}`,
    purpose: { kind: request.kind ?? request.task ?? "plugin" },
    temperature: request.temperature,
    maxOutputTokens: request.maxOutputTokens,
  };
  for await (const event of model.client.stream(asked, limit)) if (event.type === "end") end = event;
  if (end?.kind !== "answer")
    throw new ToolFailure(
      "unavailable",
      end?.failure.message ?? "The model returned no answer.",
      end === undefined ? {} : { data: retryOf(end.failure) },
    );
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = end.usage;
  ports.used.set(plugin, (ports.used.get(plugin) ?? 0) + inputTokens + outputTokens);
  ports.log.info(
    `The plugin "${plugin}" sent a request to ${model.provider}/${end.model ?? model.model}${request.purpose === undefined ? "" : ` for ${request.purpose}`}: ${inputTokens + outputTokens} tokens`,
  );
  return {
    text: textOf(end.parts),
    provider: model.provider,
    model: end.model ?? model.model,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      cache_read_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
    },
  };
}

function namedBy(setting: string, value: Json | undefined): { readonly provider?: string; readonly model: string } {
  const { provider, model } = isObject(value) ? value : {};
  if (typeof model !== "string" || model === "")
    throw new ToolFailure("unavailable", `The settings select no model in "${setting}".`);
  return { model, provider: typeof provider === "string" && provider !== "" ? provider : undefined };
}

/** Whether it may help to ask again, and when. */
function retryOf({ retryable, retryAfterMs }: ModelFailure): JsonObject {
  return definedFields({ retryable, retry_after_ms: retryAfterMs });
}

function allowed(wanted: string, override: Json | undefined, names: Json | undefined): boolean {
  if (override !== true) return false;
  return (
    !Array.isArray(names) || names.some((name) => name === "*" || String(name).toLowerCase() === wanted.toLowerCase())
  );
}
