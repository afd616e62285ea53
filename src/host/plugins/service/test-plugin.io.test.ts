import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, register, setUp } from "../plugins-fixture.ts";

const tool = (name: string, execute: string, properties = "a: { type: 'string', description: 'x' }"): string =>
  `ctx.tool({ name: "${name}", toolset: "t", description: "Does it.", effect: "none", input: { type: "object", properties: { ${properties} }, required: ["a"] }, execute: ${execute} });`;

// req: R-62
test("finds a handler's crash or different result, and reports what passes", async (t) => {
  const code = register(
    `${tool("sound", "async ({ a }, call) => { if (ctx.env('SOUND_KEY') === undefined && call.env('SOUND_KEY') === undefined) return { a }; return { a }; }")}
${tool("leans", "async ({ a }, call) => { const terminal = await call.use('terminal').catch(() => undefined); return terminal.id; }")}
${tool("trusts", "async ({ a, b }) => b.toUpperCase()", "a: { type: 'string' }, b: {}")}`,
  );
  const calls = [
    { tool: "sound", args: { a: "x" }, expect: { a: "x" } },
    { tool: "sound", args: { a: "x" }, expect: { a: "y" } },
    { tool: "sound", args: {}, fails: "a" },
    { tool: "leans", args: { a: "x" }, fails: "TypeError" },
  ];
  const place = setUp(t, {
    "work/it/plugin.yaml": manifest("it", "optional_env: [SOUND_KEY]\n"),
    "work/it/index.js": code,
    "work/it/tests/calls.jsonl": calls.map((call) => JSON.stringify(call)).join("\n"),
  });
  const { host } = await place.start();
  const report = await host.service.test(join(place.path, "work/it"), {
    signal: new AbortController().signal,
    recorded: [{ tool: "sound", args: { a: "z" } }],
  });
  const failed = Object.fromEntries(
    report.tools.map(({ name, checks }) => [
      name,
      checks.filter(({ ok }) => !ok).map(({ what, detail }) => `${what}: ${detail}`),
    ]),
  );
  assert.deepEqual(failed["sound"], ['recorded call {"a":"x"}: returns {"a":"x"}, not {"a":"y"}']);
  assert.match(failed["trusts"]?.[0] ?? "", /wrong arguments .*: crashes: /);
  assert.match(failed["trusts"]?.at(-1) ?? "", /needs one working call: a line \{"tool":"trusts"/);
  const sound = report.tools.find(({ name }) => name === "sound");
  assert.ok((sound?.tokens ?? 0) > 20 && (sound?.tokens ?? 0) < 80);
  assert.deepEqual(
    sound?.checks.filter(({ ok }) => ok).map(({ what }) => what),
    [
      'recorded call {"a":"x"}',
      "recorded call {}",
      'recorded call {"a":"z"}',
      "wrong arguments",
      "faults: no variable, no provider, no other tool",
      "the user denies",
      "cancel",
    ],
  );
});

// req: R-62
test("a handler that ends on cancel passes, one that ignores it fails, and one that needs a provider is reported", async (t) => {
  const code = register(
    `${tool("endless", "async (input, call) => { await new Promise((resolve) => setTimeout(resolve, globalThis.slowly ?? 0)); return call.signal.aborted ? new Promise((resolve) => setTimeout(resolve, 5_500)) : 1; }")}
${tool("listens", "(input, call) => new Promise((resolve, reject) => { const timer = setTimeout(resolve, globalThis.slowly ?? 0, 1); call.signal.addEventListener('abort', () => (clearTimeout(timer), reject(call.signal.reason))); })")}
${tool("leans", "async (input, call) => (await call.use('terminal').catch(() => undefined)).id")}`,
  );
  const calls = ["endless", "listens", "leans"].map((name) => ({ tool: name, args: { a: "x" } }));
  const place = setUp(t, {
    "work/it/plugin.yaml": manifest("it"),
    "work/it/index.js": code,
    "work/it/tests/calls.jsonl": calls.map((call) => JSON.stringify(call)).join("\n"),
  });
  t.after(() => void delete (globalThis as { slowly?: number }).slowly);
  (globalThis as { slowly?: number }).slowly = 2_000;
  const { host } = await place.start();
  const report = await host.service.test(join(place.path, "work/it"), { signal: new AbortController().signal });
  const of = (name: string, what: string) =>
    report.tools.find((one) => one.name === name)?.checks.find((check) => check.what.startsWith(what));
  assert.deepEqual(
    [of("endless", "cancel")?.ok, of("endless", "cancel")?.detail],
    [false, "it continues for more than 5 s: pass call.signal to everything it waits for"],
  );
  assert.deepEqual(of("listens", "cancel")?.ok, true);
  assert.match(of("leans", "faults")?.detail ?? "", /^crashes: .*undefined/);
  await assert.rejects(async () => {
    place.write({ "work/it/tests/calls.jsonl": "{ torn\n" });
    await host.service.test(join(place.path, "work/it"), { signal: new AbortController().signal });
  }, /calls\.jsonl:1: a line must be \{"tool"/);
});

test("a package without plugin.yaml is tested by its name, as it runs", async (t) => {
  const place = setUp(
    t,
    {
      "modules/dice/package.json": JSON.stringify({
        name: "dice",
        version: "1.0.0",
        type: "module",
        hermes: { plugin: { provides_tools: ["sound"] } },
      }),
      "modules/dice/index.js": register(tool("sound", "async ({ a }) => ({ a })")),
      "modules/dice/tests/calls.jsonl": '{"tool":"sound","args":{"a":"x"}}\n',
    },
    "plugins:\n  enabled: [dice]\n",
  );
  const { host } = await place.start({}, { modulesDir: join(place.path, "modules") });
  const { tools } = await host.service.test("dice", { signal: new AbortController().signal });
  assert.deepEqual(
    tools.map(({ name, checks }) => [name, checks.filter(({ ok }) => !ok)]),
    [["sound", []]],
  );
});
