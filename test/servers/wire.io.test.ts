import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { ModelClient, ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "hermes-agent/plugin";
import { providersOf } from "../../plugins/model-http/test/providers.ts";
import { startAnthropicServer } from "./anthropic.ts";
import { startOpenAiServer } from "./openai.ts";
import type { ModelScript, ModelServer, ScriptedReply } from "./script.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";

const KEY = "sk-test-5f3a9c0d1e2b4a6f";
const root = join(import.meta.dirname, "../..");

interface Wire {
  readonly name: string;
  start(script: ModelScript): Promise<ModelServer>;
  connect(baseUrl: string): ModelClient;
}

const WIRES: readonly Wire[] = [
  {
    name: "openai",
    start: startOpenAiServer,
    connect: (baseUrl) => provider("openai").connect({ model: "m", baseUrl, apiKey: KEY }),
  },
  {
    name: "anthropic",
    start: startAnthropicServer,
    connect: (baseUrl) => provider("anthropic").connect({ model: "m", baseUrl, apiKey: KEY }),
  },
];

const CALLS: ScriptedReply = {
  text: "Grüße 🦀 及 more",
  thinking: "Hm, 漢字.",
  calls: [
    { tool: "read_file", args: { path: "ä/漢.txt" } },
    { tool: "terminal", args: { command: "echo 'ü'" } },
  ],
};

for (const wire of WIRES) {
  test(`27 ${wire.name}: bytes cut anywhere, a byte order mark, CR LF and keep-alive comments change nothing`, async () => {
    const shapes: ScriptedReply[] = [
      {},
      { splitBytes: 1, deltaChars: 3 },
      { splitBytes: 5, crlf: true, bom: true },
      { splitBytes: 3, keepAliveComments: true },
    ].map((shape) => ({ ...CALLS, ...shape }));
    await using server = await wire.start(shapes);
    const answers = [];
    for (const _ of shapes)
      answers.push(
        partsOf(await ask(wire, server)).map((part) =>
          part.type === "tool-call" ? [part.tool, JSON.parse(part.args)] : [part.type, part.text],
        ),
      );
    const expected = [
      ["reasoning", "Hm, 漢字."],
      ["text", "Grüße 🦀 及 more"],
      ["read_file", { path: "ä/漢.txt" }],
      ["terminal", { command: "echo 'ü'" }],
    ];
    assert.deepEqual(
      answers,
      shapes.map(() => expected),
    );
  });

  test(`27 ${wire.name}: a stream cut at any byte is a retryable failure and never yields a partial call`, async () => {
    const total = 600;
    const script = Array.from({ length: 24 }, (_, index): ScriptedReply => ({
      ...CALLS,
      cutAfterBytes: 1 + Math.floor((index * total) / 24),
    }));
    await using server = await wire.start(script);
    for (const _ of script) {
      const got = failureOf(await ask(wire, server));
      assert.deepEqual([["network", "bad_response"].includes(got.code), got.retryable], [true, true], got.message);
    }
  });

  test(`27 ${wire.name}: invalid UTF-8 is a failure, not a question mark inside a command`, async () => {
    await using server = await wire.start([{ raw: ['data: {"x":"', new Uint8Array([0xc3, 0x28]), '"}\n\n'] }]);
    const got = failureOf(await ask(wire, server));
    assert.deepEqual([got.code, got.retryable], ["bad_response", true]);
  });

  test(`24 ${wire.name}: reads retry-after from seconds, a date or milliseconds, and returns milliseconds`, async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    await using server = await wire.start([
      { status: 429, headers: { "retry-after": "12" } },
      { status: 429, headers: { "retry-after": date } },
      { status: 429, headers: { "retry-after-ms": "250" } },
      { status: 429 },
      { status: 429, headers: { "retry-after": "soon" } },
    ]);
    const waits = [];
    for (let number = 0; number < 5; number++) waits.push(failureOf(await ask(wire, server)).retryAfterMs);
    const [seconds, atDate, milliseconds, ...none] = waits;
    assert.deepEqual([seconds, milliseconds, none], [12_000, 250, [undefined, undefined]]);
    assert.ok(atDate !== undefined && atDate > 85_000 && atDate <= 90_000, String(atDate));
  });

  test(`25 ${wire.name}: 500, 502, 503, 529 and a reset are retryable failures; the next request succeeds`, async () => {
    await using server = await wire.start([
      { status: 500 },
      { status: 502, body: "<html>Bad Gateway</html>" },
      { status: 503 },
      { status: 529 },
      { raw: ["cut"] },
      { text: "fine" },
    ]);
    const codes = [];
    for (let number = 0; number < 5; number++) {
      const got = failureOf(await ask(wire, server));
      assert.equal(got.retryable, true);
      codes.push(got.code);
    }
    assert.deepEqual(codes, ["server", "server", "overloaded", "overloaded", "network"]);
    assert.deepEqual(partsOf(await ask(wire, server)), [{ type: "text", text: "fine" }]);
  });

  test(`26 ${wire.name}: gives up on a server that accepts no connection after the connect limit`, async () => {
    // A listener that never answers the TLS handshake leaves the connection unfinished on every system.
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const sockets = new Set<Socket>();
    silent.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
    const watch = new Stopwatch();
    const got = failureOf(await collect(wire.connect(`https://127.0.0.1:${port}`), { connectMs: 150 }));
    assert.deepEqual([got.code, got.retryable], ["timeout", true]);
    watch.assertWithin(1_150, "giving up");
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  test(`26 ${wire.name}: an abort ends a stream at once that stalls before its head, first event or next event`, async () => {
    await using server = await wire.start([
      { text: "late", headAfterMs: 60_000 },
      { text: "late", firstAfterMs: 60_000 },
      { text: "late and later", betweenMs: 60_000 },
    ]);
    for (let number = 0; number < 3; number++) {
      const watch = new Stopwatch();
      const got = failureOf(await collect(wire.connect(server.url), {}, AbortSignal.timeout(60)));
      assert.equal(got.code, "cancelled");
      watch.assertWithin(1_000, "the end");
    }
  });

  test(`${wire.name}: refuses a redirect, since the request carries a key`, async () => {
    await using server = await wire.start([{ status: 307, headers: { location: "http://127.0.0.1:9/elsewhere" } }]);
    const got = failureOf(await ask(wire, server));
    assert.deepEqual([got.code, got.retryable, got.status], ["bad_request", false, 307]);
    assert.equal(server.requests.length, 1);
  });

  test(`${wire.name}: no failure repeats the key, whatever the provider quotes`, async () => {
    await using server = await wire.start([
      { status: 401, message: `Incorrect API key provided: ${KEY}. Bearer ${KEY}` },
      { status: 400, body: { error: { message: `sk-proj-abcdefghijklmnop1234 and ${KEY}` } } },
      { status: 500, body: `trace ${KEY}` },
    ]);
    for (let number = 0; number < 3; number++) {
      const got = failureOf(await ask(wire, server));
      assert.ok(!/sk-test|sk-proj-abc|5f3a9c0d/.test(JSON.stringify(got)), got.message);
    }
  });

  test(`${wire.name}: classifies errors by their text`, async () => {
    const cases: readonly (readonly [ScriptedReply, ModelFailure["code"], boolean])[] = [
      [{ status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" }, "context_overflow", false],
      [{ status: 413, body: "<html>Request Entity Too Large</html>" }, "context_overflow", false],
      [{ status: 400, message: "Your credit balance is too low to access the API." }, "billing", false],
      [
        {
          status: 429,
          body: {
            error: {
              message: "You exceeded your current quota.",
              type: "insufficient_quota",
              code: "insufficient_quota",
            },
          },
        },
        "billing",
        false,
      ],
      [
        { status: 429, message: "Rate limit of 30,000 input tokens per minute reached, too many tokens" },
        "rate_limit",
        true,
      ],
      [
        { status: 400, body: { error: { message: "The model `x` does not exist", code: "model_not_found" } } },
        "model_not_found",
        false,
      ],
      [{ status: 403, message: "Your request was flagged by moderation" }, "refused", false],
      [{ status: 403, message: "no access" }, "auth", false],
      [{ status: 422, message: "messages.3: field required" }, "bad_request", false],
    ];
    await using server = await wire.start(cases.map(([reply]) => reply));
    const got = [];
    for (const _ of cases) {
      const { code, retryable } = failureOf(await ask(wire, server));
      got.push([code, retryable]);
    }
    assert.deepEqual(
      got,
      cases.map(([, code, retryable]) => [code, retryable]),
    );
  });

  test(`${wire.name}: reuses an open connection`, async () => {
    await using server = await wire.start([
      { text: "a", calls: [{ tool: "t", args: {} }] },
      { text: "b" },
      { status: 429 },
      { text: "c" },
    ]);
    const client = wire.connect(server.url);
    for (let number = 0; number < 4; number++) {
      await collect(client, {});
      // The rest of a reply is read after the answer, within some iterations of the shared event loop; an agent's
      // turn takes longer.
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(server.connections, 1);
  });

  test(`${wire.name}: replaces an open connection that the server has dropped, without a failure`, async () => {
    await using server = await wire.start([{ text: "a", headers: { "keep-alive": "timeout=60" } }, { text: "b" }]);
    const client = wire.connect(server.url);
    await collect(client, {});
    server.dropConnections();
    assert.deepEqual(partsOf(await collect(client, {})), [{ type: "text", text: "b" }]);
  });

  test(`${wire.name}: makes a call id unique that the conversation already used`, async () => {
    await using server = await wire.start([
      {
        calls: [
          { id: "call_0", tool: "t", args: {} },
          { id: "call_0", tool: "t", args: {} },
          { id: "", tool: "t", args: {} },
        ],
      },
    ]);
    const messages: ModelRequest["messages"] = [
      { role: "user", parts: [{ type: "text", text: "hi" }] },
      { role: "assistant", parts: [{ type: "tool-call", callId: "call_0", tool: "t", args: "{}" }] },
      {
        role: "tool",
        results: [{ callId: "call_0", tool: "t", parts: [{ type: "text", text: "ok" }], failed: false }],
      },
    ];
    const ids = partsOf(await collect(wire.connect(server.url), { messages })).flatMap((part) =>
      part.type === "tool-call" ? [part.callId] : [],
    );
    assert.deepEqual([ids.length, new Set(["call_0", ...ids]).size, ids.every((id) => id !== "")], [3, 4, true]);
  });

  test(`28 ${wire.name}: ten megabytes of arguments arrive whole`, async () => {
    const long = "x".repeat(10_000_000);
    await using server = await wire.start([
      { calls: [{ tool: "write_file", args: { content: long } }], deltaChars: 1_000_000 },
    ]);
    const [call] = partsOf(await ask(wire, server));
    assert.equal(
      call?.type === "tool-call" ? (JSON.parse(call.args) as { content: string }).content.length : 0,
      long.length,
    );
  });

  test(`${wire.name}: the first request loads neither undici nor the other wire`, async () => {
    await using server = await wire.start([{ text: "hi" }]);
    const script = `
      const loaded = [];
      process.getBuiltinModule("node:module").registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { providersOf } = await import(${JSON.stringify(join(root, "plugins/model-http/test/providers.ts"))});
      const client = providersOf({}).get(${JSON.stringify(wire.name)}).connect({ model: "m", baseUrl: ${JSON.stringify(server.url)}, apiKey: "k" });
      let end;
      for await (const event of client.stream({ model: "m", system: "", tools: [], messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }], sessionId: "s" }, new AbortController().signal)) end = event;
      console.log(JSON.stringify({ kind: end.kind, undici: process.moduleLoadList.filter((name) => /undici/.test(name)), clients: loaded.flatMap((url) => /([^/]+)\\/client\\.ts$/.exec(url)?.[1] ?? []) }));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=hermes-source", "--input-type=module", "--eval", script],
      { cwd: root },
    );
    assert.deepEqual(JSON.parse(stdout), {
      kind: "answer",
      undici: [],
      clients: [wire.name === "openai" ? "chat-completions" : "messages"],
    });
  });

  test(`${wire.name}: uses a configured proxy, but never for this machine`, async () => {
    await using server = await wire.start([{ text: "by proxy" }]);
    const proxy = { HTTP_PROXY: new URL(server.url).origin };
    const far = provider(wire.name, proxy).connect({ model: "m", baseUrl: "http://model.invalid/v1", apiKey: KEY });
    assert.deepEqual(partsOf(await collect(far, {})), [{ type: "text", text: "by proxy" }]);
    assert.match(server.requests[0]?.path ?? "", /^http:\/\/model\.invalid\/v1\//);
    const near = provider(wire.name, { HTTP_PROXY: "http://127.0.0.1:9" }).connect({
      model: "m",
      baseUrl: server.url,
      apiKey: KEY,
    });
    assert.deepEqual(partsOf(await collect(near, {})), [{ type: "text", text: "by proxy" }]);
  });

  test(`${wire.name}: lists models`, async () => {
    await using server = await wire.start([]);
    const listed = await provider(wire.name).listModels?.(
      { model: "", baseUrl: server.url, apiKey: KEY },
      new AbortController().signal,
    );
    assert.deepEqual(listed, wire.name === "openai" ? ["loopback-large", "loopback-small"] : ["claude-loopback"]);
  });
}

function provider(id: string, env: { readonly [name: string]: string } = {}): ModelProvider {
  const found = providersOf(env).get(id);
  assert.ok(found);
  return found;
}

function ask(wire: Wire, server: ModelServer): Promise<readonly ModelEvent[]> {
  return collect(wire.connect(server.url), {});
}

async function collect(
  client: ModelClient,
  more: Partial<ModelRequest>,
  signal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request: ModelRequest = {
    model: "m",
    system: "Be brief.",
    tools: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    sessionId: "s",
    ...more,
  };
  for await (const event of client.stream(request, signal)) events.push(event);
  assert.equal(events.filter((event) => event.type === "end").length, 1);
  return events;
}

function partsOf(events: readonly ModelEvent[]) {
  const end = events.at(-1);
  if (end?.type !== "end" || end.kind !== "answer") assert.fail(JSON.stringify(end));
  return end.parts;
}

function failureOf(events: readonly ModelEvent[]): ModelFailure {
  const end = events.at(-1);
  if (end?.type !== "end" || end.kind !== "failure") assert.fail(JSON.stringify(end).slice(0, 300));
  return end.failure;
}
