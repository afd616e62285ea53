import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { textAt } from "../process/text-at.ts";

const CHARS_PER_TOKEN = 3.8;
/** For an engine that does not know the model's window yet. */
const WINDOW = 128_000;

/**
 * Shortens a conversation with the built-in engine, for a plugin whose engine extends the original's compressor. The
 * plugin's own access to a model writes the summary.
 */
export async function compressFor(params: JsonObject, ctx: PluginContext, signal: AbortSignal): Promise<Json> {
  const given = params["messages"];
  if (!Array.isArray(given)) throw new ToolFailure("bad_arguments", '"messages" must be a list of messages.');
  const messages = given.map(asText);
  const engine = await ctx.use("context", "compressor");
  const number = (name: string): number => (typeof params[name] === "number" ? params[name] : 0);
  const { keep, focus_topic } = params;
  const tokens = number("current_tokens") || Math.ceil(JSON.stringify(messages).length / CHARS_PER_TOKEN);
  const shorter = await engine.compress(messages, textAt(params, "model"), {
    session_id: textAt(params, "session_id"),
    prompt_tokens: tokens,
    current_tokens: tokens,
    context_length: number("context_length") || WINDOW,
    max_output_tokens: number("max_output_tokens"),
    compression_count: number("compression_count"),
    focus_topic: typeof focus_topic === "string" && focus_topic !== "" ? focus_topic : null,
    force: params["force"] === true,
    memory_context: textAt(params, "memory_context"),
    keep:
      typeof keep === "object" && keep !== null ? (keep as { readonly first?: number; readonly last?: number }) : {},
    signal,
    async ask({ system, text, maxOutputTokens }) {
      const request = { system, messages: [{ role: "user", text }], maxOutputTokens } as const;
      return (await ctx.llm({ ...request, task: "compression", purpose: "shorten a conversation" }, signal)).text;
    },
  });
  return shorter as unknown as Json;
}

/** A message may have parts; the built-in engine reads texts. */
function asText(message: Json): ChatMessage {
  const { content, ...rest } = message as JsonObject;
  const text = Array.isArray(content)
    ? content.map((part) => String((part as JsonObject | null)?.["text"] ?? "")).join("\n")
    : content;
  return { ...rest, content: typeof text === "string" ? text : "" } as unknown as ChatMessage;
}
