import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { manifest, register, run, setUp, tool } from "./plugins-fixture.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";
import { withTimeout } from "../../testing/wait-for.ts";

test("a reload loads new and changed plugins, unloads removed ones and leaves the others alone", async (t) => {
  const counting = `globalThis.loads.push("kept " + (globalThis.counted = (globalThis.counted ?? 0) + 1));`;
  t.after(() => void delete (globalThis as { counted?: number }).counted);
  const place = setUp(
    t,
    {
      "home/plugins/kept/plugin.yaml": manifest("kept"),
      "home/plugins/kept/index.js": register(`${counting}${tool("stays", "x")}`),
      "home/plugins/changed/plugin.yaml": manifest("changed"),
      "home/plugins/changed/index.js": register(tool("before", "x")),
      "home/plugins/gone/plugin.yaml": manifest("gone"),
      "home/plugins/gone/index.js": register(
        `${tool("goes", "x")}ctx.hook("post_tool_call", () => null);ctx.command({ name: "bye", description: "x", run: () => "" });`,
      ),
    },
    "plugins:\n  enabled: [kept, changed, gone, fresh]\n",
  );
  const { host } = await place.start();
  await run(host, "stays");
  place.write({
    "home/plugins/changed/index.js": register(tool("after_it", "y")),
    "home/plugins/fresh/plugin.yaml": manifest("fresh"),
    "home/plugins/fresh/index.js": register(tool("new_one", "x")),
  });
  rmSync(join(place.path, "home/plugins/gone"), { recursive: true });
  const report = await host.service.reload();
  assert.deepEqual(
    [report.started.map(({ key, state }) => [key, state]), report.stopped],
    [
      [
        ["changed", "enabled"],
        ["fresh", "enabled"],
      ],
      ["gone"],
    ],
  );
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["after_it", "new_one", "stays"],
  );
  assert.deepEqual([host.hooks.list(), host.commands.list()], [[], []]);
  assert.equal(place.loads().filter((load) => load.startsWith("kept ")).length, 1);
  assert.deepEqual(await host.service.reload().then(({ started, stopped }) => [started, stopped]), [[], []]);
});

test("two concurrent reloads run in sequence: a new plugin is registered once, a removed one is unloaded once", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/gone/plugin.yaml": manifest("gone"),
      "home/plugins/gone/index.js": register(
        `ctx.onUnload(() => void globalThis.loads.push("gone unloaded"));${tool("goes", "x")}`,
      ),
    },
    "plugins:\n  enabled: [gone, fresh]\n",
  );
  const { host } = await place.start();
  await run(host, "goes");
  place.write({
    "home/plugins/fresh/plugin.yaml": manifest("fresh"),
    "home/plugins/fresh/index.js": register(`${tool("new_one", "x")}ctx.hook("post_tool_call", () => null);`),
  });
  rmSync(join(place.path, "home/plugins/gone"), { recursive: true });
  const reports = await Promise.all([host.service.reload(), host.service.reload()]);
  assert.deepEqual(
    reports.map(({ started, stopped }) => [started.map(({ key }) => key), stopped]),
    [
      [["fresh"], ["gone"]],
      [[], []],
    ],
  );
  assert.deepEqual([host.hooks.list().length, place.loads()], [1, ["gone", "gone unloaded", "fresh"]]);
});

test("a plugin that fails after a change leaves nothing behind, shows the reason, and works again once it is fixed", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/it/plugin.yaml": manifest("it"),
      "home/plugins/it/index.js": register(`${tool("one", "x")}ctx.hook("pre_llm_call", () => null);`),
    },
    "plugins:\n  enabled: [it]\n",
  );
  const { host } = await place.start();
  place.write({
    "home/plugins/it/index.js": register(
      `${tool("half", "x")}ctx.hook("pre_llm_call", () => null);ctx.middleware("tool_request", (i, n) => n());throw new Error("half way");`,
    ),
  });
  const broken = await host.service.reload();
  assert.deepEqual(
    broken.started.map(({ state, reason }) => [state, reason]),
    [["failed", "half way (index.js:3:255)"]],
  );
  assert.deepEqual([host.tools.list(), host.hooks.list(), host.middlewares.list()], [[], [], []]);
  place.write({ "home/plugins/it/index.js": register(tool("whole", "x")) });
  assert.deepEqual(
    (await host.service.reload()).started.map(({ state, registered }) => [state, registered.tools]),
    [["enabled", ["whole"]]],
  );
});

test("a reload applies a new variable and a name in config.yaml, and unloads a disabled plugin", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/needy/plugin.yaml": manifest("needy", "requires_env: [NEEDY_KEY]\n"),
      "home/plugins/needy/index.js": register(tool("needs", "x")),
    },
    "plugins:\n  enabled: [needy]\n",
  );
  const { host } = await place.start();
  assert.deepEqual(host.tools.list(), []);
  place.write({ "home/.env": "NEEDY_KEY=k\n" });
  assert.deepEqual(
    (await host.service.reload()).started.map(({ key }) => key),
    ["needy"],
  );
  assert.deepEqual(await run(host, "needs"), { said: "x" });
  place.write({ "home/config.yaml": "plugins:\n  disabled: [needy]\n" });
  assert.deepEqual((await host.service.reload()).stopped, ["needy"]);
  assert.deepEqual(host.tools.list(), []);
});

test("hooks keep the order of discovery, whichever plugin was reloaded", async (t) => {
  const hook = (word: string) => register(`ctx.hook("pre_llm_call", () => "${word}");`);
  const place = setUp(
    t,
    {
      "home/plugins/a/plugin.yaml": manifest("a"),
      "home/plugins/a/index.js": hook("one"),
      "home/plugins/b/plugin.yaml": manifest("b"),
      "home/plugins/b/index.js": hook("two"),
    },
    "plugins:\n  enabled: [a, b]\n",
  );
  const { host } = await place.start();
  place.write({ "home/plugins/a/index.js": hook("first") });
  await host.service.reload();
  assert.deepEqual(
    (await host.hooks.collect("pre_llm_call", {} as never)).map(({ owner, piece }) => [owner, piece]),
    [
      ["a", "first"],
      ["b", "two"],
    ],
  );
});

// req: R-62
test("a plugin under development is enabled with its current content, and a change is loaded in less than a second", async (t) => {
  const place = setUp(t, {
    "work/it/plugin.yaml": manifest("it"),
    "work/it/index.js": register(tool("one", "before")),
    "work/it/words.js": "export const word = 'a';\n",
  });
  const { host } = await place.start();
  const message = Promise.withResolvers<void>();
  using developed = await host.service.develop(join(place.path, "work/it"), () => message.resolve());
  assert.equal(developed.listing.state, "enabled");
  assert.deepEqual(await run(host, "one"), { said: "before" });
  const watch = new Stopwatch();
  // In one step, because half a file may count as a separate change.
  place.write({ "work/next.js": register(tool("one", "after")) });
  renameSync(join(place.path, "work/next.js"), join(place.path, "work/it/index.js"));
  await withTimeout(message.promise, { what: "the notice arrives" });
  watch.assertWithin(1_000, "loading a change");
  assert.deepEqual(await run(host, "one"), { said: "after" });
  // The next start does not know about it.
  assert.deepEqual(await (await place.start()).host.service.list(), []);
  developed[Symbol.dispose]();
  place.write({ "work/it/index.js": register(tool("two", "x")) });
  await sleep(150);
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["one"],
  );
});
