import type { JsonObject } from "hermes-agent/plugin";
import { addressOf, type Connection } from "../wire/connection.ts";
import { listModelsAt } from "../wire/list-models.ts";
import type { LanguageModel, ProviderFields } from "./language-model.ts";
import { promptOf } from "./prompt.ts";
import { KEY, together, toolOptions, type Speaker } from "./speaker.ts";
import { definedFields } from "hermes-agent/plugin";

interface Google {
  createGoogle(options: {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly fetch: typeof fetch;
  }): (model: string) => LanguageModel;
}

/** Gemini's own wire by `@ai-sdk/google`. Its calls carry signatures, which go back with them. */
export const GEMINI: Speaker = {
  package: "@ai-sdk/google",
  wire: "gemini",
  address: (connection) => addressOf(connection, withoutDoor),
  model: (sdk, { model, ...way }) => (sdk as Google).createGoogle({ apiKey: KEY, ...way })(model),
  headers,
  options(request, { row }) {
    const { reasoningEffort: effort, maxOutputTokens, temperature } = request;
    return {
      prompt: promptOf(request, { from: row.id, imagesInResults: true, strict: true, replay }),
      ...toolOptions(request),
      maxOutputTokens,
      temperature,
      ...definedFields({
        reasoning: effort,
        providerOptions:
          effort === undefined
            ? undefined
            : effort === "none"
              ? undefined
              : { google: { thinkingConfig: { includeThoughts: true } } },
      }),
    };
  },
  body: (body) => body,
  async listModels(connection, signal) {
    const listed = await listModelsAt(
      `${addressOf(connection, (path) => `${withoutDoor(path)}/models`)}?pageSize=1000`,
      connection,
      headers(connection),
      signal,
    );
    return listed.map((name) => name.replace(/^models\//, "")).sort();
  },
  keep(metadata) {
    const signature = together(metadata)["google"]?.["thoughtSignature"];
    return typeof signature === "string" ? { signature } : undefined;
  },
};

/** Removes the path of Google's OpenAI-compatible endpoint, which is below that of the Gemini wire. */
function withoutDoor(path: string): string {
  return path.replace(/\/openai$/, "");
}

function headers({ settings }: Connection): Record<string, string> {
  const key = settings.apiKey?.trim() ?? "";
  return key === "" ? {} : { "x-goog-api-key": key };
}

function replay({ signature }: JsonObject): ProviderFields | undefined {
  return typeof signature === "string" ? { google: { thoughtSignature: signature } } : undefined;
}
