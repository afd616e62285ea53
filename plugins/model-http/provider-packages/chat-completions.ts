import type { Json, JsonObject } from "hermes-agent/plugin";
import { endpoint, listModels, serviceHeaders } from "../chat-completions/client.ts";
import { bodyWithout, refusedField, takesReplay, traitsWithout } from "../chat-completions/refused-fields.ts";
import { limitsAndRequests, withMarkers, type WireMessage } from "../chat-completions/request-body.ts";
import type { LanguageModel, ProviderFields } from "./language-model.ts";
import { promptOf } from "./prompt.ts";
import { together, toolOptions, type Speaker } from "./speaker.ts";

interface OpenAiCompatible {
  createOpenAICompatible(options: {
    readonly name: string;
    readonly baseURL: string;
    readonly includeUsage: boolean;
    readonly fetch: typeof fetch;
  }): (model: string) => LanguageModel;
}

/** OpenAI chat completions by `@ai-sdk/openai-compatible`. Differences of a service are handled as on our own wire. */
export const CHAT_COMPLETIONS: Speaker = {
  package: "@ai-sdk/openai-compatible",
  address: (connection) => endpoint(connection, ""),
  model: (sdk, { model, ...way }) =>
    (sdk as OpenAiCompatible).createOpenAICompatible({ name: "service", includeUsage: true, ...way })(model),
  headers: serviceHeaders,
  options: (request, { row }) => ({
    prompt: promptOf(request, { from: row.id, imagesInResults: false, replay }),
    ...toolOptions(request),
  }),
  body(body, request, { refused, row, settings }) {
    const traits = traitsWithout(refused, row.traits ?? {});
    const messages = withMarkers(body["messages"] as unknown as readonly WireMessage[], request, {
      traits,
      cacheTtl: settings.cacheTtl ?? "5m",
    });
    return bodyWithout(refused, {
      ...(takesReplay(refused)
        ? { ...body, messages: messages as unknown as Json }
        : { ...body, messages: messages.map(withoutThinking) as unknown as Json }),
      ...limitsAndRequests(request, traits),
    });
  },
  repaired(body, { sent, complaint, failure, connection: { refused } }) {
    const field = failure.code === "bad_request" ? refusedField(complaint, sent as Record<string, Json>) : undefined;
    if (field === undefined || refused.has(field)) return undefined;
    refused.add(field);
    return body;
  },
  listModels,
  keep(metadata, kind) {
    // The format that `chat-completions/` stores, so that a conversation can switch between the two clients.
    if (kind === "text") return undefined;
    if (kind === "reasoning") return { field: "reasoning_content" };
    const signature = together(metadata)["service"]?.["thoughtSignature"];
    return signature === undefined
      ? undefined
      : { extra: { extra_content: { google: { thought_signature: signature } } } };
  },
};

function replay(saved: JsonObject, kind: "reasoning" | "call"): ProviderFields | undefined {
  if (kind === "reasoning") return typeof saved["field"] === "string" ? {} : undefined;
  const google = (saved["extra"] as { readonly extra_content?: { readonly google?: JsonObject } } | undefined)
    ?.extra_content?.google;
  const signature = google?.["thought_signature"];
  return signature === undefined ? undefined : { google: { thoughtSignature: signature } };
}

function withoutThinking({
  reasoning_content: _thinking,
  ...message
}: WireMessage & { readonly reasoning_content?: Json }): JsonObject {
  return message;
}
