import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelClient, ModelProvider } from "hermes-agent/plugin";
import { modelContract, type ModelScene } from "hermes-agent/testing";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import type { ScriptedReply } from "../../../test/servers/script.ts";
import { providersOf } from "../test/providers.ts";

const SECRET = "sk-contract-0123456789abcdef";

modelContract(
  "anthropic messages",
  async (scenes) => {
    if (scenes[0]?.kind === "unreachable") return { client: client(await freeUrl()), bodies: [], async [Symbol.asyncDispose]() {} };
    const server = await startAnthropicServer(scenes.map(replyOf));
    return {
      client: client(server.url),
      get bodies() {
        return server.requests.map(({ body }) => body);
      },
      [Symbol.asyncDispose]: () => server.close(),
    };
  },
  { secret: SECRET },
);

function client(baseUrl: string): ModelClient {
  const provider = providersOf({}).get("anthropic") as ModelProvider;
  return provider.connect({ model: "contract-model", baseUrl, apiKey: SECRET });
}

function replyOf(scene: ModelScene): ScriptedReply {
  switch (scene.kind) {
    case "answer":
      return {
        ...scene,
        calls: (scene.calls ?? []).map(({ callId, tool, args }) => ({ id: callId, tool, args })),
        finish: { stop: "end_turn", "tool-calls": "tool_use", length: "max_tokens" }[scene.finish],
        splitBytes: 7,
      };
    case "status":
      return { status: scene.status, message: `${scene.message} (${SECRET})`, ...(scene.retryAfterSeconds === undefined ? {} : { headers: { "retry-after": String(scene.retryAfterSeconds) } }) };
    case "cut":
      return { raw: [begun(scene.text), "cut"] };
    case "stall":
      return { raw: [begun(scene.text), { waitMs: 5_000 }] };
    case "garbage":
      return { raw: ["<html>welcome to the captive portal</html>"] };
    case "unreachable":
      return {};
  }
}

/** The beginning of an answer in one text block. */
function begun(text: string): string {
  const events = [
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** An address at which nobody listens. */
async function freeUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
