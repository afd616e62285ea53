import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { createKnownMask } from "../../safety/secrets/known-values.ts";
import { createRedactor } from "../../safety/secrets/redact.ts";
import { callFixture } from "./call-fixture.ts";

const redact = createRedactor(createKnownMask(() => []));
const fixture = () => callFixture({ ports: { redact, redactSteps: redact.steps } });
const ENV_FILE = "DB_PASSWORD=hunter2hunter2\nNAME=x\n";
const MASKED = "DB_PASSWORD=***\nNAME=x\n";

function shown(outcome: ToolOutcome): string {
  assert.equal(outcome.kind, "ok");
  return outcome.shown.map((part) => (part.type === "text" ? part.text : part.type)).join("|");
}

// field: F01
test("masks a result before it becomes JSON, and removes only the secret from JSON that a tool wrote", async () => {
  const { add, call } = fixture();
  add({ name: "object", execute: async () => ({ output: ENV_FILE, exit_code: 0 }) });
  assert.equal(shown(await call("object")), JSON.stringify({ output: MASKED, exit_code: 0 }));
  add({ name: "json", execute: async () => JSON.stringify({ output: ENV_FILE }), toModel: (text: string) => text });
  assert.equal(shown(await call("json")), JSON.stringify({ output: MASKED }));
  add({ name: "nested", execute: async () => ({ body: JSON.stringify({ api_key: "abcdef0123456789" }) }) });
  assert.equal(shown(await call("nested")), JSON.stringify({ body: JSON.stringify({ api_key: "***" }) }));
  add({
    name: "parts",
    execute: async () => ({ text: ENV_FILE }),
    toModel: (made: { readonly text: string }) => [
      { type: "text", text: made.text },
      { type: "text", text: JSON.stringify(made, null, 2) },
    ],
  });
  assert.equal(shown(await call("parts")), `${MASKED}|${JSON.stringify({ text: MASKED }, null, 2)}`);
});

// field: F01
test("observers and other tools get the masked value, and a rewritten result is masked again", async () => {
  const { add, call, hooks } = fixture();
  const received: unknown[] = [];
  hooks.add("transform_tool_result", ({ value }) => `${value} and ${ENV_FILE}`, "plugin");
  hooks.add(
    "post_tool_call",
    ({ result, outcome }) => void received.push(result, outcome.kind === "ok" && outcome.value),
    "plugin",
  );
  add({ name: "object", execute: async () => ({ api_key: "abcdef0123456789" }) });
  const outcome = await call("object");
  assert.equal(shown(outcome), `{"api_key":"***"} and ${MASKED}`);
  assert.deepEqual(received, [`{"api_key":"***"} and ${MASKED}`, { api_key: "***" }]);
});

// field: F01
test("yields to other work while it masks a long result, in either form", async () => {
  const { add, call } = fixture();
  const long = `${ENV_FILE}some "text" with\\n and key: words\n`.repeat(60_000);
  add({ name: "object", maxResultChars: "unlimited", execute: async () => ({ long }) });
  add({
    name: "json",
    maxResultChars: "unlimited",
    execute: async () => JSON.stringify({ long }),
    toModel: (text: string) => text,
  });
  for (const tool of ["object", "json"]) {
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    const text = shown(await call(tool));
    clearImmediate(counting);
    assert.equal(text, JSON.stringify({ long: long.replaceAll(ENV_FILE, MASKED) }));
    assert.ok(turns >= 5, `${tool}: ${turns}`);
  }
});
