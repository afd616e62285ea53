import type { AnswerPart, Json, JsonObject, Message, ModelRequest, Part, ToolOffer } from "hermes-agent/plugin";
import { wireId } from "../wire/call-ids.ts";
import { canonicalArguments } from "../wire/canonical.ts";
import { onceForEach } from "../wire/once-for-each.ts";
import { thinkingFields, traitsOf } from "./thinking.ts";
import { definedFields } from "hermes-agent/plugin";

type Block = { readonly [key: string]: Json };
interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly Block[];
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
  const marker: JsonObject = definedFields({
    type: "ephemeral",
    ttl: options.cacheTtl === "1h" ? options.cacheTtl : undefined,
  });
  const messages = markedForCache(toWire(request, "thinking" in thinking ? options.provider : ""), marker);
  // Tools come before the system prompt and are covered by its marker.
  const system: Block[] =
    request.system.trim() === "" ? [] : [{ type: "text", text: request.system, cache_control: marker }];
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...definedFields({ system: system.length === 0 ? undefined : system }),
    messages: messages as unknown as Json,
    ...(request.tools.length === 0
      ? {}
      : definedFields({
          tools: request.tools.map((tool) => toolToWireOnce(tool, "")),
          tool_choice: request.toolChoice === "none" ? { type: "none" } : undefined,
        })),
    stream: true,
    // A thinking model takes no temperature but its own.
    ...definedFields({
      temperature: request.temperature === undefined || "thinking" in thinking ? undefined : request.temperature,
    }),
    ...thinking,
    ...(options.extra as Record<string, Json>),
  };
}

/** Roles alternate on this wire, results belong to the user, and the user begins. */
function toWire(request: ModelRequest, provider: string): readonly WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of request.messages) {
    const one = messageToWireOnce(message, provider);
    if (one.content.length === 0) continue;
    const before = wire.at(-1);
    if (before?.role === one.role)
      wire[wire.length - 1] = { role: one.role, content: [...before.content, ...one.content] };
    else wire.push(one);
  }
  if (wire[0]?.role !== "user")
    wire.unshift({ role: "user", content: [{ type: "text", text: "(The conversation continues here.)" }] });
  return wire;
}

const messageToWireOnce = onceForEach((message: Message, provider: string): WireMessage => ({
  role: message.role === "assistant" ? "assistant" : "user",
  content: blocksOf(message, provider),
}));
const toolToWireOnce = onceForEach(({ name, description, parameters }: ToolOffer): Json => ({
  name,
  description,
  input_schema: { ...parameters, type: "object" },
}));

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
        tool_use_id: wireId(result.callId, "plain"),
        content: result.parts.flatMap(partBlock),
        ...definedFields({ is_error: result.failed ? true : undefined }),
      }));
  }
}

/** Empty text blocks are refused on this wire. */
function partBlock(part: Part): Block[] {
  if (part.type === "image")
    return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
  return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
}

function answerBlock(part: AnswerPart, provider: string): Block[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.trimEnd() }];
    case "tool-call":
      return [
        { type: "tool_use", id: wireId(part.callId, "plain"), name: part.tool, input: canonicalArguments(part.args) },
      ];
    case "reasoning": {
      if (provider === "" || part.provider?.["from"] !== provider) return [];
      const { signature, redacted } = part.provider;
      if (typeof redacted === "string") return [{ type: "redacted_thinking", data: redacted }];
      return typeof signature === "string" ? [{ type: "thinking", thinking: part.text, signature }] : [];
    }
  }
}

/** The last three messages that can carry a marker: with the system prompt's four, as many as the service takes. */
function markedForCache(messages: readonly WireMessage[], marker: JsonObject): readonly WireMessage[] {
  const marked = [...messages];
  for (let at = marked.length - 1, left = 3; at >= 0 && left > 0; at--) {
    const { role, content } = marked[at]!;
    const last = content.findLastIndex(
      (block) => block["type"] !== "thinking" && block["type"] !== "redacted_thinking",
    );
    if (last < 0) continue;
    marked[at] = { role, content: content.with(last, { ...content[last], cache_control: marker }) };
    left--;
  }
  return marked;
}
