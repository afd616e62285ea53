import type { Json, JsonObject, ModelRequest } from "hermes-agent/plugin";
import { endpoint, listModels, serviceHeaders } from "../messages/client.ts";
import { wireId } from "../wire/call-ids.ts";
import { thinkingFields, traitsOf } from "../messages/thinking.ts";
import type { CallOptions, LanguageModel, PromptMessage, ProviderFields } from "./language-model.ts";
import { promptOf } from "./prompt.ts";
import { KEY, toolOptions, type Speaker } from "./speaker.ts";
import { definedFields } from "hermes-agent/plugin";

interface Anthropic {
  createAnthropic(options: {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly fetch: typeof fetch;
  }): (model: string) => LanguageModel;
}

type Block = { readonly type: string; readonly [key: string]: Json };

/** Anthropic Messages by `@ai-sdk/anthropic`. */
export const MESSAGES: Speaker = {
  package: "@ai-sdk/anthropic",
  wire: "messages",
  address: (connection) => endpoint(connection, "").replace(/\/$/, ""),
  model: (sdk, { model, ...way }) => (sdk as Anthropic).createAnthropic({ apiKey: KEY, ...way })(model),
  headers: serviceHeaders,
  options(request, { row, settings }) {
    const maxTokens = request.maxOutputTokens ?? traitsOf(request.model).maxOutputTokens;
    const { thinking, budget, effort } = requestsOf(request, maxTokens);
    const marker: ProviderFields = {
      anthropic: {
        cacheControl: definedFields({ type: "ephemeral", ttl: settings.cacheTtl === "1h" ? "1h" : undefined }),
      },
    };
    const prompt = promptOf(request, {
      from: thinking === undefined ? "" : row.id,
      imagesInResults: true,
      strict: true,
      callId: (id) => wireId(id, "plain"),
      replay,
    });
    return {
      prompt: markedForCache(prompt, marker),
      ...toolOptions(request),
      // The package adds the budget to the limit; on the wire it is part of it.
      maxOutputTokens: maxTokens - budget,
      // A thinking model takes no temperature but its own.
      temperature: request.temperature === undefined || thinking !== undefined ? undefined : request.temperature,
      providerOptions: {
        anthropic: definedFields({
          toolStreaming: false,
          thinking,
          effort,
        }),
      },
    };
  },
  body: (body) => body,
  /** The service refuses thinking that another model or key signed, so it is removed. */
  repaired(body, { complaint, sent }) {
    if (
      complaint.status !== 400 ||
      !/signature|thinking/i.test(complaint.message) ||
      !JSON.stringify(sent).includes('"signature":')
    )
      return undefined;
    const messages = body["messages"] as unknown as readonly {
      readonly role: string;
      readonly content: readonly Block[];
    }[];
    const { thinking: _thinking, ...rest } = body;
    return {
      ...rest,
      messages: messages
        .map((message) => ({
          ...message,
          content: message.content.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking"),
        }))
        .filter(({ content }) => content.length > 0),
    };
  },
  listModels,
  keep(metadata) {
    const all = metadata.flatMap(({ anthropic }) => (anthropic === undefined ? [] : [anthropic]));
    const redacted = all.map((fields) => fields["redactedData"]).find((data) => typeof data === "string");
    if (redacted !== undefined) return { redacted };
    const signature = all
      .map((fields) => (typeof fields["signature"] === "string" ? fields["signature"] : ""))
      .join("");
    return signature === "" ? undefined : { signature };
  },
};

function requestsOf(
  request: ModelRequest,
  maxTokens: number,
): { readonly thinking?: JsonObject; readonly budget: number; readonly effort?: string } {
  const fields = thinkingFields(request, maxTokens) as {
    readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
    readonly output_config?: { readonly effort: string };
  };
  const { thinking, output_config } = fields;
  if (thinking === undefined) return { budget: 0 };
  if (thinking.budget_tokens === undefined)
    return {
      thinking: { type: thinking.type },
      budget: 0,
      effort: output_config?.effort,
    };
  return { thinking: { type: thinking.type, budgetTokens: thinking.budget_tokens }, budget: thinking.budget_tokens };
}

function replay({ signature, redacted }: JsonObject, kind: "reasoning" | "call"): ProviderFields | undefined {
  if (kind === "call") return undefined;
  if (typeof redacted === "string") return { anthropic: { redactedData: redacted } };
  return typeof signature === "string" ? { anthropic: { signature } } : undefined;
}

/**
 * Marks the system prompt, which covers the tools before it, and the last three messages: four markers, which is the
 * service's limit. Results and the user message after them are one message on the wire.
 */
function markedForCache(prompt: CallOptions["prompt"], marker: ProviderFields): CallOptions["prompt"] {
  const marked: PromptMessage[] = prompt.map((message) =>
    message.role === "system" ? { ...message, providerOptions: marker } : message,
  );
  let side: string | undefined;
  for (let at = marked.length - 1, left = 3; at >= 0 && left > 0; at--) {
    const message = marked[at]!;
    if (message.role === "system") continue;
    const own = message.role === "assistant" ? "assistant" : "user";
    if (own === side) continue;
    const last = message.content.findLastIndex(({ type }) => type !== "reasoning");
    if (last < 0) continue;
    marked[at] = {
      ...message,
      content: message.content.with(last, {
        ...message.content[last]!,
        providerOptions: { ...message.content[last]!.providerOptions, ...marker },
      }),
    };
    side = own;
    left--;
  }
  return marked;
}
