import assert from "node:assert/strict";
import { test } from "node:test";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { CompatTool } from "../../contract/plugins/compat-context.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import { definitions } from "./definitions.ts";
import { fromCompat } from "./compat-tool.ts";
import { declare, entryOf } from "./tool-declaration.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const SCHEMA = {
  name: "ignored",
  description: "Looks up the weather.",
  parameters: {
    type: "object",
    properties: {
      location: { type: "string", description: "City" },
      units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
    },
    required: ["location"],
  },
};
const weather = (change: Partial<CompatTool> = {}): CompatTool => ({
  name: "weather",
  toolset: "weather",
  schema: SCHEMA,
  handler: (args) => JSON.stringify({ location: args.location }),
  ...change,
});

function world(tool: CompatTool) {
  const fixture = callFixture();
  fixture.tools.add(tool.name, entryOf(fromCompat(tool, "plugin")), "plugin");
  return { ...fixture, shown: async (args: string) => textOf(shownOf(toSettled(await fixture.call(tool.name, args)))) };
}

// req: registry.schema-wrapped-form, registry.api-name, registry.schema-verbatim
test("bare and wrapped schemas give the same tool, with the registered name and the unchanged schema", () => {
  const bare = declare(fromCompat(weather(), "plugin"));
  const wrapped = declare(fromCompat(weather({ schema: { type: "function", function: SCHEMA } }), "plugin"));
  assert.deepEqual(wrapped, bare);
  assert.equal(bare.name, "weather");
  assert.deepEqual(bare.input, SCHEMA.parameters);
  assert.equal(bare.description, "Looks up the weather.");
});

// req: registry.description
test("uses the separate description for users and the schema's description for the model", () => {
  const { description, summary, emoji, env, toolset, effect } = declare(
    fromCompat(
      weather({ toolset: undefined, description: "Weather lookup", emoji: "🌤️", requires_env: ["WEATHER_API_KEY"] }),
      "my-plugin",
    ),
  );
  assert.deepEqual(
    { description, summary, emoji, env, toolset, effect },
    {
      description: "Looks up the weather.",
      summary: "Weather lookup",
      emoji: "🌤️",
      env: [{ name: "WEATHER_API_KEY" }],
      toolset: "my-plugin",
      effect: "network",
    },
  );
});

// req: registry.json-string
test("passes a handler's JSON text through unchanged; converts anything else to JSON with a warning that names the tool", async () => {
  const spaced = '{"temp":  21.0, "n": 1}';
  assert.equal(await world(weather({ handler: () => spaced })).shown('{"location":"x"}'), spaced);
  for (const [result, expected] of [
    [{ temp: 21 }, '{"temp":21}'],
    ["plain words", '"plain words"'],
    [undefined, "null"],
    [7, "7"],
  ] as const) {
    const { shown, log } = world(weather({ handler: () => result as never }));
    assert.equal(await shown('{"location":"x"}'), expected);
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [
        [
          "warning",
          `The handler of the tool "weather" of the plugin "plugin" returned ${typeof result === "string" ? "text that is not JSON" : typeof result}; a handler returns a JSON string.`,
        ],
      ],
    );
  }
});

test("accepts Python-style JSON with infinite numbers as a handler's JSON text", async () => {
  const endless = '{"result": Infinity, "low": -Infinity, "none": [NaN], "said": "to Infinity and \\"NaN\\""}';
  const { shown, log } = world(weather({ handler: () => endless }));
  assert.deepEqual([await shown('{"location":"x"}'), log.lines], [endless, []]);
  assert.equal(
    await world(weather({ handler: () => "Infinity and beyond" })).shown('{"location":"x"}'),
    '"Infinity and beyond"',
  );
});

// req: registry.errors-as-json
test("an object with an error is a failure, and the model reads the handler's keys in their order", async () => {
  const text = '{"error":"WEATHER_API_KEY not configured","code":1}';
  const { call, shown } = world(weather({ handler: async () => text }));
  assert.deepEqual(withoutUndefined(await call("weather", { location: "x" })), {
    kind: "failed",
    code: "failed",
    words: '{"error":"WEATHER_API_KEY not configured","code":1}',
    message: "WEATHER_API_KEY not configured",
    data: JSON.parse(text),
  });
  assert.equal(await shown('{"location":"x"}'), text);
  assert.equal(
    (await world(weather({ handler: () => '{"error":null,"ok":1}' })).call("weather", { location: "x" })).kind,
    "ok",
  );
});

// req: registry.handler-arguments, registry.task-id, registry.async-handlers, registry.context-forward-compatible
test("awaits a handler, which gets the model's arguments and a context", async () => {
  const seen: unknown[] = [];
  const { shown } = world(
    weather({
      is_async: true,
      handler: async (args, { task_id, session_id, tool_call_id, signal }) => {
        seen.push([args, task_id, session_id, tool_call_id, signal instanceof AbortSignal]);
        await new Promise((resolve) => setImmediate(resolve));
        return '"later"';
      },
    }),
  );
  assert.equal(await shown('{"location":"Paris","extra":[1]}'), '"later"');
  assert.deepEqual(seen, [[{ location: "Paris", extra: [1] }, "t1", "s1", "c1", true]]);
});

// req: registry.handler-arguments
test("passes invalid arguments to the handler, which reports them itself; if it throws, the schema's errors are added", async () => {
  const asks = world(
    weather({
      handler: ({ location }) => JSON.stringify(location === undefined ? { error: "Where?" } : { units: location }),
    }),
  );
  assert.equal(await asks.shown("{}"), '{"error":"Where?"}');
  assert.equal(await asks.shown('{"location":["x"]}'), '{"units":["x"]}');
  const breaks = world(weather({ handler: ({ location }) => String(location).concat((location as string).trim()) }));
  assert.equal(
    await breaks.shown("{}"),
    `{"error":"Tool execution failed: TypeError: Cannot read properties of undefined (reading 'trim')","hint":"Invalid arguments: \\"location\\" is missing."}`,
  );
  assert.equal(
    await breaks.shown('{"location":"x", "constructor": {}}'),
    `{"error":"Invalid arguments: the argument \\"constructor\\" is not one of this tool's. Nothing was run."}`,
  );
});

// req: registry.requires-env-display
test("declared variables are informational: only check_fn decides what is offered, and a call still reaches the handler", async () => {
  let ready = false;
  const { ports, call } = world(weather({ requires_env: ["UNSET"], check_fn: () => ready }));
  const build = async () => definitions(ports, { names: ["weather"], surface: "cli", prompter: true });
  assert.deepEqual((await build()).hidden, [{ name: "weather", reason: "UNSET is not set." }]);
  assert.equal((await call("weather", { location: "x" })).kind, "ok");
  ready = true;
  assert.equal((await build()).offers.length, 1);
  const unchecked = world(weather({ requires_env: ["UNSET"] }));
  assert.equal(
    (await definitions(unchecked.ports, { names: ["weather"], surface: "cli", prompter: true })).offers.length,
    1,
  );
});

test("refuses an invalid schema or handler with a message that names the tool and the plugin", () => {
  assert.throws(() => fromCompat(weather({ schema: "x" as never }), "p"), {
    message: 'The schema of the tool "weather" of "p" is not an object.',
  });
  assert.throws(() => fromCompat(weather({ handler: undefined as never }), "p"), {
    message: 'The tool "weather" of "p" has no handler function.',
  });
});
