import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadTool } from "../../engine/tools/load-tool.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { answerOf, withPython } from "../test/hosts-fixture.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";
import { waitFor } from "../../testing/wait-for.ts";

/**
 * Its import lasts as long as the file `go` is missing. `posix` directly: a lookup that Hermes sees would make a start
 * register the plugin again.
 */
const SLOW = `import json, os, posix, time
while not posix.access(GO, 0):
    time.sleep(0.02)

def register(ctx):
    ctx.register_tool(name="slow", toolset="slow", schema={"name": "slow", "description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **kw: json.dumps("at last"))
`;
const files = {
  "home/plugins/slow/plugin.yaml": manifest("slow"),
  "home/plugins/slow/__init__.py": SLOW.replace("GO", 'os.path.join(os.path.dirname(__file__), "../../../go")'),
  "home/plugins/zother/plugin.yaml": manifest("zother"),
  "home/plugins/zother/__init__.py": SLOW.replace("GO", "__file__").replaceAll("slow", "zother"),
};
const ENABLED = "plugins:\n  enabled: [slow, zother]\n";

test(
  "a start does not wait for a plugin with a slow import: it reports that, the others run, and its tools come later",
  withPython,
  async (t) => {
    const place = setUp(t, files, "plugins:\n  enabled: [zother]\n");
    await place.start({}, { hosts: true });
    place.write({ "home/config.yaml": ENABLED });
    // Plugins in the snapshot need not load, so the start waits for only one of them.
    const { host } = await place.start({}, { hosts: true, patienceMs: 300 });
    assert.deepEqual(
      host.notices.map(({ level, text }) => [level, text]),
      [["warning", 'The plugin "slow" is still loading; continuing without it.']],
    );
    assert.equal(await answerOf(host, "zother"), '"at last"');
    assert.equal(host.tools.get("slow"), undefined);
    place.write({ go: "" });
    await waitFor(() => host.tools.get("slow") !== undefined);
    assert.equal(await answerOf(host, "slow"), '"at last"');
    rmSync(join(place.path, "go"));
    // The first load cached the plugin's tools, so the next start does not wait.
    const next = await place.start({}, { hosts: true, patienceMs: 60_000 });
    assert.deepEqual([next.host.notices, next.host.tools.list().map(({ name }) => name)], [[], ["slow", "zother"]]);
  },
);

test("a call that waits for its plugin's import reports that, and can be cancelled", withPython, async (t) => {
  const place = setUp(t, { ...files, go: "" }, ENABLED);
  await place.start({}, { hosts: true, patienceMs: 60_000 });
  rmSync(join(place.path, "go"));
  const { host } = await place.start({}, { hosts: true });
  const entry = host.tools.get("slow");
  assert.ok(entry !== undefined);
  const message: string[] = [];
  const stop = new AbortController();
  const watch = new Stopwatch();
  const stopped = loadTool(entry, "slow", stop.signal, (text) => void message.push(text));
  setTimeout(() => stop.abort(new Error("enough")), 200);
  await assert.rejects(stopped, /enough/);
  watch.assertWithin(3_000, "stopping, without the import,");
  const loading = loadTool(entry, "slow", new AbortController().signal, (text) => void message.push(text));
  await waitFor(() => message.length !== 0);
  place.write({ go: "" });
  await loading;
  assert.match(message[0] ?? "", /^The plugin of "slow" is loading \(\d+ s\)$/);
  assert.equal(await answerOf(host, "slow"), '"at last"');
});
