import {
  definedFields,
  textOf,
  type ImagePart,
  type Json,
  type JsonObject,
  type Message,
  type ModelRequest,
  type Part,
  type ReasoningPart,
  type ToolOffer,
} from "hermes-agent/plugin";
import { wireId, type IdForm } from "../wire/call-ids.ts";
import { canonicalArguments } from "../wire/canonical.ts";
import { onceForEach } from "../wire/once-for-each.ts";
import type { Traits } from "./providers.ts";

export type WireMessage = { readonly role: string; readonly content: Json; readonly [key: string]: Json };

/** Options that shape the body of a request. */
export interface BodyOptions {
  /** Reasoning is given back only to the provider it came from. */
  readonly provider: string;
  readonly traits: Traits;
  readonly cacheTtl: "5m" | "1h";
  /** `model.options`: further fields of the body. */
  readonly extra: JsonObject;
  /** What the service takes as the id of a call. Absent: any. */
  readonly callIds?: IdForm;
}

/** The body of a chat completion, fields and keys always in the same order. */
export function chatBody(request: ModelRequest, options: BodyOptions): Record<string, Json> {
  const { traits } = options;
  const body: Record<string, Json> = {
    model: request.model,
    messages: withMarkers(toWire(request, options), request, options),
  };
  if (request.tools.length > 0) {
    body["tools"] = request.tools.map((tool) => toolToWireOnce(tool, ""));
    if (request.toolChoice === "none") body["tool_choice"] = "none";
  }
  body["stream"] = true;
  body["stream_options"] = { include_usage: true };
  return { ...body, ...limitsAndRequests(request, traits), ...(options.extra as Record<string, Json>) };
}

/** The fields of a request other than the conversation and its tools, in this service's format. */
export function limitsAndRequests(request: ModelRequest, traits: Traits): Record<string, Json> {
  return {
    ...definedFields({ [traits.maxTokens ?? "max_tokens"]: request.maxOutputTokens, temperature: request.temperature }),
    ...(request.reasoningEffort === undefined ? {} : reasoningFields(request.reasoningEffort, traits)),
    ...definedFields({ prompt_cache_key: traits.promptCacheKey === true ? request.sessionId.slice(-64) : undefined }),
  };
}

/** Only some models behind this wire need markers, and their services take them. */
export function withMarkers(
  messages: readonly WireMessage[],
  { model }: Pick<ModelRequest, "model">,
  { traits, cacheTtl }: Pick<BodyOptions, "traits" | "cacheTtl">,
): readonly WireMessage[] {
  return traits.cacheMarkers?.test(model) === true ? markedForCache(messages, cacheTtl) : messages;
}

function toWire(request: ModelRequest, { provider, callIds }: BodyOptions): readonly WireMessage[] {
  const system: WireMessage[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  const messages = request.messages.flatMap((message) => messageToWireOnce(message, provider));
  return withReasoning([
    ...system,
    ...(callIds === undefined ? messages : messages.map((message) => withIdsOnce(message, callIds))),
  ]);
}

/**
 * A service that thinks between its calls wants its field in each message with calls, also where it sent none. Empty,
 * some take it for missing.
 */
function withReasoning(messages: readonly WireMessage[]): readonly WireMessage[] {
  if (!messages.some((message) => Object.hasOwn(message, "reasoning_content"))) return messages;
  return messages.map((message) =>
    message["tool_calls"] === undefined || Object.hasOwn(message, "reasoning_content")
      ? message
      : paddedOnce(message, ""),
  );
}

const paddedOnce = onceForEach((message: WireMessage): WireMessage => ({ ...message, reasoning_content: " " }));
/** With the ids of calls and results as the service takes them. */
const withIdsOnce = onceForEach((message: WireMessage, form: string): WireMessage => {
  const idOf = (id: Json): string => wireId(String(id), form as IdForm);
  if (typeof message["tool_call_id"] === "string") return { ...message, tool_call_id: idOf(message["tool_call_id"]) };
  const calls = message["tool_calls"] as readonly JsonObject[] | undefined;
  return calls === undefined
    ? message
    : { ...message, tool_calls: calls.map((call) => ({ ...call, id: idOf(call["id"]!) })) };
});
const messageToWireOnce = onceForEach(messageToWire);
const toolToWireOnce = onceForEach(({ name, description, parameters }: ToolOffer): Json => ({
  type: "function",
  function: { name, description, parameters },
}));

function messageToWire(message: Message, provider: string): readonly WireMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: contentOf(message.parts) }];
    case "assistant":
      return [assistantToWire(message, provider)];
    case "tool": {
      const results = message.results.map((result): WireMessage => ({
        role: "tool",
        tool_call_id: result.callId,
        content: textOf(result.parts) || (result.parts.length > 0 ? "(see the image below)" : ""),
      }));
      // A tool message carries text only; images of its results follow as a user message.
      const images = message.results.flatMap((result) =>
        result.parts
          .filter((part) => part.type === "image")
          .flatMap((image) => [
            { type: "text", text: `Image from ${result.tool} (${result.callId}):` },
            imageToWire(image),
          ]),
      );
      return images.length === 0 ? results : [...results, { role: "user", content: images }];
    }
  }
}

function assistantToWire(message: Extract<Message, { role: "assistant" }>, provider: string): WireMessage {
  const text = textOf(message.parts);
  const calls = message.parts.filter((part) => part.type === "tool-call");
  const reasoning = message.parts.filter(
    (part) => part.type === "reasoning" && part.provider?.["from"] === provider,
  ) as ReasoningPart[];
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...reasoningToWire(reasoning),
    ...definedFields({
      tool_calls:
        calls.length === 0
          ? undefined
          : calls.map((call) => ({
              id: call.callId,
              type: "function",
              function: { name: call.tool, arguments: JSON.stringify(canonicalArguments(call.args)) },
              ...((call.provider?.["from"] === provider ? call.provider["extra"] : undefined) as object | undefined),
            })),
    }),
  };
}

/** In the field it came in, so that a service gets back exactly what it sent. */
function reasoningToWire(parts: readonly ReasoningPart[]): Record<string, Json> {
  const first = parts[0];
  if (first === undefined) return {};
  const details = parts.flatMap((part) => (part.provider?.["details"] as readonly Json[] | undefined) ?? []);
  if (details.length > 0) return { reasoning_details: details };
  const field = first.provider?.["field"];
  return field === "reasoning_content" || field === "reasoning"
    ? { [field]: parts.map((part) => part.text).join("") }
    : {};
}

function contentOf(parts: readonly Part[]): Json {
  if (parts.every((part) => part.type === "text")) return parts.map((part) => part.text).join("\n\n");
  return parts.map((part): Json => (part.type === "text" ? { type: "text", text: part.text } : imageToWire(part)));
}

function imageToWire(image: ImagePart): JsonObject {
  return { type: "image_url", image_url: { url: `data:${image.mediaType};base64,${image.data}` } };
}

function reasoningFields(effort: NonNullable<ModelRequest["reasoningEffort"]>, traits: Traits): Record<string, Json> {
  if (traits.reasoning === "thinking") return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
  const strongest = traits.strongestEffort ?? "high";
  const known = effort === "max" ? strongest : effort === "xhigh" && strongest === "high" ? "high" : effort;
  if (traits.reasoning === "openrouter")
    return { reasoning: effort === "none" ? { enabled: false } : { effort: known } };
  return { reasoning_effort: known };
}

/** The system message and the last three others that can carry a marker: four in all, as many as the service takes. */
function markedForCache(messages: readonly WireMessage[], ttl: "5m" | "1h"): readonly WireMessage[] {
  const marker: JsonObject = definedFields({ type: "ephemeral", ttl: ttl === "1h" ? ttl : undefined });
  const markable = messages.filter(
    (message) =>
      message.role !== "system" &&
      (typeof message.content === "string"
        ? message.content !== ""
        : Array.isArray(message.content) && message.content.length > 0),
  );
  const marked = new Set([...messages.filter((message) => message.role === "system"), ...markable.slice(-3)]);
  return messages.map((message) => {
    if (!marked.has(message)) return message;
    const parts =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : (message.content as readonly JsonObject[]);
    return {
      ...message,
      content: parts.map((part, index) => (index === parts.length - 1 ? { ...part, cache_control: marker } : part)),
    };
  });
}
