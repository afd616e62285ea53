import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, answerOf } from "../test/hosts-fixture.ts";
import { RemotePlugin } from "./remote-plugin.ts";
import { scriptedHost } from "../test/scripted-host-fixture.ts";

// row 45 of the fault matrix
// req: R-21
test("a plugin that hangs in register does not affect others: the next plugin loads in another process", async () => {
  const log = quietLog();
  const hosts = [0, 1].map(
    () =>
      scriptedHost(`if (message.params.plugin === "looping") for (;;); say({ id: message.id, result: null });`, {
        silenceMs: 3_000,
      }).host,
  );
  const remote = (key: string): RemotePlugin =>
    new RemotePlugin({
      key,
      log,
      dialect: { register: () => undefined },
      granted: undefined,
      registerMs: 60_000,
      process: () => hosts.find(({ gone }) => !gone)!,
      loading: () => ({}),
      left: async () => undefined,
    });
  const context = { onUnload: () => undefined } as unknown as PluginContext;
  const [looping, neighbour] = [remote("looping"), remote("neighbour")];
  const ended = await Promise.allSettled([looping.register(context), neighbour.register(context)]);
  assert.match(String((ended[0] as PromiseRejectedResult).reason), /^HostGone: it was busy for \d+ s without a pause/);
  assert.deepEqual(
    [ended[1].status, await neighbour.call("tool.call", {}), hosts.map(({ gone }) => gone)],
    ["fulfilled", null, [true, false]],
  );
  for (const host of hosts) await host[Symbol.asyncDispose]();
});

test("a late registration is reported, and nothing else happens", async (t) => {
  const handler = `() => { ctx.command({ name: "", description: "d", run: () => "" }); ctx.register_image_gen_provider({ name: "" }); return "{}"; }`;
  const code = `export default (ctx: any) => ctx.register_tool({ name: "late", toolset: "t", schema: { description: "d", parameters: { type: "object", properties: {} } }, handler: ${handler} });\n`;
  const place = setUp(
    t,
    { "home/plugins/late/plugin.yaml": manifest("late"), "home/plugins/late/index.ts": code },
    enabled("late"),
  );
  const { host, log } = await place.start({}, { hosts: true });
  assert.deepEqual([await answerOf(host, "late"), await answerOf(host, "late")], ["{}", "{}"]);
  const output = log.lines.flatMap(({ level, message }) => (level === "warning" ? [message] : []));
  for (const words of [
    'Cannot handle its "register" message.',
    'One registration of the plugin "late" is left out: The slash command "" needs a name and a run function.',
  ])
    assert.equal(output.filter((text) => text === words).length, 2, output.join("\n"));
});
