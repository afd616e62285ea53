import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import { refusals } from "../../testing/model/provider-schema-rules.ts";
import { readSnapshot } from "../../../scripts/generate/read-snapshot.ts";
import { offeredSchema } from "./offered-schema.ts";
import { ownNames } from "./offered-names.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const offer = (property: unknown): unknown =>
  (offeredSchema(object({ p: property as JsonObject }))["properties"] as JsonObject)["p"];

// field: M02
test("every schema of the bundled tools is accepted by OpenAI, Anthropic, Moonshot and Gemini", () => {
  const tools = readSnapshot().flatMap(({ registered }) => registered?.tools ?? []);
  assert.ok(tools.length > 60);
  for (const { name, input } of tools as readonly { readonly name: string; readonly input: JsonObject }[])
    for (const provider of ["openai", "anthropic", "moonshot", "gemini"] as const)
      assert.deepEqual(refusals(provider, offeredSchema(input)), [], `${name} at ${provider}`);
});

test("returns the same object for a schema that every provider accepts", () => {
  const plain = object(
    {
      path: { description: "Where", type: "string", minLength: 1 },
      mode: { type: "string", enum: ["a", "b"] },
      many: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
    },
    { required: ["path"], additionalProperties: false },
  );
  assert.equal(offeredSchema(plain), plain);
});

// field: M02
test("rewrites schema keywords that a provider refuses to ones that all accept", () => {
  assert.deepEqual(offer({ enum: ["a", "b"] }), { type: "string", enum: ["a", "b"] });
  assert.deepEqual(offer({ const: "x" }), { type: "string", enum: ["x"] });
  assert.deepEqual(offer({ const: 3, description: "n" }), { type: "number", description: "n", enum: [3] });
  assert.deepEqual(offer({ type: ["string", "null"] }), { type: "string" });
  assert.deepEqual(offer({ type: ["string", "boolean"], description: "d", minLength: 2 }), {
    description: "d",
    anyOf: [{ type: "string", minLength: 2 }, { type: "boolean" }],
  });
  assert.deepEqual(offer({ oneOf: [{ type: "string" }, { type: "null" }], description: "d" }), {
    type: "string",
    description: "d",
  });
  assert.deepEqual(offer({ type: "string", anyOf: [{ pattern: "^a" }, { pattern: "^b" }] }), {
    anyOf: [
      { pattern: "^a", type: "string" },
      { pattern: "^b", type: "string" },
    ],
  });
  assert.deepEqual(offer({ type: "array" }), { type: "array", items: { type: "string" } });
  assert.deepEqual(offer({ type: "array", items: [{ type: "integer" }, { type: "string" }] }), {
    type: "array",
    items: { anyOf: [{ type: "integer" }, { type: "string" }] },
  });
  assert.deepEqual(offer({ type: "dict", additionalProperties: "object" }), { type: "object" });
  assert.deepEqual(offer({ type: "str" }), { type: "string" });
  assert.deepEqual(offer({ allOf: [{ type: "string" }, { maxLength: 3 }] }), { type: "string", maxLength: 3 });
  assert.deepEqual(offer({ minimum: 0, exclusiveMinimum: true, type: "number" }), { minimum: 0, type: "number" });
  const any = offer(true);
  assert.deepEqual(refusals("moonshot", object({ any: any as JsonObject })), []);
  assert.deepEqual(offer({ type: "string", enum: ["a", null] }), { type: "string", enum: ["a"] });
});

test("inlines references, and stops at one that contains itself", () => {
  const tree = object(
    { root: { $ref: "#/$defs/node", description: "The tree" }, lost: { $ref: "#/$defs/none" } },
    {
      $defs: { node: object({ name: { type: "string" }, below: { type: "array", items: { $ref: "#/$defs/node" } } }) },
    },
  );
  const offered = offeredSchema(tree);
  for (const provider of ["openai", "anthropic", "moonshot", "gemini"] as const)
    assert.deepEqual(refusals(provider, offered), []);
  assert.ok(JSON.stringify(offered).length < 4_000);
  assert.equal(((offered["properties"] as JsonObject)["root"] as JsonObject)["description"], "The tree");
  assert.ok(!JSON.stringify(offered).includes("$"));
});

test("the root schema is an object with the properties of all its branches", () => {
  assert.deepEqual(offeredSchema({ type: null } as never), { type: "object", properties: {} });
  assert.deepEqual(offeredSchema({}), { type: "object", properties: {} });
  assert.deepEqual(
    offeredSchema({
      anyOf: [object({ a: { type: "string" } }, { required: ["a"] }), object({ b: { type: "integer" } })],
    }),
    { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
  );
  assert.deepEqual(
    offeredSchema(object({ a: true as never, b: false as never }, { required: ["a", "b", "zz"] }))["required"],
    ["a"],
  );
});

// field: M02
test("renames properties that providers refuse, and maps calls back to the original names", () => {
  const odd = object(
    {
      文件: { type: "string", description: "path" },
      "file path": { type: "string" },
      "file/path": { type: "object", properties: { "@id": { type: "string" } } },
      file_path: { type: "string" },
      ["x".repeat(80)]: { type: "array", items: object({ "a b": { type: "integer" } }) },
    },
    { required: ["文件", "file path"] },
  );
  const offered = offeredSchema(odd);
  for (const provider of ["openai", "anthropic", "moonshot", "gemini"] as const)
    assert.deepEqual(refusals(provider, offered), []);
  const properties = Object.keys(offered["properties"] as JsonObject);
  assert.deepEqual(properties, ["arg", "file_path_2", "file_path_3", "file_path", "x".repeat(56)]);
  assert.deepEqual(offered["required"], ["arg", "file_path_2"]);
  assert.equal(((offered["properties"] as JsonObject)["arg"] as JsonObject)["description"], "(文件) path");
  assert.deepEqual(
    ownNames(
      { arg: "a", file_path_2: "b", file_path_3: { id: "c" }, file_path: "d", ["x".repeat(56)]: [{ a_b: 1 }] },
      odd,
    ),
    { 文件: "a", "file path": "b", "file/path": { "@id": "c" }, file_path: "d", ["x".repeat(80)]: [{ "a b": 1 }] },
  );
  const args = { file_path: "d" };
  assert.equal(ownNames(args, odd), args);
});
