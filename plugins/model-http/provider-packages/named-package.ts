import { ToolFailure, type JsonObject } from "hermes-agent/plugin";
import { endpoint, listModels } from "../chat-completions/client.ts";
import { idFormOf, wireId } from "../wire/call-ids.ts";
import type { LanguageModel } from "./language-model.ts";
import { promptOf } from "./prompt.ts";
import { KEY, together, toolOptions, type Speaker } from "./speaker.ts";

type Factory = (options: {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}) => ((model: string) => LanguageModel) & { readonly languageModel?: unknown };

/** Any other package with the interface, created by its `createNAME`, with only the standard options. */
export function namedPackage(name: string): Speaker {
  return {
    package: name,
    wire: "chat",
    address: (connection) => endpoint(connection, ""),
    model(sdk, { model, ...way }) {
      const made = factoryOf(sdk, name)({ apiKey: KEY, ...way })(model);
      if (made.specificationVersion === "v4") return made;
      throw new ToolFailure(
        "unavailable",
        `The package ${name} has interface ${made.specificationVersion}, but Hermes needs v4.`,
        { hint: "Install the version of it that matches @ai-sdk/openai 4." },
      );
    },
    options: (request, connection) => ({
      prompt: promptOf(request, {
        from: connection.row.id,
        callId: (id) => wireId(id, idFormOf(connection, request.model)),
        imagesInResults: false,
        replay: (saved) => saved["options"] as { readonly [provider: string]: JsonObject },
      }),
      ...toolOptions(request),
      maxOutputTokens: request.maxOutputTokens,
      temperature: request.temperature,
      reasoning: request.reasoningEffort,
    }),
    body: (body) => body,
    listModels,
    keep(metadata, kind) {
      const options = together(metadata);
      // Of text, only signatures are needed again: other data names items that the service may not have stored.
      if (kind === "text")
        return Object.values(options).some((fields) => Object.hasOwn(fields, "thoughtSignature"))
          ? { options }
          : undefined;
      // Thinking may need nothing besides itself to be given back.
      return kind === "reasoning" || Object.keys(options).length > 0 ? { options } : undefined;
    },
  };
}

function factoryOf(sdk: unknown, name: string): Factory {
  const found = Object.entries(sdk as Record<string, unknown>).find(
    (entry): entry is [string, Factory] => /^create[A-Z]/.test(entry[0]) && typeof entry[1] === "function",
  );
  if (found === undefined)
    throw new ToolFailure(
      "unavailable",
      `The package ${name} is not a provider package: it exports no function createNAME.`,
      { hint: "Check model.package." },
    );
  return found[1];
}
