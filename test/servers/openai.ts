import type { Dialect, ModelScript, ModelServer, ScriptedReply } from "./script.ts";
import { pieces, serve, serveFromCommandLine } from "./serve.ts";

/** A loopback server that speaks OpenAI chat completions. */
export function startOpenAiServer(script: ModelScript, port = 0): Promise<ModelServer> {
  return serve(OPENAI, "/v1", script, port);
}

const OPENAI: Dialect = {
  path: "/chat/completions",
  models: {
    object: "list",
    data: [
      { id: "loopback-large", object: "model" },
      { id: "loopback-small", object: "model" },
    ],
  },
  error: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null },
  }),
  events(reply, number, model) {
    const size = reply.deltaChars ?? 4;
    const chunk = (delta: unknown, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}`;
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(reply.thinking ?? "", size).map((text) => chunk({ reasoning_content: text })),
      ...pieces(reply.text ?? "", size).map((text) => chunk({ content: text })),
      ...callChunks(reply, number, size).map((calls) => chunk({ tool_calls: calls })),
      chunk({}, reply.finish ?? ((reply.calls ?? []).length > 0 ? "tool_calls" : "stop")),
      `data: ${JSON.stringify({ id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model, choices: [], usage: usageOf(reply) })}`,
      ...(reply.withoutEnd === true ? [] : ["data: [DONE]"]),
    ];
  },
};

/** All calls start, then their arguments arrive interleaved: the hardest order. */
function callChunks(reply: ScriptedReply, number: number, size: number): readonly (readonly unknown[])[] {
  const calls = (reply.calls ?? []).map(({ id, tool, args }, index) => ({
    index,
    id: id ?? `call_${number}_${index + 1}`,
    tool,
    rest: [...pieces(typeof args === "string" ? args : JSON.stringify(args), size)],
  }));
  const chunks: (readonly unknown[])[] = calls.map(({ index, id, tool }) => [
    { index, id, type: "function", function: { name: tool, arguments: "" } },
  ]);
  while (calls.some(({ rest }) => rest.length > 0)) {
    for (const { index, rest } of calls) {
      const piece = rest.shift();
      if (piece !== undefined) chunks.push([{ index, function: { arguments: piece } }]);
    }
  }
  return chunks;
}

function usageOf({ usage = {} }: ScriptedReply): unknown {
  const { inputTokens = 100, outputTokens = 10, cacheReadTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
}

if (import.meta.main) await serveFromCommandLine(startOpenAiServer);
