import type { JsonObject } from "hermes-agent/plugin";
import { endpoint, listModels, serviceHeaders } from "../chat-completions/client.ts";
import type { LanguageModel, ProviderFields } from "./language-model.ts";
import { wireId } from "../wire/call-ids.ts";
import { promptOf } from "./prompt.ts";
import { KEY, together, toolOptions, type Speaker } from "./speaker.ts";
import { definedFields } from "hermes-agent/plugin";

interface OpenAi {
  createOpenAI(options: { readonly baseURL: string; readonly apiKey: string; readonly fetch: typeof fetch }): {
    responses(model: string): LanguageModel;
  };
}

/** OpenAI Responses by `@ai-sdk/openai`. The service stores nothing: thinking goes back encrypted. */
export const RESPONSES: Speaker = {
  package: "@ai-sdk/openai",
  wire: "responses",
  address: (connection) => endpoint(connection, "").replace(/\/responses$/, ""),
  model: (sdk, { model, ...way }) => (sdk as OpenAi).createOpenAI({ apiKey: KEY, ...way }).responses(model),
  headers: serviceHeaders,
  options(request, { row }) {
    const { reasoningEffort: effort, maxOutputTokens, temperature, sessionId } = request;
    return {
      prompt: promptOf(request, { from: row.id, imagesInResults: true, plainFailures: true, callId, replay }),
      ...toolOptions(request),
      maxOutputTokens,
      temperature,
      providerOptions: {
        openai: {
          store: false,
          promptCacheKey: sessionId.slice(-64),
          // For a model that the package does not know, requested thinking means that it supports thinking.
          ...(effort === undefined
            ? {}
            : {
                reasoningEffort: effort,
                ...(effort === "none" ? {} : { reasoningSummary: "auto", forceReasoning: true }),
              }),
        },
      },
    };
  },
  body: (body) => body,
  listModels,
  keep(metadata, kind) {
    const { itemId, reasoningEncryptedContent: encrypted } = together(metadata)["openai"] ?? {};
    return kind === "reasoning" && typeof encrypted === "string"
      ? definedFields({ encrypted, item: typeof itemId === "string" ? itemId : undefined })
      : undefined;
  },
};

/** The parts of one thought share its item. */
function replay({ encrypted, item }: JsonObject, kind: "reasoning" | "call"): ProviderFields | undefined {
  return kind === "reasoning" && typeof encrypted === "string"
    ? {
        openai: definedFields({
          reasoningEncryptedContent: encrypted,
          itemId: typeof item === "string" ? item : undefined,
        }),
      }
    : undefined;
}

function callId(id: string): string {
  return wireId(id, "long");
}
