import type { Dialect, ModelScript, ModelServer, ScriptedReply } from "./script.ts";
import { pieces, serve, serveFromCommandLine } from "./serve.ts";

/** A loopback server that speaks Anthropic Messages. */
export function startAnthropicServer(script: ModelScript, port = 0): Promise<ModelServer> {
  return serve(ANTHROPIC, "", script, port);
}

const ANTHROPIC: Dialect = {
  path: "/v1/messages",
  models: { data: [{ id: "claude-loopback", type: "model", display_name: "Loopback" }], has_more: false },
  error: (status, message) => ({
    type: "error",
    error: {
      type: status === 529 ? "overloaded_error" : status >= 500 ? "api_error" : "invalid_request_error",
      message,
    },
  }),
  events(reply, number, model) {
    const { inputTokens = 100, outputTokens = 10, cacheReadTokens = 0, cacheWriteTokens = 0 } = reply.usage ?? {};
    const usage = {
      input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
      output_tokens: 1,
    };
    return [
      event("message_start", {
        message: {
          id: `msg_${number}`,
          type: "message",
          role: "assistant",
          model,
          content: [],
          stop_reason: null,
          usage,
        },
      }),
      event("ping", {}),
      ...blocksOf(reply, number).flatMap((block, index) => [
        event("content_block_start", { index, content_block: block.start }),
        ...block.deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", {
        delta: { stop_reason: reply.finish ?? ((reply.calls ?? []).length > 0 ? "tool_use" : "end_turn") },
        usage: { output_tokens: outputTokens },
      }),
      ...(reply.withoutEnd === true ? [] : [event("message_stop", {})]),
    ];
  },
};

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}`;
}

interface Block {
  readonly start: unknown;
  readonly deltas: readonly unknown[];
}

function blocksOf(reply: ScriptedReply, number: number): readonly Block[] {
  const size = reply.deltaChars ?? 4;
  const { text = "", thinking = "", calls = [] } = reply;
  return [
    ...(thinking === ""
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              ...pieces(thinking, size).map((piece) => ({ type: "thinking_delta", thinking: piece })),
              { type: "signature_delta", signature: `signed-${number}` },
            ],
          },
        ]),
    ...(text === ""
      ? []
      : [
          {
            start: { type: "text", text: "" },
            deltas: pieces(text, size).map((piece) => ({ type: "text_delta", text: piece })),
          },
        ]),
    ...calls.map(({ id, tool, args }, index) => ({
      start: { type: "tool_use", id: id ?? `toolu_${number}_${index + 1}`, name: tool, input: {} },
      deltas: pieces(typeof args === "string" ? args : JSON.stringify(args), size).map((piece) => ({
        type: "input_json_delta",
        partial_json: piece,
      })),
    })),
  ];
}

if (import.meta.main) await serveFromCommandLine(startAnthropicServer);
