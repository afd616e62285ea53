import assert from "node:assert/strict";
import { test } from "node:test";
import { complaintOf, readComplaint, type Complaint } from "./complaint.ts";
import { failureOf, type Asked } from "./failure.ts";
import type { WireReply } from "./http.ts";
import { withoutUndefined } from "hermes-agent/testing";

const ASKED = { service: "Example", model: "m-1", keyEnv: ["A_KEY", "B_KEY", "C_KEY"], key: "secret-of-a-person" };
const verdict = (complaint: Partial<Complaint>) => {
  const { code, retryable } = failureOf({ codes: "", message: "", ...complaint }, ASKED);
  return `${code}${retryable ? " again" : ""}`;
};

test("classifies by status first, and by message if the status is not specific", () => {
  const cases: readonly (readonly [Partial<Complaint>, string])[] = [
    [{ status: 429, message: "Too many input tokens per minute" }, "rate_limit again"],
    [{ status: 429, codes: "insufficient_quota" }, "billing"],
    [{ status: 401 }, "auth"],
    [{ status: 403 }, "auth"],
    [{ status: 400, message: "API key not valid" }, "auth"],
    [{ status: 402 }, "billing"],
    [{ status: 400, message: "Your credit balance is too low" }, "billing"],
    [{ status: 413 }, "context_overflow"],
    [{ status: 400, message: "This model's maximum context length is 8192 tokens" }, "context_overflow"],
    [{ status: 400, message: "It was flagged by moderation" }, "refused"],
    [{ status: 404 }, "model_not_found"],
    [{ status: 400, message: "The model `m-1` does not exist" }, "model_not_found"],
    [{ status: 408 }, "timeout again"],
    [{ status: 503 }, "overloaded again"],
    [{ status: 529 }, "overloaded again"],
    [{ status: 500, message: "flagged" }, "server again"],
    [{ status: 409 }, "server again"],
    [{ status: 400, message: "temperature must be at most 2" }, "bad_request"],
    [{}, "server again"],
    [{ codes: "overloaded_error" }, "overloaded again"],
    [{ codes: "rate_limit_error" }, "rate_limit again"],
    [{ codes: "authentication_error" }, "auth"],
    [{ codes: "invalid_request_error" }, "bad_request"],
  ];
  for (const [complaint, wanted] of cases) assert.equal(verdict(complaint), wanted, JSON.stringify(complaint));
});

test("finds an error in each format of the services, and none in an answer", () => {
  assert.deepEqual(
    withoutUndefined(complaintOf({ error: { message: "No.", type: "invalid_request_error", code: "bad" } })),
    {
      codes: "bad invalid_request_error",
      message: "No.",
    },
  );
  assert.deepEqual(
    complaintOf([
      { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Wait.", details: [{ retryDelay: "7s" }] } },
    ]),
    { status: 429, codes: "RESOURCE_EXHAUSTED", message: "Wait.", retryAfterMs: 7000 },
  );
  assert.deepEqual(complaintOf({ error: "just words" }), { codes: "", message: "just words" });
  assert.deepEqual(withoutUndefined(complaintOf({ object: "error", message: "No." })), { codes: "", message: "No." });
  assert.deepEqual(withoutUndefined(complaintOf({ detail: "Not found" })), { codes: "", message: "Not found" });
  assert.equal(
    complaintOf({ error: { message: "Provider error", metadata: { raw: "the real reason" } } })?.message,
    "Provider error the real reason",
  );
  for (const none of [undefined, null, "text", 7, {}, { choices: [] }, { error: null }, { error: false }])
    assert.equal(complaintOf(none), undefined, JSON.stringify(none));
});

test("a message names the service, its error and advice, and never a key", () => {
  assert.equal(
    failureOf({ status: 401, codes: "", message: "Wrong key secret-of-a-person or sk-abcdefghijklmnop" }, ASKED)
      .message,
    "Example answered 401: Wrong key [key] or [key]. Check A_KEY or B_KEY (`hermes setup`).",
  );
  assert.match(
    failureOf({ status: 401, codes: "", message: "" }, { ...ASKED, key: undefined, keyEnv: [] }).message,
    /^Example answered 401\. No key was sent: set the key/,
  );
  const refused = (asked: Partial<Asked>) =>
    failureOf({ status: 401, codes: "", message: "" }, { ...ASKED, ...asked }).message;
  assert.equal(
    refused({ keyOrigin: "model.api_key in config.yaml" }),
    "Example answered 401. Check model.api_key in config.yaml (`hermes setup`).",
  );
  assert.equal(
    refused({ key: undefined, keyOrigin: "LAB_API_KEY is not set" }),
    "Example answered 401. No key was sent, because LAB_API_KEY is not set. Set it with `hermes setup`.",
  );
  assert.match(
    failureOf({ status: 404, codes: "", message: "" }, ASKED).message,
    /Is the base URL right\? Is "m-1" the right name\?/,
  );
  assert.match(
    failureOf({ status: 404, codes: "", message: "No such model." }, ASKED).message,
    /No such model\. Is "m-1" the right name\?/,
  );
  assert.match(
    failureOf({ status: 400, codes: "", message: "Use v1/responses" }, ASKED).message,
    /hermes config set model\.api_mode codex_responses/,
  );
  assert.equal(
    failureOf({ codes: "", message: `${"x".repeat(700)}\u202e\n` }, ASKED).message,
    `Example reports an error: ${"x".repeat(600)}….`,
  );
});

async function read(
  body: string,
  headers: { readonly [name: string]: string } = {},
  breaks = false,
): Promise<Complaint> {
  const released: unknown[] = [];
  async function* bytes() {
    yield Buffer.from(body);
    if (breaks) throw new Error("the connection broke");
  }
  const complaint = await readComplaint(
    { status: 500, headers, body: bytes(), release: (done: boolean) => released.push(done) } as unknown as WireReply,
    Date.UTC(2030, 0, 1),
  );
  assert.deepEqual(released, [true]);
  return complaint;
}

test("reads the received part of an error message, but not a proxy's page", async () => {
  assert.equal((await read("<html>Bad gateway</html>")).message, "");
  assert.equal((await read("{}\n")).message, "");
  assert.equal((await read("upstream is gone", {}, true)).message, "upstream is gone");
  assert.deepEqual(withoutUndefined(await read('{"error":{"message":"No."}}')), {
    status: 500,
    codes: "",
    message: "No.",
  });
});

test("reads a retry delay in milliseconds, seconds or as a date, and ignores an invalid one", async () => {
  const wait = async (headers: { readonly [name: string]: string }) => (await read("", headers)).retryAfterMs;
  assert.deepEqual(
    [
      await wait({ "retry-after-ms": "250", "retry-after": "9" }),
      await wait({ "retry-after": "1.5" }),
      await wait({ "retry-after": "Tue, 01 Jan 2030 00:00:05 GMT" }),
      await wait({ "retry-after": "Tue, 01 Jan 2019 00:00:00 GMT" }),
    ],
    [250, 1500, 5000, 0],
  );
  for (const value of ["-1", "soon", ""]) assert.equal(await wait({ "retry-after": value }), undefined, value);
});
