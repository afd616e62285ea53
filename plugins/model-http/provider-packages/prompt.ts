import {
  definedFields,
  textOf,
  type AnswerPart,
  type ImagePart,
  type JsonObject,
  type Message,
  type ModelRequest,
  type Part,
} from "hermes-agent/plugin";
import { canonicalArguments } from "../wire/canonical.ts";
import type { FilePart, PromptMessage, PromptPart, ProviderFields, ResultOutput } from "./language-model.ts";

/** How a package needs the conversation. */
export interface PromptWay {
  /** Saved provider data goes back only to the provider it came from; "" sends none. */
  readonly from: string;
  /** Converts saved data for the package; `undefined` for thinking that cannot go back. */
  replay(saved: JsonObject, kind: "text" | "reasoning" | "call"): ProviderFields | undefined;
  /** The service refuses blank text and requires a user message first. */
  readonly strict?: true;
  /** Ids of other providers may hold characters that this wire refuses. */
  readonly callId?: (id: string) => string;
  /** The wire has no field for a failed result, and the package would put it into another. */
  readonly plainFailures?: true;
  /** Whether a result may contain images; else they follow as a user message. */
  readonly imagesInResults: boolean;
}

/** A conversation in the packages' format; equal conversations give equal bytes. */
export function promptOf(request: ModelRequest, way: PromptWay): readonly PromptMessage[] {
  const system: readonly PromptMessage[] =
    request.system.trim() === "" ? [] : [{ role: "system", content: request.system }];
  const text = request.messages
    .flatMap((message) => messagesOf(message, way))
    .filter(({ content }) => content.length > 0);
  const opening: readonly PromptMessage[] =
    way.strict && text[0]?.role !== "user"
      ? [{ role: "user", content: [{ type: "text", text: "(The conversation continues here.)" }] }]
      : [];
  return [...system, ...opening, ...text];
}

function messagesOf(message: Message, way: PromptWay): readonly PromptMessage[] {
  switch (message.role) {
    case "user": {
      const parts = partsOf(message.parts, way);
      return [
        {
          role: "user",
          content: parts.length === 0 && way.strict ? [{ type: "text", text: "(empty message)" }] : parts,
        },
      ];
    }
    case "assistant":
      return [{ role: "assistant", content: message.parts.flatMap((part) => answerPart(part, way)) }];
    case "tool": {
      const results: PromptMessage = {
        role: "tool",
        content: message.results.map(({ callId, tool, parts, failed }) => ({
          type: "tool-result",
          toolCallId: idOf(callId, way),
          toolName: tool,
          output: outputOf(parts, failed, way),
        })),
      };
      const images = way.imagesInResults
        ? []
        : message.results.flatMap((result) =>
            result.parts
              .filter((part) => part.type === "image")
              .flatMap((image): PromptPart[] => [
                { type: "text", text: `Image from ${result.tool} (${result.callId}):` },
                fileOf(image),
              ]),
          );
      return images.length === 0 ? [results] : [results, { role: "user", content: images }];
    }
  }
}

/** Joins the texts of a user message, as our own wires do. */
function partsOf(parts: readonly Part[], { strict }: PromptWay): readonly PromptPart[] {
  if (strict !== true && parts.every((part) => part.type === "text"))
    return [{ type: "text", text: parts.map((part) => part.text).join("\n\n") }];
  return parts.flatMap((part): PromptPart[] =>
    part.type === "image"
      ? [fileOf(part)]
      : strict && part.text.trim() === ""
        ? []
        : [{ type: "text", text: part.text }],
  );
}

function answerPart(part: AnswerPart, way: PromptWay): readonly PromptPart[] {
  const saved = way.from !== "" && part.provider?.["from"] === way.from ? part.provider : undefined;
  const kind = part.type === "tool-call" ? "call" : part.type;
  const providerOptions = saved === undefined ? undefined : way.replay(saved, kind);
  if (part.type === "text") {
    const signed = definedFields({ providerOptions });
    if (way.strict !== true) return [{ type: "text", text: part.text, ...signed }];
    return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.trimEnd(), ...signed }];
  }
  if (part.type === "reasoning")
    return providerOptions === undefined ? [] : [{ type: "reasoning", text: part.text, providerOptions }];
  return [
    {
      type: "tool-call",
      toolCallId: idOf(part.callId, way),
      toolName: part.tool,
      input: canonicalArguments(part.args),
      providerOptions,
    },
  ];
}

function idOf(id: string, { callId }: PromptWay): string {
  return callId === undefined ? id : callId(id);
}

function outputOf(
  parts: readonly Part[],
  failed: boolean,
  { imagesInResults, strict, plainFailures }: PromptWay,
): ResultOutput {
  if (!imagesInResults || parts.every(({ type }) => type === "text")) {
    return {
      type: failed && plainFailures !== true ? "error-text" : "text",
      value: textOf(parts) || (parts.some(({ type }) => type === "image") ? "(see the image below)" : ""),
    };
  }
  const shown = parts.filter((part) => part.type === "image" || strict !== true || part.text.trim() !== "");
  return {
    type: "content",
    value: shown.map((part) => (part.type === "image" ? fileOf(part) : { type: "text", text: part.text })),
  };
}

function fileOf({ mediaType, data }: ImagePart): FilePart {
  return { type: "file", mediaType, data: { type: "data", data } };
}
