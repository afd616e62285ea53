import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import type {
  ModelClient,
  ModelEnd,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  Usage,
} from "../contract/providers/model.ts";
import { textOf, type ToolCallPart } from "../contract/conversation/part.ts";

/**
 * The behaviour of the other end of the wire, independent of any provider. A provider's test plays it in its dialect.
 */
export type ModelScene =
  | {
      readonly kind: "answer";
      /** Sent in several pieces; pieces may be cut inside a character. */
      readonly text?: string;
      readonly thinking?: string;
      /** `args` are sent exactly as they stand, valid or not, in several pieces. */
      readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly args: string }[];
      readonly finish: "stop" | "tool-calls" | "length";
      readonly usage: Usage;
    }
  /** An error answer with this HTTP status, in the provider's own error form. */
  | { readonly kind: "status"; readonly status: number; readonly message: string; readonly retryAfterSeconds?: number }
  /** Some text, then the connection is cut. */
  | { readonly kind: "cut"; readonly text: string }
  /** Some text, then nothing until the client goes away. */
  | { readonly kind: "stall"; readonly text: string }
  /** Bytes that are not the protocol, with status 200. */
  | { readonly kind: "garbage" }
  /** No server listens at the address. */
  | { readonly kind: "unreachable" };

export interface PlayedModel extends AsyncDisposable {
  readonly client: ModelClient;
  /** Bodies of the requests that reached the other end. */
  readonly bodies: readonly string[];
}

export interface ModelContractOptions {
  /**
   * Scenes this protocol cannot show, by kind; `invalid-arguments` where it carries arguments as values and not as
   * text, `half-characters` where there is no wire.
   */
  readonly without?: readonly (
    | "thinking"
    | "invalid-arguments"
    | "half-characters"
    | "status"
    | "cut"
    | "stall"
    | "garbage"
    | "unreachable"
  )[];
  /** The key the client was given, to see that it never shows up in a failure. */
  readonly secret?: string;
}

/**
 * The contract of every model client, as tests.
 * @param play Makes a client whose other end plays one scene per request, in order.
 */
export function modelContract(
  name: string,
  play: (scenes: readonly ModelScene[]) => Promise<PlayedModel>,
  options: ModelContractOptions = {},
): void {
  const can = (what: NonNullable<ModelContractOptions["without"]>[number]) => !(options.without ?? []).includes(what);

  describe(`model contract: ${name}`, { timeout: 600_000 }, () => {
    test("sends an answer as deltas, and then once as a whole", async () => {
      await using played = await play([
        { kind: "answer", text: "Grüße, 漢字 🦀, and the rest.", finish: "stop", usage },
      ]);
      const events = await all(played.client);
      const end = answer(events);
      assert.equal(deltas(events, "text.delta"), "Grüße, 漢字 🦀, and the rest.");
      assert.equal(textOf(end.parts), "Grüße, 漢字 🦀, and the rest.");
      assert.equal(end.finish, "stop");
    });

    test("counts all input tokens, including cached ones", async () => {
      await using played = await play([{ kind: "answer", text: "ok", finish: "stop", usage }]);
      const { inputTokens, outputTokens, cacheReadTokens } = answer(await all(played.client)).usage;
      assert.deepEqual(
        { inputTokens, outputTokens, cacheReadTokens },
        { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, cacheReadTokens: usage.cacheReadTokens },
      );
    });

    test("returns several calls complete, in order, with the arguments that the model wrote", async () => {
      const calls = [
        { callId: "call_a", tool: "read_file", args: '{"path":"ä b.txt"}' },
        { callId: "call_b", tool: "terminal", args: '{"command":"echo \\"hi\\""}' },
        { callId: "call_c", tool: "read_file", args: "{}" },
      ];
      await using played = await play([{ kind: "answer", text: "Looking.", calls, finish: "tool-calls", usage }]);
      const end = answer(await all(played.client));
      assert.equal(end.finish, "tool-calls");
      assert.equal(textOf(end.parts), "Looking.");
      assert.deepEqual(
        callsOf(end).map(({ callId, tool, args }) => ({ callId, tool, args: JSON.parse(args) })),
        calls.map((call) => ({ ...call, args: JSON.parse(call.args) })),
      );
    });

    test(
      "arguments that are not JSON are passed on as text, never repaired or dropped",
      { skip: !can("invalid-arguments") },
      async () => {
        await using played = await play([
          {
            kind: "answer",
            calls: [{ callId: "call_a", tool: "terminal", args: '{"command": "rm -rf' }],
            finish: "length",
            usage,
          },
        ]);
        const end = answer(await all(played.client));
        assert.equal(end.finish, "length");
        assert.deepEqual(
          callsOf(end).map((call) => call.args),
          ['{"command": "rm -rf'],
        );
      },
    );

    test("separates thinking from the answer", { skip: !can("thinking") }, async () => {
      await using played = await play([
        { kind: "answer", thinking: "Let me see.", text: "Four.", finish: "stop", usage },
      ]);
      const events = await all(played.client);
      const end = answer(events);
      assert.equal(deltas(events, "thinking.delta"), "Let me see.");
      assert.equal(textOf(end.parts), "Four.");
      assert.deepEqual(
        end.parts.filter((part) => part.type === "reasoning").map((part) => part.text),
        ["Let me see."],
      );
    });

    test("a whole conversation with calls and results is accepted, and the same request is the same bytes", async () => {
      await using played = await play([
        { kind: "answer", text: "done", finish: "stop", usage },
        { kind: "answer", text: "done", finish: "stop", usage },
      ]);
      const messages: ModelRequest["messages"] = [
        { role: "user", parts: [{ type: "text", text: "Look at a and b." }] },
        {
          role: "assistant",
          parts: [
            { type: "text", text: "I will." },
            { type: "tool-call", callId: "call_a", tool: "read_file", args: '{"path":"a"}' },
            { type: "tool-call", callId: "call_b", tool: "read_file", args: '{"path":"b"}' },
          ],
        },
        {
          role: "tool",
          results: [
            { callId: "call_a", tool: "read_file", parts: [{ type: "text", text: "A" }], failed: false },
            { callId: "call_b", tool: "read_file", parts: [{ type: "text", text: '{"error":"no b"}' }], failed: true },
          ],
        },
        { role: "user", parts: [{ type: "text", text: "Go on." }] },
      ];
      answer(await all(played.client, { messages }));
      answer(await all(played.client, { messages }));
      assert.equal(played.bodies.length, 2);
      assert.equal(played.bodies[0], played.bodies[1]);
      for (const word of ["call_a", "call_b", "Look at a and b.", "no b", "Go on.", "Be brief."])
        assert.ok(played.bodies[0]!.includes(word), `${word} is in the request`);
    });

    // field: M01
    const whole = { skip: !can("half-characters") };
    test("half a character that the model writes arrives as U+FFFD, in its text and its calls", whole, async () => {
      await using played = await play([
        {
          kind: "answer",
          text: "cut \ud99c here",
          calls: [{ callId: "call_a", tool: "read_file", args: String.raw`{"path":"\ud99c.txt"}` }],
          finish: "tool-calls",
          usage,
        },
      ]);
      const end = answer(await all(played.client));
      assert.equal(textOf(end.parts), "cut \ufffd here");
      assert.deepEqual(
        callsOf(end).map(({ args }) => JSON.parse(args)),
        [{ path: "\ufffd.txt" }],
      );
    });

    // field: M01
    test("half a character in a conversation leaves as U+FFFD, in every part of a request", whole, async () => {
      await using played = await play([{ kind: "answer", text: "ok", finish: "stop", usage }]);
      const half = "\ud99c";
      const messages: ModelRequest["messages"] = [
        { role: "user", parts: [{ type: "text", text: `user ${half}` }] },
        {
          role: "assistant",
          parts: [
            { type: "text", text: `text ${half}` },
            { type: "tool-call", callId: "call_a", tool: "read_file", args: String.raw`{"path":"call \ud99c"}` },
            { type: "tool-call", callId: "call_b", tool: "read_file", args: `{"path":"raw ${half}"}` },
          ],
        },
        {
          role: "tool",
          results: [
            { callId: "call_a", tool: "read_file", parts: [{ type: "text", text: `A ${half}` }], failed: false },
            { callId: "call_b", tool: "read_file", parts: [{ type: "text", text: `B ${half}` }], failed: true },
          ],
        },
        { role: "user", parts: [{ type: "text", text: "Go on." }] },
      ];
      answer(await all(played.client, { messages, system: `Be brief ${half}.` }));
      const body = played.bodies[0]!;
      assert.ok(body.isWellFormed());
      assert.doesNotMatch(body, /\\ud99c/i);
      assert.doesNotMatch(JSON.stringify(parsed(body)), /\\ud[89a-f]/);
      const found = body.replaceAll(/\\+ufffd/gi, "\ufffd");
      for (const word of [
        "user \ufffd",
        "text \ufffd",
        "call \ufffd",
        "raw \ufffd",
        "A \ufffd",
        "B \ufffd",
        "brief \ufffd",
      ])
        assert.ok(found.includes(word), `${word} is in the request`);
    });

    for (const { status, code, retryable } of STATUSES) {
      test(`status ${status} is a ${code} failure`, { skip: !can("status") }, async () => {
        await using played = await play([{ kind: "status", status, message: "the other end says no" }]);
        const got = failure(await all(played.client));
        assert.deepEqual([got.code, got.retryable, got.status], [code, retryable, status]);
        assert.ok(got.message.length > 0);
        if (options.secret !== undefined)
          assert.ok(!JSON.stringify(got).includes(options.secret), "no key in a failure");
      });
    }

    test("the delay before a retry is the one that the provider requested", { skip: !can("status") }, async () => {
      await using played = await play([{ kind: "status", status: 429, message: "slow down", retryAfterSeconds: 7 }]);
      assert.equal(failure(await all(played.client)).retryAfterMs, 7_000);
    });

    test(
      "distinguishes a request that is too long for the model from a bad one",
      { skip: !can("status") },
      async () => {
        await using played = await play([
          {
            kind: "status",
            status: 400,
            message: "This model's maximum context length is 8192 tokens, prompt is too long",
          },
        ]);
        const got = failure(await all(played.client));
        assert.deepEqual([got.code, got.retryable], ["context_overflow", false]);
      },
    );

    test("a truncated stream is a failure that can be retried, never an answer", { skip: !can("cut") }, async () => {
      await using played = await play([{ kind: "cut", text: "Half of" }]);
      const events = await all(played.client);
      const got = failure(events);
      assert.ok(["network", "bad_response", "server"].includes(got.code), got.code);
      assert.equal(got.retryable, true);
    });

    test("an invalid response is a failure", { skip: !can("garbage") }, async () => {
      await using played = await play([{ kind: "garbage" }]);
      assert.ok(["bad_response", "network", "server"].includes(failure(await all(played.client)).code));
    });

    test(
      "an address without a server is a network failure that can be retried",
      { skip: !can("unreachable") },
      async () => {
        await using played = await play([{ kind: "unreachable" }]);
        const got = failure(await all(played.client));
        assert.deepEqual([got.code, got.retryable], ["network", true]);
      },
    );

    test(
      "an aborted stream soon ends as cancelled, and leaves no listener on the signal",
      { skip: !can("stall") },
      async () => {
        await using played = await play([{ kind: "stall", text: "thinking about" }]);
        const stop = new AbortController();
        const events: ModelEvent[] = [];
        let askedAt = 0;
        for await (const event of played.client.stream(request(), stop.signal)) {
          events.push(event);
          if (event.type === "text.delta" && askedAt === 0) {
            askedAt = performance.now();
            stop.abort();
          }
        }
        assert.ok(performance.now() - askedAt < 20_000, "the stream ends soon after the abort");
        const got = failure(events);
        assert.deepEqual([got.code, got.retryable], ["cancelled", false]);
        assert.equal(getEventListeners(stop.signal, "abort").length, 0);
      },
    );

    test("sends no request if the signal is already aborted", async () => {
      await using played = await play([{ kind: "answer", text: "never", finish: "stop", usage }]);
      const got = failure(await all(played.client, {}, AbortSignal.abort()));
      assert.equal(got.code, "cancelled");
      assert.equal(played.bodies.length, 0);
    });

    test("no listener is left on the signal after an answer", async () => {
      await using played = await play([{ kind: "answer", text: "ok", finish: "stop", usage }]);
      const stop = new AbortController();
      answer(await all(played.client, {}, stop.signal));
      assert.equal(getEventListeners(stop.signal, "abort").length, 0);
    });
  });
}

const STATUSES: readonly {
  readonly status: number;
  readonly code: ModelFailure["code"];
  readonly retryable: boolean;
}[] = [
  { status: 400, code: "bad_request", retryable: false },
  { status: 401, code: "auth", retryable: false },
  { status: 402, code: "billing", retryable: false },
  { status: 404, code: "model_not_found", retryable: false },
  { status: 429, code: "rate_limit", retryable: true },
  { status: 500, code: "server", retryable: true },
  { status: 502, code: "server", retryable: true },
  { status: 529, code: "overloaded", retryable: true },
];

const usage: Usage = {
  inputTokens: 120,
  outputTokens: 12,
  cacheReadTokens: 100,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "contract-model",
    system: "Be brief.",
    tools: [
      {
        name: "read_file",
        description: "Reads a file.",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello." }] }],
    maxOutputTokens: 1_000,
    sessionId: "session_contract",
    ...more,
  };
}

/** Every event of one stream; checks the one rule of order on the way. */
async function all(
  client: ModelClient,
  more: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(request(more), signal)) events.push(event);
  assert.equal(events.filter((event) => event.type === "end").length, 1, "exactly one end");
  assert.equal(events.at(-1)!.type, "end", "the end comes last");
  return events;
}

/** A body in JSON, or as text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body; // A program's prompt is no JSON.
  }
}

function answer(events: readonly ModelEvent[]): Extract<ModelEnd, { kind: "answer" }> {
  const end = events.at(-1);
  if (end?.type !== "end" || end.kind !== "answer") assert.fail(`expected an answer, got ${JSON.stringify(end)}`);
  return end;
}

function failure(events: readonly ModelEvent[]): ModelFailure {
  const end = events.at(-1);
  if (end?.type !== "end" || end.kind !== "failure") assert.fail(`expected a failure, got ${JSON.stringify(end)}`);
  return end.failure;
}

function callsOf(end: Extract<ModelEnd, { kind: "answer" }>): readonly ToolCallPart[] {
  return end.parts.filter((part) => part.type === "tool-call");
}

function deltas(events: readonly ModelEvent[], type: "text.delta" | "thinking.delta"): string {
  return events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
}
