import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchOptions, FetchReply, GuardedFetch } from "../contract/providers/web.ts";
import { ToolFailure } from "../contract/common/failure.ts";
import { sendResult, type HttpRefusal } from "./http-refusal.ts";
import { isAddressed, withoutMentions, type MentionRules } from "./mention-rules.ts";
import { pacedHttp, type PacedRequest } from "./paced-http.ts";
import { platformSettings } from "./platform-settings.ts";
import { exhaustedUntil, retryAfterMs } from "./retry-after.ts";
import { isFresh, isSigned, sameSecret, signature } from "./signature.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");

test("reads a service's requested pause from every form of header and body", () => {
  const wait = (headers: { readonly [name: string]: string }, body: unknown = {}) => retryAfterMs(headers, body, NOW);
  assert.deepEqual(
    [
      wait({ "retry-after": "3" }),
      wait({ "retry-after": "0.25" }),
      wait({ "retry-after": "Fri, 01 May 2026 12:00:07 GMT" }),
      wait({ "retry-after": "Fri, 01 May 2026 11:00:00 GMT" }),
      wait({ "retry-after-ms": "1500" }),
      wait({ "x-ratelimit-reset-after": "1.5" }),
      wait({}, { retry_after: 0.7 }),
      wait({}, { parameters: { retry_after: 12 } }),
      wait({}, { retry_after_ms: 900 }),
      wait({ "retry-after": "soon" }, "busy"),
      wait({}, { retry_after: -1 }),
    ],
    [3_000, 250, 7_000, 0, 1_500, 1_500, 700, 12_000, 900, undefined, undefined],
  );
});

test("knows when a used-up bucket is free again", () => {
  const until = (headers: { readonly [name: string]: string }) => exhaustedUntil(headers, NOW);
  assert.equal(until({ "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "2" }), NOW + 2_000);
  assert.equal(until({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1_000 + 4) }), NOW + 4_000);
  assert.equal(until({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW + 400) }), NOW + 400);
  assert.equal(until({ "ratelimit-remaining": "0", "ratelimit-reset": "5" }), NOW + 5_000);
  assert.equal(until({ ratelimit: '"default";r=0;t=30' }), NOW + 30_000);
  assert.equal(until({ "x-ratelimit-remaining": "1", "x-ratelimit-reset-after": "2" }), undefined);
  assert.equal(until({ ratelimit: '"default";r=10;t=30' }), undefined);
});

type Answer = {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
};

/** A service with scripted answers and a clock that pauses move. */
function service(answers: readonly (Answer | Error)[]) {
  const asked: { readonly url: string; readonly options: FetchOptions; readonly at: number }[] = [];
  let at = NOW;
  const left = [...answers];
  const fetch: GuardedFetch = async (url, options = {}) => {
    asked.push({ url, options, at: at - NOW });
    const answer = left.shift() ?? { status: 200, body: {} };
    if (answer instanceof Error) throw answer;
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
    return {
      status: answer.status,
      headers: answer.headers ?? {},
      text: async () => text,
      bytes: async () => Buffer.from(text),
    } as unknown as FetchReply;
  };
  const http = pacedHttp({
    fetch,
    label: "Tin Can",
    secrets: ["s3cret"],
    sleep: async (ms) => void (at += ms),
    now: () => at,
  });
  return { http, asked };
}

const SAY = "https://tin.example/rooms/1/say?key=s3cret";
const say = (more: PacedRequest = {}): PacedRequest => ({ json: { text: "hi" }, ...more });

test("waits as long as a service asks, repeats the request, and keeps the others of its bucket waiting", async () => {
  const { http, asked } = service([{ status: 429, headers: { "retry-after": "2" } }]);
  await http.request(SAY, say());
  await http.request(SAY, say());
  assert.deepEqual(
    asked.map(({ at }) => at),
    [0, 2_000, 2_000],
  );
});

test("a pause for the whole account delays other buckets; a used-up bucket delays only its own", async () => {
  const whole = service([{ status: 429, headers: { "retry-after": "3", "x-ratelimit-global": "true" } }]);
  await assert.rejects(whole.http.request(SAY, say({ waitMs: 0 })), { status: 429, retryAfterMs: 3_000 });
  await whole.http.request("https://tin.example/other");
  assert.deepEqual(whole.asked.at(-1)?.at, 3_000);

  const used = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "5" };
  const one = service([{ status: 200, headers: used }]);
  await one.http.request(SAY, say());
  await one.http.request("https://tin.example/other");
  await one.http.request(SAY, say());
  assert.deepEqual(
    one.asked.map(({ at }) => at),
    [0, 0, 5_000],
  );
});

test("a pause that is longer than the request waits becomes a refusal that names it", async () => {
  const { http, asked } = service([{ status: 429, body: { retry_after: 90, message: "slow down" } }]);
  const result = await sendResult(async () => ({ success: (await http.request(SAY, say())).status === 200 }));
  assert.deepEqual(result, {
    success: false,
    error: "Tin Can refused the request: slow down",
    retryable: true,
    retry_after: 90,
  });
  assert.equal(asked.length, 1);
});

test("a refusal says why, without secrets, and whether another try may help", async () => {
  const failure = async (answer: Answer | Error) =>
    sendResult(async () => ({ success: (await service([answer]).http.request(SAY, say())).status === 200 }));
  assert.deepEqual(await failure({ status: 403, body: { error: "no s3cret for you" } }), {
    success: false,
    error: "Tin Can refused the request: no [secret] for you",
    retryable: false,
    retry_after: undefined,
  });
  assert.equal((await failure({ status: 503, body: "<html>" })).retryable, true);
  const refused = Object.assign(new Error("connect"), { cause: { code: "ECONNREFUSED" } });
  assert.equal((await failure(refused)).retryable, true);
  assert.equal((await failure(new ToolFailure("blocked", "A private address."))).retryable, true);
});

test("a message that may have arrived has an unknown outcome, and is not repeated", async () => {
  for (const answer of [new Error("socket hang up"), { status: 502, body: "<html>Bad gateway</html>" }]) {
    const { http, asked } = service([answer]);
    await assert.rejects(
      sendResult(async () => ({ success: (await http.request(SAY, say())).status === 200 })),
      { name: "TimeoutError" },
    );
    assert.equal(asked.length, 1);
  }
  const reading = service([new Error("socket hang up")]);
  await assert.rejects(reading.http.request("https://tin.example/rooms"), (cause: HttpRefusal) => !cause.unsure);
});

test("sends JSON, forms and files with their types", async () => {
  const { http, asked } = service([]);
  await http.request(SAY, { form: { To: "+49 30", Body: "a&b" } });
  await http.request(SAY, {
    upload: { fields: { chat: 1 }, files: [{ field: "file", name: 'a"b.txt', bytes: Buffer.from("x") }] },
  });
  const [form, upload] = asked.map(({ options }) => options);
  assert.deepEqual([form?.method, form?.body], ["POST", "To=%2B49+30&Body=a%26b"]);
  assert.match(upload?.headers?.["content-type"] ?? "", /^multipart\/form-data; boundary=/);
  assert.match(Buffer.from(upload?.body as Uint8Array).toString(), /name="chat"\r\n\r\n1\r\n.*filename="a%22b.txt"/s);
});

test("compares secrets and signatures, with and without a prefix, and refuses old times", () => {
  assert.deepEqual([sameSecret("a", "a"), sameSecret("a", "b"), sameSecret("", "b")], [true, false, false]);
  const options = { key: "k", signed: ["v0:1:", Buffer.from("body")] };
  const right = signature(options);
  assert.deepEqual(
    [right, `v0=${right}`, `sha256=${right.toUpperCase()}`, right.slice(1), "", undefined].map((given) =>
      isSigned(given, options),
    ),
    [true, true, true, false, false, false],
  );
  const base64 = { ...options, hash: "sha1", encoding: "base64" } as const;
  assert.equal(isSigned(signature(base64), base64), true);
  assert.deepEqual(
    [isFresh(NOW, NOW), isFresh(NOW - 301_000, NOW), isFresh(NOW + 301_000, NOW), isFresh(Number.NaN, NOW)],
    [true, false, false, false],
  );
});

const RULES: MentionRules = { requireMention: true, freeChats: ["free"], patterns: [/\bhermes\b/i] };

test("a group message counts if it mentions the agent, replies to it, matches a pattern or is in a free chat", () => {
  const counts = (more: object, rules: Partial<MentionRules> = {}): boolean =>
    isAddressed({ text: "hi", chats: ["a"], mentioned: false, ...more }, { ...RULES, ...rules });
  assert.deepEqual(
    [
      counts({}),
      counts({ mentioned: true }),
      counts({ answersAgent: true }),
      counts({ text: "hey Hermes" }),
      counts({ chats: ["thread", "free"] }),
      counts({}, { requireMention: false }),
    ],
    [false, true, true, true, true, true],
  );
  assert.equal(counts({ mentionsOthers: true }, { requireMention: false }), false);
  assert.equal(counts({ mentioned: true }, { allowedChats: ["b"] }), false);
  assert.equal(counts({ mentioned: true, chats: ["b"] }, { allowedChats: ["b"], ignoredChats: ["b"] }), false);
});

test("removes mentions as the service writes them", () => {
  assert.equal(withoutMentions("@Hermes_bot: what time?", ["@hermes_bot"]), "what time?");
  assert.equal(withoutMentions("say <@U1> hello", ["<@U1>"]), "say hello");
  assert.equal(withoutMentions("@hermes_bot2 hi", ["@hermes_bot"]), "@hermes_bot2 hi");
});

test("reads settings: a variable wins over a key, and an invalid pattern is an error", () => {
  const settings = platformSettings((name) => ({ TIN_TEXT: " v ", TIN_BAD: "(", TIN_SECONDS: "x" })[name], {
    text: "k",
    list: ["a", "b"],
    flag: true,
    free_response_channels: "c1, c2",
  });
  assert.deepEqual(
    [
      settings.text("TIN_TEXT", "text"),
      settings.text("", "text"),
      settings.text("TIN_NONE", "none", "usual"),
      settings.list("TIN_LIST", "list"),
      settings.flag("TIN_FLAG", "flag", false),
      settings.number("TIN_SECONDS", "seconds", 5),
      settings.mentionRules("TIN", "CHANNELS", true).freeChats,
    ],
    ["v", "k", "usual", ["a", "b"], true, 5, ["c1", "c2"]],
  );
  assert.throws(() => settings.patterns("TIN_BAD", "bad"), /TIN_BAD is invalid/);
});
