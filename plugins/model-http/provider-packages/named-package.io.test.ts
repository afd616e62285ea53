import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest, ModelSettings } from "hermes-agent/plugin";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { after, ask, conversation } from "../test/conversation.ts";
import { providersOf } from "../test/providers.ts";
import { packageNamed } from "./shipped-packages.ts";

/** A package that this plugin does not know: one that it does, by another name. */
const another =
  (as = "@ai-sdk/anthropic") =>
  async () =>
    packageNamed(as, () => assert.fail(`${as} does not ship`));
const connect = (baseUrl: string, load: () => Promise<unknown>, more: Partial<ModelSettings> = {}) =>
  providersOf({}, load)
    .get("custom")!
    .connect({ model: "m", baseUrl, apiKey: "sk-secret-0123456789", package: "@lab/provider", ...more });

test("any package with the interface works: a turn with calls and signed thinking, with the key where the package puts it", async () => {
  await using server = await startAnthropicServer([
    {
      thinking: "Let me see.",
      text: "Two.",
      calls: [
        { tool: "t", args: { a: 1 } },
        { tool: "t", args: { a: 2 } },
      ],
    },
    { text: "done" },
  ]);
  const client = connect(`${server.url}/v1`, another());
  let messages: ModelRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
  const first = await ask(client, { messages, tools: conversation("custom").tools! });
  assert.ok(first.kind === "answer");
  assert.deepEqual(
    first.parts.map((part) => (part.type === "tool-call" ? JSON.parse(part.args) : part.text)),
    ["Let me see.", "Two.", { a: 1 }, { a: 2 }],
  );
  messages = after(messages, first);
  assert.equal((await ask(client, { messages })).kind, "answer");
  const [one, two] = server.requests;
  assert.deepEqual([one!.headers["x-api-key"], one!.headers["authorization"]], ["sk-secret-0123456789", undefined]);
  assert.match(two!.body, /"signature":"signed-1"/);
  assert.doesNotMatch(one!.body + two!.body, /the-key-is-put-on-later|sk-secret/);
});

test("sends no key if a package contacts another address", async () => {
  await using server = await startOpenAiServer([{ text: "ok" }]);
  const load = async () => ({
    createElsewhere: (options: { readonly apiKey: string; readonly fetch: typeof fetch }) => () => ({
      specificationVersion: "v4",
      async doStream() {
        await options.fetch(`${server.url}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${options.apiKey}` },
          body: "{}",
        });
        throw new Error("done");
      },
    }),
  });
  const end = await ask(connect("http://127.0.0.1:9/v1", load));
  assert.deepEqual(end.kind === "failure" && [end.failure.code, end.failure.message], [
    "bad_response",
    "Custom endpoint: the package @lab/provider failed: done.",
  ]);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers["authorization"]),
    [undefined],
  );
});

test("reports by name a package that is not a provider or has another interface version; uses a known package with its own settings", async () => {
  for (const [sdk, words] of [
    [
      { nothing: true },
      /"?@lab\/provider"? is not a provider package: it exports no function createNAME\. Check model\.package\./,
    ],
    [
      { createOld: () => () => ({ specificationVersion: "v2" }) },
      /@lab\/provider has interface v2, but Hermes needs v4/,
    ],
  ] as const) {
    const end = await ask(connect("http://127.0.0.1:9/v1", async () => sdk));
    assert.ok(end.kind === "failure" && words.test(end.failure.message), JSON.stringify(end));
  }
  await using server = await startAnthropicServer([{ text: "ok" }]);
  assert.equal(
    (await ask(connect(server.url, another(), { package: "@ai-sdk/anthropic" }), conversation("custom"))).kind,
    "answer",
  );
  assert.match(server.requests[0]!.body, /"cache_control"/);
});
