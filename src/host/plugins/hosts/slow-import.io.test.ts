import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { loadTool } from "../../../engine/load-tool.ts";
import { manifest, setUp } from "../plugins-fixture.ts";
import { said, withPython } from "./hosts-fixture.ts";

const SLOW = `import json, time
time.sleep(SECONDS)

def register(ctx):
    ctx.register_tool(name="slow", toolset="slow", schema={"name": "slow", "description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **kw: json.dumps("at last"))
`;
const files = (seconds: number) => ({ "home/plugins/slow/plugin.yaml": manifest("slow"), "home/plugins/slow/__init__.py": SLOW.replace("SECONDS", String(seconds)), "home/plugins/zother/plugin.yaml": manifest("zother"), "home/plugins/zother/__init__.py": SLOW.replace("SECONDS", "0").replaceAll("slow", "zother") });
const ENABLED = "plugins:\n  enabled: [slow, zother]\n";

test("a start does not wait for a plugin that takes long to import: it says so, the others run, and its tools come later", withPython, async (t) => {
  const place = setUp(t, files(8), ENABLED);
  const began = performance.now();
  const { host } = await place.start({}, { hosts: true, patienceMs: 2_500 });
  assert.ok(performance.now() - began < 8_000, "the start went on");
  assert.deepEqual(host.notices.map(({ level, text }) => [level, text]), [["warning", 'The plugin "slow" is still being loaded, and nobody waits longer for it.']]);
  assert.equal(await said(host, "zother"), '"at last"');
  assert.equal(host.tools.get("slow"), undefined);
  const deadline = performance.now() + 20_000;
  while (host.tools.get("slow") === undefined && performance.now() < deadline) await wait(50);
  assert.equal(await said(host, "slow"), '"at last"');
  // It was loaded once, so the next start knows its tools and waits for nothing.
  const next = await place.start({}, { hosts: true, patienceMs: 2_500 });
  assert.deepEqual([next.host.notices, next.host.tools.list().map(({ name }) => name)], [[], ["slow", "zother"]]);
});

test("a call that waits while its plugin is imported is told so, and may be stopped", withPython, async (t) => {
  const place = setUp(t, files(5), ENABLED);
  await place.start({}, { hosts: true, patienceMs: 30_000 });
  const { host } = await place.start({}, { hosts: true });
  const entry = host.tools.get("slow");
  assert.ok(entry !== undefined);
  const told: string[] = [];
  const stop = new AbortController();
  const began = performance.now();
  const stopped = loadTool(entry, "slow", stop.signal, (text) => void told.push(text));
  setTimeout(() => stop.abort(new Error("enough")), 200);
  await assert.rejects(stopped, /enough/);
  assert.ok(performance.now() - began < 3_000, "nobody waited for the import");
  await loadTool(entry, "slow", new AbortController().signal, (text) => void told.push(text));
  assert.match(told[0] ?? "", /^The plugin of "slow" is being loaded \(\d s\)$/);
  assert.equal(await said(host, "slow"), '"at last"');
});
