import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Which server's own answers about itself it gives; `silent` gives none. */
export type LocalKind = "ollama" | "lmstudio" | "llamacpp" | "vllm" | "silent";

export interface LocalModelServer extends AsyncDisposable {
  readonly url: string;
  /** Of each request: its tokens, how many of them the model read, and the texts it read. */
  readonly requests: readonly { readonly sent: number; readonly read: number; readonly texts: readonly string[] }[];
  /** Paths that were asked besides. */
  readonly questions: readonly string[];
}

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

/**
 * A server for models that reserves `window` tokens and silently drops the oldest messages of a longer request, as
 * Ollama does. It speaks chat completions and, by kind, the vendors' own interfaces.
 */
export async function startLocalModel(options: {
  readonly kind: LocalKind;
  readonly model: string;
  readonly window: number;
  readonly trained: number;
  readonly answer?: (number: number) => string;
}): Promise<LocalModelServer> {
  const { kind, model, window, trained } = options;
  const requests: { readonly sent: number; readonly read: number; readonly texts: readonly string[] }[] = [];
  const questions: string[] = [];

  function about(path: string): unknown {
    // A model is loaded by its first request.
    const loaded = requests.length > 0;
    switch (`${kind} ${path}`) {
      case "ollama /v1/models":
        return { object: "list", data: [{ id: model, object: "model", created: 1, owned_by: "library" }] };
      case "ollama /api/ps":
        return {
          models: loaded ? [{ name: model, model, size: 1, size_vram: 1, context_length: window, expires_at: "" }] : [],
        };
      case "ollama /api/show":
        return {
          parameters: 'stop "<|im_end|>"\ntemperature 0.6',
          model_info: { "general.architecture": "qwen3", "qwen3.context_length": trained },
          capabilities: ["completion", "tools"],
        };
      case "lmstudio /v1/models":
        return { object: "list", data: [{ id: model, object: "model", owned_by: "organization_owner" }] };
      case "lmstudio /api/v0/models":
        return {
          object: "list",
          data: [
            { id: model, type: "llm", state: "loaded", max_context_length: trained, loaded_context_length: window },
          ],
        };
      case "llamacpp /v1/models":
        return {
          object: "list",
          data: [{ id: model, object: "model", owned_by: "llamacpp", meta: { n_ctx_train: trained, n_params: 1 } }],
        };
      case "llamacpp /props":
        return { default_generation_settings: { n_ctx: window, params: {} }, total_slots: 1, model_path: "m.gguf" };
      case "vllm /v1/models":
        return { object: "list", data: [{ id: model, object: "model", owned_by: "vllm", max_model_len: window }] };
      case "silent /v1/models":
        return { object: "list", data: [{ id: model, object: "model" }] };
      default:
        return undefined;
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
    const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
    if (!path.endsWith("/chat/completions")) {
      questions.push(path);
      const body = about(path);
      outgoing.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(body ?? { error: "404 page not found" }));
      return;
    }
    const { messages, tools } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
      readonly messages: readonly ChatMessage[];
      readonly tools?: unknown;
    };
    const size = (value: unknown): number => Math.ceil(JSON.stringify(value ?? "").length / 4);
    const system = messages.filter(({ role }) => role === "system");
    const fixed = size(system) + size(tools);
    let rest = messages.filter(({ role }) => role !== "system");
    const sent = fixed + size(rest);
    while (rest.length > 1 && fixed + size(rest) > window) rest = rest.slice(1);
    const read = Math.min(window, fixed + size(rest));
    requests.push({ sent, read, texts: rest.map(({ content }) => JSON.stringify(content)) });
    const text = options.answer?.(requests.length) ?? `answer ${requests.length}`;
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (more: object): string =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, ...more })}\n\n`;
    outgoing.write(
      chunk({ choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] }),
    );
    outgoing.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
    const completion = size(text);
    outgoing.write(
      chunk({
        choices: [],
        usage: { prompt_tokens: read, completion_tokens: completion, total_tokens: read + completion },
      }),
    );
    outgoing.end("data: [DONE]\n\n");
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    questions,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
