import type { Json, JsonObject } from "hermes-agent/plugin";
import { endpoint, listModels, serviceHeaders } from "../chat-completions/client.ts";
import { limitsAndRequests, withMarkers, type WireMessage } from "../chat-completions/request-body.ts";
import { idFormOf, wireId } from "../wire/call-ids.ts";
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
  wire: "chat",
  address: (connection) => endpoint(connection, ""),
  model: (sdk, { model, ...way }) =>
    (sdk as OpenAiCompatible).createOpenAICompatible({ name: "service", includeUsage: true, ...way })(model),
  headers: serviceHeaders,
  options: (request, connection) => ({
    prompt: promptOf(request, {
      from: connection.row.id,
      imagesInResults: false,
      callId: (id) => wireId(id, idFormOf(connection, request.model)),
      replay,
    }),
    ...toolOptions(request),
  }),
  body(body, request, { row, settings }) {
    const traits = row.traits ?? {};
    const messages = withMarkers(body["messages"] as unknown as readonly WireMessage[], request, {
      traits,
      cacheTtl: settings.cacheTtl ?? "5m",
    });
    return { ...body, messages: messages as unknown as Json, ...limitsAndRequests(request, traits) };
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
