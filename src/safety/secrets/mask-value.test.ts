import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownMask } from "./known-values.ts";
import { maskField, maskValue } from "./mask-value.ts";
import { createRedactor, NO_MASKING } from "./redact.ts";

const redact = createRedactor(createKnownMask(() => ["swordfish-77"]));

// field: F01
test("texts and keys are masked, a key names its value, and all else stays", () => {
  const date = new Date(0);
  const value = {
    api_key: "abcdef0123456789",
    token_count: 5,
    password: 12345678,
    nested: { lines: ["DB_PASSWORD=hunter2hunter2\nNAME=x", "plain"], "swordfish-77": true },
    headers: { Authorization: "Bearer abc123def456", Accept: "text/plain" },
    env: [
      { name: "API_KEY", value: "abc123def456" },
      { name: "MODE", value: "abc123def456" },
    ],
    api_keys: ["abc123def456", "none"],
    secret: "${SECRET}",
    date,
    none: null,
  };
  assert.deepEqual(maskValue(value, redact), {
    api_key: "***",
    token_count: 5,
    password: 12345678,
    nested: { lines: ["DB_PASSWORD=***\nNAME=x", "plain"], "[REDACTED]": true },
    headers: { Authorization: "Bearer ***", Accept: "text/plain" },
    env: [
      { name: "API_KEY", value: "***" },
      { name: "MODE", value: "abc123def456" },
    ],
    api_keys: ["***", "none"],
    secret: "${SECRET}",
    date,
    none: null,
  });
});

test("a value without secrets is the same object, and without masking every value is", () => {
  const clean = { a: [1, { b: "text" }], c: { password_policy: "strict" } };
  assert.equal(maskValue(clean, redact), clean);
  const secret = { api_key: "abcdef0123456789" };
  assert.equal(maskValue(secret, NO_MASKING), secret);
});

test("a value that writes itself is masked as what it writes, and one that contains itself is refused as by JSON", () => {
  const made = { toJSON: () => ({ token: "abc123def456" }) };
  assert.deepEqual(maskValue({ made }, redact), { made: { token: "***" } });
  const around: { [key: string]: unknown } = {};
  around["around"] = around;
  assert.throws(() => maskValue(around, redact), TypeError);
});

test("a field for the replacer of JSON.stringify is masked by its key", () => {
  const write = (value: object): string =>
    JSON.stringify(value, (key, one: unknown) => (typeof one === "string" ? maskField(key, one, redact) : one));
  assert.equal(
    write({ client_secret: 'a"b\\c1d2e3', text: "x swordfish-77", keys: "sort" }),
    '{"client_secret":"***","text":"x [REDACTED]","keys":"sort"}',
  );
});
