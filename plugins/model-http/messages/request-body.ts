import type { AnswerPart, Json, JsonObject, Message, ModelRequest, Part } from "hermes-agent/plugin";
import { canonicalArguments } from "../wire/canonical.ts";
import { thinkingFields, traitsOf } from "./thinking.ts";

type Block = Record<string, Json>;
interface WireMessage {
  role: "user" | "assistant";
  content: Block[];
}

export interface BodyOptions {
  /** Signed thinking is given back only to the provider it came from; "" gives none back. */
  readonly provider: string;
  readonly cacheTtl: "5m" | "1h";
  /** `model.options`: further fields of the body. */
  readonly extra: JsonObject;
}

/** The body of a Messages request, fields and keys always in the same order. */
export function messagesBody(request: ModelRequest, options: BodyOptions): Record<string, Json> {
  const maxTokens = request.maxOutputTokens ?? traitsOf(request.model).maxOutputTokens;
  const thinking = thinkingFields(request, maxTokens);
  const messages = toWire(request, "thinking" in thinking ? options.provider : "");
  const system: Block[] = request.system.trim() === "" ? [] : [{ type: "text", text: request.system }];
  markForCache(system, messages, options.cacheTtl);
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: messages as unknown as Json,
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({ name, description, input_schema: { ...parameters, type: "object" } })),
          ...(request.toolChoice === "none" ? { tool_choice: { type: "none" } } : {}),
        }),
    stream: true,
    // A thinking model takes no temperature but its own.
    ...(request.temperature === undefined || "thinking" in thinking ? {} : { temperature: request.temperature }),
    ...thinking,
    ...(options.extra as Record<string, Json>),
  };
}

/** Roles alternate on this wire, results belong to the user, and the user begins. */
function toWire(request: ModelRequest, provider: string): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of request.messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, provider);
    if (content.length === 0) continue;
    const before = wire.at(-1);
    if (before?.role === role) before.content.push(...content);
    else wire.push({ role, content });
  }
  if (wire[0]?.role !== "user") wire.unshift({ role: "user", content: [{ type: "text", text: "(The conversation goes on from here.)" }] });
  return wire;
}

function blocksOf(message: Message, provider: string): Block[] {
  switch (message.role) {
    case "user": {
      const blocks = message.parts.flatMap(partBlock);
      return blocks.length > 0 ? blocks : [{ type: "text", text: "(empty message)" }];
    }
    case "assistant":
      return message.parts.flatMap((part) => answerBlock(part, provider));
    case "tool":
      return message.results.map((result) => ({
        type: "tool_result",
        tool_use_id: wireId(result.callId),
        content: result.parts.flatMap(partBlock),
        ...(result.failed ? { is_error: true } : {}),
      }));
  }
}

/** Empty text blocks are refused on this wire. */
function partBlock(part: Part): Block[] {
  if (part.type === "image") return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
  return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
}

function answerBlock(part: AnswerPart, provider: string): Block[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.trimEnd() }];
    case "tool-call":
      return [{ type: "tool_use", id: wireId(part.callId), name: part.tool, input: canonicalArguments(part.args) }];
    case "reasoning": {
      if (provider === "" || part.provider?.["from"] !== provider) return [];
      const { signature, redacted } = part.provider;
      if (typeof redacted === "string") return [{ type: "redacted_thinking", data: redacted }];
      return typeof signature === "string" ? [{ type: "thinking", thinking: part.text, signature }] : [];
    }
  }
}

/** Ids of other providers may hold characters that this wire refuses. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** The system prompt (tools come before it and are covered) and the last three messages: four markers, as many as the service takes. */
function markForCache(system: Block[], messages: WireMessage[], ttl: "5m" | "1h"): void {
  const marker: JsonObject = { type: "ephemeral", ...(ttl === "1h" ? { ttl } : {}) };
  const lastSystem = system.at(-1);
  if (lastSystem !== undefined) lastSystem["cache_control"] = marker;
  const markable = messages
    .map(({ content }) => content.findLast((block) => block["type"] !== "thinking" && block["type"] !== "redacted_thinking"))
    .filter((block) => block !== undefined);
  for (const block of markable.slice(-3)) block["cache_control"] = marker;
}
