import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownMask } from "./known-values.ts";
import { isFree, maskField, maskValue, maskValueSteps } from "./mask-value.ts";
import { createRedactor, NO_MASKING } from "./redact.ts";
import { runSteps } from "./spans.ts";

const redact = createRedactor(createKnownMask(() => ["swordfish-77"]));

// field: F01
test("masks texts and keys; a key identifies its value as secret, and all else stays", () => {
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

test("returns the same object for a value without secrets, or while masking is off", () => {
  const clean = { a: [1, { b: "text" }], c: { password_policy: "strict" } };
  assert.equal(maskValue(clean, redact), clean);
  const secret = { api_key: "abcdef0123456789" };
  assert.equal(maskValue(secret, NO_MASKING), secret);
});

// field: F01
test("whenever the quick check finds no secrets, the full search masks nothing", () => {
  const keys = ["a", "path", "PATHEX", "pat", "gitlabPat", "patHex", "name", "value", "Key", "api_key", "token", "x-a"];
  const texts = [
    "",
    "ok",
    "PAT",
    "API_KEY",
    "abc123def456",
    "Pat_2",
    "swordfish-77",
    "xSWORDFISH",
    "DB_PASSWORD=a1b2c3d4",
  ];
  let state = 1;
  const pick = <T>(from: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 0x1_0000_0000) * from.length)]!;
  };
  const made = (depth: number): unknown => {
    const kind = pick(
      depth > 2 ? ["text", "number"] : ["text", "text", "number", "list", "object", "object", "writer"],
    );
    if (kind === "text") return pick(texts);
    if (kind === "number") return pick([0, true, null, undefined]);
    if (kind === "list") return [made(depth + 1), made(depth + 1)];
    const fields = Object.fromEntries([1, 2, 3].map(() => [pick(keys), made(depth + 1)]));
    return kind === "object" ? fields : { toJSON: () => fields };
  };
  const seen = { free: 0, masked: 0, plain: 0 };
  for (let round = 0; round < 20_000; round += 1) {
    const value = made(0);
    const same = runSteps(maskValueSteps(value, (text) => redact.steps(text))) === value;
    const free = isFree(value, redact);
    if (free) assert.ok(same, JSON.stringify(value));
    seen[free ? "free" : same ? "plain" : "masked"] += 1;
  }
  assert.ok(seen.free > 2_000 && seen.masked > 2_000, JSON.stringify(seen));
  assert.equal(isFree("word ".repeat(2_000), redact), false);
});

test("masks an object with toJSON by its output, and refuses circular values as JSON does", () => {
  const made = { toJSON: () => ({ token: "abc123def456" }) };
  assert.deepEqual(maskValue({ made }, redact), { made: { token: "***" } });
  const around: { [key: string]: unknown } = {};
  around["around"] = around;
  assert.throws(() => maskValue(around, redact), TypeError);
});

test("masks a field by its key inside a JSON.stringify replacer", () => {
  const write = (value: object): string =>
    JSON.stringify(value, (key, one: unknown) => (typeof one === "string" ? maskField(key, one, redact) : one));
  assert.equal(
    write({ client_secret: 'a"b\\c1d2e3', text: "x swordfish-77", keys: "sort" }),
    '{"client_secret":"***","text":"x [REDACTED]","keys":"sort"}',
  );
});
