import assert from "node:assert/strict";
import { test } from "node:test";
import { SdkErrorCode, SdkHttpError, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { ToolContext } from "hermes-agent/plugin";
import { quietLog, withoutUndefined } from "hermes-agent/testing";
import { McpServer, type Way } from "./server.ts";
import { readEntry, type ServerEntry } from "./server-entry.ts";
import { ServerRequests } from "./server-requests.ts";

function entry(more: object = {}): ServerEntry {
  const read = readEntry("hut", { command: "x", ...more } as never);
  assert.ok(read.kind === "server");
  return read.entry;
}

// row 47 of the fault matrix
// req: R-63
test("reconnects to an unreachable MCP server after one second, doubling to a minute; calls meanwhile fail at once", async () => {
  let now = 0;
  let tries = 0;
  const closed: Transport = {
    start: async () => Promise.reject(new Error("the door is shut")),
    send: async () => undefined,
    close: async () => undefined,
  };
  const server = new McpServer(entry(), {
    log: quietLog(),
    version: "1",
    ways: (): readonly Way[] => ((tries += 1), [{ transport: { ...closed } }]),
    requests: (call) => new ServerRequests(entry(), { call, llm: never, now: () => now }),
    now: () => now,
    listed: () => undefined,
  });
  const failure = () =>
    server.connect().then(
      () => "connected",
      (cause: { readonly message: string; readonly hint: string }) => `${cause.message} ${cause.hint}`,
    );
  assert.equal(await failure(), 'The MCP server "hut" is unreachable: the door is shut. Hermes tries again in 1 s.');
  const waits: number[] = [];
  for (let round = 0; round < 8; round++) {
    const before = tries;
    const [, seconds] = /in (\d+) s/.exec(await failure())!;
    assert.equal(tries, before, "no reconnection attempt before the delay ends");
    waits.push(Number(seconds));
    now += Number(seconds) * 1_000;
    await failure();
    assert.equal(tries, before + 1);
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  await server.close();
});

const never = () => Promise.reject(new Error("the server must not call this"));
const call = (ask: ToolContext["ask"]): ToolContext =>
  ({ ask, cwd: "/", home: "/home/ana", agentHome: "/home/ana/.hermes" }) as unknown as ToolContext;

test("asks one question per form field, suited to its type, and returns the answers in the form's types", async () => {
  const asked: string[] = [];
  const answers = ["Yes", "Red", "7", ""];
  const prompter = call(async (question) => {
    asked.push(
      question.kind === "choice"
        ? `${question.text.split("\n")[1]}: ${question.choices.join("/")}`
        : (question.kind === "text" && question.text.split("\n")[1]!) || "",
    );
    return { kind: "text", text: answers.shift()! };
  });
  const requests = new ServerRequests(entry(), { call: () => prompter, llm: never, now: () => 0 });
  const form = {
    properties: {
      sure: { type: "boolean" },
      colour: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
      count: { type: "integer", description: "How many" },
      note: { type: "string" },
    },
    required: ["sure", "colour", "count"],
  };
  assert.deepEqual(await requests.elicit({ message: "Now", requestedSchema: form }), {
    action: "accept",
    content: { sure: true, colour: "r", count: 7 },
  });
  assert.deepEqual(asked, [
    "sure: Yes/No/Decline to answer",
    "colour: Red/Decline to answer",
    "count: How many",
    "note (may be left empty)",
  ]);
  assert.deepEqual(await requests.elicit({ mode: "url", url: "https://a.example", message: "Open this" }), {
    action: "decline",
  });
  const late = new ServerRequests(entry(), {
    call: () => call(async () => ({ kind: "none", reason: "timeout" })),
    llm: never,
    now: () => 0,
  });
  assert.deepEqual(await late.elicit({ message: "Now", requestedSchema: form }), { action: "cancel" });
  const between = new ServerRequests(entry(), { call: () => undefined, llm: never, now: () => 0 });
  assert.deepEqual([await between.elicit({ message: "Now" }), between.roots()], [{ action: "decline" }, { roots: [] }]);
});

test("sampling works only if enabled, within the limits of tokens and requests", async () => {
  let now = 0;
  const wanted: unknown[] = [];
  const llm = async (request: object) => (
    wanted.push(request),
    { text: "Fine.", provider: "p", model: "m", usage: {} as never }
  );
  const params = {
    systemPrompt: "Be brief.",
    messages: [{ role: "user", content: { type: "text", text: "How is it?" } }],
    maxTokens: 9_000,
  };
  const { signal } = new AbortController();
  await assert.rejects(
    new ServerRequests(entry(), { call: () => undefined, llm, now: () => now }).sample(params, signal),
    /Sampling is disabled/,
  );
  const open = new ServerRequests(entry({ sampling: { enabled: true, max_rpm: 2, max_tokens_cap: 100 } }), {
    call: () => undefined,
    llm,
    now: () => now,
  });
  assert.deepEqual(await open.sample(params, signal), {
    model: "m",
    role: "assistant",
    content: { type: "text", text: "Fine." },
    stopReason: "endTurn",
  });
  assert.deepEqual(withoutUndefined(wanted), [
    {
      system: "Be brief.",
      messages: [{ role: "user", text: "How is it?" }],
      maxOutputTokens: 100,
      timeoutMs: 30_000,
      purpose: "MCP server hut",
    },
  ]);
  await open.sample(params, signal);
  await assert.rejects(open.sample(params, signal), /more than 2 sampling requests in a minute/);
  now = 61_000;
  await open.sample(params, signal);
  await assert.rejects(
    open.sample({ messages: [{ role: "user", content: { type: "image", data: "" } }] }, signal),
    /supports only text/,
  );
});

/** A connection to a server that answers as `calls` says and refuses a forgotten session. */
function connection(calls: () => Promise<string>): Transport {
  const transport: Transport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    async send(message: JSONRPCMessage) {
      if (!("method" in message) || !("id" in message)) return;
      const report = (result: object) =>
        queueMicrotask(() => transport.onmessage?.({ jsonrpc: "2.0", id: message.id!, result } as never));
      if (message.method === "initialize")
        report({
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "hut", version: "1" },
        });
      else if (message.method === "tools/list") report({ tools: [] });
      else report({ content: [{ type: "text", text: await calls() }] });
    },
  };
  return transport;
}

test("when a server has lost its session, two running calls are repeated on one new connection and each gets its own answer", async () => {
  const forgotten = () => new SdkHttpError(SdkErrorCode.SendFailed, "gone", { status: 404 } as never);
  const [first, second, answered] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<string>(),
    Promise.withResolvers<string>(),
  ];
  const before = [first.promise, second.promise];
  let opened = 0;
  const again = Promise.withResolvers<void>();
  const ways = (): readonly Way[] => (
    (opened += 1),
    [{ transport: connection(() => (opened === 1 ? before.shift()! : (again.resolve(), answered.promise))) }]
  );
  const server = new McpServer(entry(), {
    log: quietLog(),
    version: "1",
    ways,
    requests: (caller) => new ServerRequests(entry(), { call: caller, llm: never, now: () => 0 }),
    now: () => 0,
    listed: () => undefined,
  });
  const ask = () =>
    server
      .request("tools/call", { name: "x" }, { ...call(never), signal: new AbortController().signal }, "x")
      .then((result) => JSON.stringify(result).includes("done"));
  const results = [ask(), ask()];
  await server.connect();
  first.reject(forgotten());
  await again.promise;
  second.reject(forgotten());
  answered.resolve("done");
  assert.deepEqual([await Promise.all(results), opened], [[true, true], 2]);
  await server.close();
});
