import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema, StandardSchema } from "../../contract/common/schema.ts";
import { isPlainSchema } from "./plain-schema.ts";
import { validate } from "./validate.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    mode: { type: "string", enum: ["a", "b"], default: "a" },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    edits: {
      type: "array",
      minItems: 1,
      items: { type: "object", properties: { old: { type: "string" } }, required: ["old"] },
    },
    note: { type: ["string", "null"] },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["path"],
};

const cases: readonly [JsonObject, string | undefined][] = [
  [{ path: "x" }, undefined],
  [{ path: "x", mode: "b", limit: 10, edits: [{ old: "" }], note: null, env: { A: "1" }, more: [1] }, undefined],
  [{}, '"path" is missing'],
  [{ path: 1 }, '"path" must be string; it is the number 1'],
  [{ path: "" }, '"path" must be at least 1 characters long; it is 0'],
  [{ path: "x", mode: "c" }, '"mode" must be one of "a", "b"; it is "c"'],
  [{ path: "x", limit: 11 }, '"limit" must be at most 10; it is 11'],
  [{ path: "x", limit: 1.5 }, '"limit" must be integer; it is the number 1.5'],
  [{ path: "x", edits: [] }, '"edits" must be at least 1 items long; it is 0'],
  [{ path: "x", edits: [{ old: "" }, {}] }, '"edits[1].old" is missing'],
  [{ path: "x", note: [] }, '"note" must be string or null; it is an array'],
  [{ path: "x", env: { A: 1 } }, '"env.A" must be string; it is the number 1'],
];

test("plain schemas are checked without the schema compiler and the message names path, expected and got", async () => {
  assert.equal(isPlainSchema(SCHEMA), true);
  for (const [args, what] of cases) {
    assert.deepEqual(
      await validate(args, SCHEMA),
      what === undefined ? { ok: true, input: args } : { ok: false, message: `Invalid arguments: ${what}.` },
    );
  }
});

test("the schema compiler and the plain check accept the same values", async () => {
  // A keyword that only the compiler knows, and that changes nothing.
  const compiled: JsonSchema = { ...SCHEMA, allOf: [{}] };
  assert.equal(isPlainSchema(compiled), false);
  for (const [args, what] of cases)
    assert.equal((await validate(args, compiled)).ok, what === undefined, JSON.stringify(args));
});

test("schemas with references, branches and patterns go to the compiler", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      when: { anyOf: [{ type: "string", pattern: "^\\d+m$" }, { type: "integer" }] },
      to: { $ref: "#/$defs/name" },
    },
    $defs: { name: { type: "string", enum: ["x", "y"] } },
  };
  assert.deepEqual(await validate({ when: "5m", to: "x" }, schema), { ok: true, input: { when: "5m", to: "x" } });
  assert.deepEqual(await validate({ to: "z" }, schema), {
    ok: false,
    message: 'Invalid arguments: "to" must be equal to one of the allowed values: "x", "y"; it is "z".',
  });
  assert.equal((await validate({ when: "soon" }, schema)).ok, false);
});

test("allows further keys unless the schema is closed, but never prototype keys", async () => {
  const closed: JsonSchema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
  assert.deepEqual(await validate({ b: 1 }, closed), {
    ok: false,
    message: 'Invalid arguments: "b" is not an argument; there are a.',
  });
  for (const key of ["__proto__", "constructor", "prototype"]) {
    assert.deepEqual(await validate(JSON.parse(`{"${key}": {}}`), { type: "object", properties: {} }), {
      ok: false,
      message: `Invalid arguments: the argument "${key}" is not one of this tool's.`,
      dangerous: true,
    });
  }
  assert.equal(
    (await validate({ constructor: "x" }, { type: "object", properties: { constructor: { type: "string" } } })).ok,
    true,
  );
  assert.equal((await validate({}, { type: "object", properties: {}, required: ["toString"] })).ok, false);
});

test("a Standard Schema validates the arguments, and the tool receives its output value", async () => {
  const schema: StandardSchema<{ n: number }> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async (value) =>
        typeof (value as { n?: unknown }).n === "number"
          ? { value: { n: (value as { n: number }).n + 1 } }
          : { issues: [{ message: "is not a number", path: ["n", { key: "deep" }] }] },
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  };
  assert.deepEqual(await validate({ n: 1 }, schema), { ok: true, input: { n: 2 } });
  assert.deepEqual(await validate({}, schema), { ok: false, message: 'Invalid arguments: "n.deep": is not a number.' });
});

test("arguments for an unreadable schema fail, and the message says why", async () => {
  const schema = {
    type: "object",
    properties: { a: { type: "integer", required: true }, b: { type: "str" } },
  } as unknown as JsonSchema;
  assert.deepEqual(await validate({ a: 1 }, schema), {
    ok: false,
    message: 'Invalid arguments: the schema of the tool cannot be read: required value must be ["array"].',
  });
});
