import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { coerce } from "./coerce.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const one = (schema: JsonObject, value: Json, required = true) =>
  coerce(
    { v: value },
    definedFields({ type: "object", properties: { v: schema }, required: required ? ["v"] : undefined }),
  ).v;

test("converts text to the schema's type only if it is unambiguous", () => {
  const cases: readonly [JsonObject, Json, Json][] = [
    [{ type: "integer" }, "42", 42],
    [{ type: "integer" }, "2.0", 2],
    [{ type: "integer" }, "1234567890123456789", "1234567890123456789"],
    [{ type: "number" }, "1234567890123456789", "1234567890123456789"],
    [{ type: "number" }, "1e300", 1e300],
    [{ type: "integer" }, "2.5", "2.5"],
    [{ type: "integer" }, "inf", "inf"],
    [{ type: "integer" }, "", ""],
    [{ type: "integer" }, "0x10", "0x10"],
    [{ type: "number" }, " -1.5e3 ", -1500],
    [{ type: "number" }, "NaN", "NaN"],
    [{ type: "boolean" }, "True", true],
    [{ type: "boolean" }, "false", false],
    [{ type: "boolean" }, "yes", "yes"],
    [{ type: "boolean" }, 1, true],
    [{ type: "boolean" }, 0, false],
    [{ type: "boolean" }, 2, 2],
    [{ type: ["boolean", "integer"] }, 1, 1],
    [{ type: "object" }, '{"a":1}', { a: 1 }],
    [{ type: "object" }, "[1]", "[1]"],
    [{ type: "string" }, "42", "42"],
    [{ type: "string" }, 42, "42"],
    [{ type: "string" }, { a: 1 }, { a: 1 }],
    [{ type: ["integer", "string"] }, "42", "42"],
    [{ anyOf: [{ type: "integer" }, { type: "boolean" }] }, "true", true],
    [{ type: ["integer", "null"] }, "NULL", null],
    [{ type: "integer", nullable: true }, "null", null],
  ];
  for (const [schema, value, expected] of cases)
    assert.deepEqual(one(schema, value), expected, `${JSON.stringify(schema)} ${JSON.stringify(value)}`);
});

test("reads a list from its JSON text, or wraps a single item", () => {
  const strings = { type: "array", items: { type: "string" } };
  assert.deepEqual(one(strings, '["a","b"]'), ["a", "b"]);
  assert.deepEqual(one(strings, "a"), ["a"]);
  assert.deepEqual(one({ type: "array", items: { type: "integer" } }, "3"), [3]);
  assert.deepEqual(one({ type: "array", items: { type: "object" } }, { id: 1 }), [{ id: 1 }]);
  assert.equal(one(strings, null), null);
  assert.equal(one({ type: ["array", "string"] }, "a"), "a");
  assert.deepEqual(one({ anyOf: [{ type: "array" }, { type: "object" }] }, { a: 1 }), { a: 1 });
});

test("coerces nested values only from JSON text to a list or an object", () => {
  const schema = {
    type: "array",
    items: { type: "object", properties: { tags: { type: "array" }, n: { type: "integer" } } },
  };
  assert.deepEqual(one(schema, ['{"n":"1","tags":"[1]"}', { tags: '["x"]', n: "1" }]), [
    { n: "1", tags: "[1]" },
    { tags: ["x"], n: "1" },
  ]);
});

test("removes null for an optional argument, and keeps it for a required or nullable one", () => {
  assert.deepEqual(coerce({ a: 1, v: null }, { type: "object", properties: { v: { type: "string" } } }), { a: 1 });
  assert.equal(one({ type: "string" }, null), null);
  assert.equal(one({ type: ["string", "null"] }, null, false), null);
  assert.equal(one({}, null, false), null);
  assert.deepEqual(coerce({ v: null }, { type: "object", properties: { v: { enum: ["a", "b"] } } }), {});
  assert.equal(one({ enum: ["a", null] }, null, false), null);
});

test("removes empty text for an optional number or enum, and keeps it for a string", () => {
  const words = { type: "string", enum: ["a", "b"] };
  for (const schema of [{ type: "integer" }, { type: ["number", "boolean"] }, words]) {
    assert.deepEqual(coerce({ a: 1, v: "" }, { type: "object", properties: { v: schema } }), { a: 1 });
    assert.equal(one(schema, ""), "");
  }
  assert.equal(one({ type: "string" }, "", false), "");
  assert.equal(one({ type: "string", enum: ["", "a"] }, "", false), "");
});

test("returns the same object if the arguments fit, and leaves undeclared ones unchanged", () => {
  const args = { v: "x", list: [{ a: 1 }], other: "5" };
  assert.equal(
    coerce(args, {
      type: "object",
      properties: {
        v: { type: "string" },
        list: { type: "array", items: { type: "object", properties: { a: { type: "integer" } } } },
      },
    }),
    args,
  );
});

test("a key that every object inherits is not taken for a declared property", () => {
  const args = { toString: "5", constructor: "[1]" };
  assert.equal(coerce(args, { type: "object", properties: {} }), args);
});
