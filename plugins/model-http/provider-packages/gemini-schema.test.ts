import assert from "node:assert/strict";
import { test } from "node:test";
import { refusals } from "hermes-agent/testing";
import type { JsonObject } from "hermes-agent/plugin";
import { offeredSchema } from "../../../src/engine/tools/offered-schema.ts";
import { readSnapshot } from "../../../scripts/generate/read-snapshot.ts";
import { geminiSchema } from "./gemini-schema.ts";

// field: M02
test("every schema of the bundled tools, and what servers and plugins write, is in the words Gemini knows", () => {
  const tools = readSnapshot().flatMap(({ registered }) => registered?.tools ?? []) as readonly {
    readonly name: string;
    readonly input: JsonObject;
  }[];
  const written: JsonObject = {
    type: "object",
    properties: {
      level: { type: "integer", enum: [1, 2, 3], description: "How loud." },
      mail: { type: "string", format: "email" },
      ref: { $ref: "#/$defs/x" },
      either: { oneOf: [{ const: 1 }, { type: "array" }] },
      map: { type: "object", additionalProperties: { type: "string" }, patternProperties: { "^a": {} } },
    },
    $defs: { x: { type: ["string", "null"], examples: ["a"] } },
  };
  for (const [name, input] of [...tools.map((tool) => [tool.name, tool.input] as const), ["written", written] as const])
    assert.deepEqual(refusals("gemini", geminiSchema(offeredSchema(input))), [], name);
  const { properties } = geminiSchema(offeredSchema(written));
  assert.deepEqual((properties as JsonObject)["level"], { type: "integer", description: "How loud. One of: 1, 2, 3." });
});
