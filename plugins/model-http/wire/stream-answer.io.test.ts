import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelProvider, ModelSettings } from "hermes-agent/plugin";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { providersOf } from "../test/providers.ts";

const ARGS = JSON.stringify({ path: "a.txt", content: "word ".repeat(40) });
const SERVICES = { custom: startOpenAiServer, anthropic: startAnthropicServer } as const;

// Limits on silence would end a long file in the middle of its call, and a model that thinks for minutes before its first word.
test("a call that is long in the writing, and a comment that only keeps the connection, are signs of life", async () => {
  for (const service of ["custom", "anthropic"] as const) {
    for (const client of ["own", "package"] as const) {
      await using server = await SERVICES[service]([{ calls: [{ tool: "write_file", args: ARGS, id: "call_a" }], deltaChars: 40, betweenMs: 20 }]);
      const shown = await eventsOf(service, { baseUrl: server.url, client });
      assert.deepEqual(shown.filter((type) => type !== "alive"), ["call.delta", "end"], `${service} ${client}`);
      assert.ok(shown.lastIndexOf("alive") > shown.indexOf("call.delta"), `${service} ${client}`);
    }
  }
  await using server = await startOpenAiServer([{ raw: [": still at it\n\n", { waitMs: 50 }, 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'] }]);
  assert.deepEqual(await eventsOf("custom", { baseUrl: server.url }), ["alive", "text.delta", "end"]);
});

async function eventsOf(service: string, settings: Partial<ModelSettings>): Promise<readonly string[]> {
  const provider = providersOf({}).get(service) as ModelProvider;
  const client = provider.connect({ model: "m", apiKey: "sk-test-0123456789", ...settings });
  const types: string[] = [];
  for await (const { type } of client.stream({ model: "m", system: "", tools: [], messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }], sessionId: "s" }, new AbortController().signal)) types.push(type);
  return types;
}
