import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../contract/common/failure.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { declare, entryOf } from "./tool-declaration.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const TOOL = defineTool({
  name: "look",
  toolset: "eyes",
  description: "Looks at v2.0 things. Twice.",
  input: { type: "object", properties: { at: { type: "string" } } },
  effect: "read",
  execute: async () => null,
});

test("a declaration contains all the data of a tool, with defaults", () => {
  assert.deepEqual(withoutUndefined(declare(TOOL)), {
    name: "look",
    toolset: "eyes",
    description: "Looks at v2.0 things. Twice.",
    summary: "Looks at v2.0 things.",
    input: { type: "object", properties: { at: { type: "string" } } },
    effect: "read",
    effectByCall: false,
    dynamicDescription: false,
    conditional: false,
    idempotent: true,
    timeoutMs: 300_000,
    env: [],
    emoji: "",
    maxResultChars: 100_000,
    interactive: false,
    aliases: [],
  });
  const other = declare({
    ...TOOL,
    description: () => "x",
    effect: () => "read",
    available: () => ({ ok: true }),
    refusal: { exit_code: -1 },
  });
  assert.deepEqual(
    [
      other.description,
      other.summary,
      other.dynamicDescription,
      other.effect,
      other.effectByCall,
      other.conditional,
      other.idempotent,
      other.refusal,
    ],
    ["", "look", true, "execute", true, true, false, { exit_code: -1 }],
  );
});

test("a declaration survives JSON, so that a snapshot can store it", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(declare(TOOL))), withoutUndefined(declare(TOOL)));
});

test("refuses an invalid tool with a message that names it", () => {
  const wrong = (change: object) => () => declare({ ...TOOL, ...change } as AnyTool);
  for (const [change, message] of [
    [{ name: "no spaces" }, 'A tool cannot be named "no spaces".'],
    [{ name: "x".repeat(65) }, `A tool cannot be named "${"x".repeat(65)}".`],
    [{ name: undefined }, "A tool cannot be named undefined."],
    [{ toolset: "" }, 'The tool "look" names no toolset.'],
    [{ description: undefined }, 'The tool "look" has no description.'],
    [
      { effect: "delete" },
      'The tool "look" has the effect "delete"; it is one of none, read, write, execute, network, or left out where assess reports it.',
    ],
    [{ execute: undefined }, 'The tool "look" has no execute function.'],
    [{ input: undefined }, 'The tool "look" has no input schema.'],
    [{ input: { type: "string" } }, 'The tool "look" takes "string"; a tool takes an object.'],
    [{ timeoutMs: 0 }, 'The tool "look" has the time limit 0 ms; it is more than 0.'],
  ] as const)
    assert.throws(wrong(change), { name: UserError.name, message });
  for (const [name, hint] of [
    ["get.weather now", ': "get_weather_now".'],
    ["x".repeat(65), `: "${"x".repeat(64)}".`],
    ["天气", "."],
    [undefined, "."],
  ])
    assert.throws(wrong({ name }), { hint: `Model services take 1 to 64 letters, digits, _ and -${hint}` });
});

test("converts a Standard Schema to JSON Schema", () => {
  const input = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({ value: {} }),
      jsonSchema: {
        input: ({ target }: { target: string }) => ({
          $schema: target,
          type: "object",
          properties: { a: { type: "string" } },
        }),
      },
    },
  };
  assert.deepEqual(declare({ ...TOOL, input } as AnyTool).input, {
    type: "object",
    properties: { a: { type: "string" } },
  });
  const old = { "~standard": { version: 1, vendor: "oldlib", validate: () => ({ value: {} }) } };
  assert.throws(() => declare({ ...TOOL, input: old } as unknown as AnyTool), {
    message: 'The input schema of the tool "look" cannot print itself as JSON Schema.',
  });
});

test("an entry returns the same tool every time", async () => {
  const entry = entryOf(TOOL);
  assert.equal(entry.load(), entry.load());
  assert.equal(await entry.load(), TOOL);
});
