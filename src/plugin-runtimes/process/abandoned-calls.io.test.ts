import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuardedProxy } from "../../contract/providers/web.ts";
import { onAbort } from "../../engine/async/on-abort.ts";
import type { NetworkServices, PluginServices } from "../../host/plugins/registry/plugin-services.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, answerOf, withPython } from "../test/hosts-fixture.ts";

const tool = (name: string, code: string): string =>
  `ctx.tool(defineTool({ name: "${name}", toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async (_: any, call: any) => { ${code} } } as any));`;
const NODE = `import { defineTool, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => {
  ${tool("model", 'return ctx.llm({ messages: [{ role: "user", text: "?" }] }, AbortSignal.timeout(30)).then(() => "answered", (error) => error.name);')}
  ${tool("opens", "await ctx.proxy(); await ctx.browserReturn({ host: '127.0.0.1', port: 0, path: '/' }); return 'open';")}
  ${tool("ends", "process.exit(3);")}
  ${tool("asksAndEnds", 'setTimeout(() => { ctx.llm({ messages: [{ role: "user", text: "?" }] }).catch(() => undefined); setTimeout(() => process.exit(3), 100); }, 30); return "later";')}
};
export default register;
`;
const PYTHON = `import os
def register(ctx):
    def model(args, **_):
        from _hermes_bridge import registry
        try:
            return registry.wire.request("ctx.llm", {"plugin": "mine", "messages": [{"role": "user", "content": "?"}]}, timeout=0.03)
        except TimeoutError as error:
            return type(error).__name__
    def opens(args, **_):
        ctx.proxy()
        ctx.browser_return()
        return "open"
    for run in (model, opens, lambda args, **_: os._exit(3)):
        name = run.__name__ if run.__name__ != "<lambda>" else "ends"
        ctx.register_tool(name=name, toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=run)
`;

/** Services that only record what becomes of the requests. */
function watched() {
  const message: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const close = (what: string) => () => void (message.push(what), message.length === 2 && closed.resolve());
  const services: Partial<NetworkServices & Pick<PluginServices, "llm">> = {
    llm: (_, __, signal) =>
      new Promise((_resolve, reject) => void onAbort(signal!, () => (stopped.resolve(), reject(signal!.reason)))),
    proxy: async (): Promise<GuardedProxy> => ({
      serve: () => undefined,
      judge: async () => undefined,
      [Symbol.dispose]: close("proxy"),
    }),
    browserReturn: async () => ({
      port: 1,
      came: () => Promise.reject(new Error("never")),
      [Symbol.dispose]: close("return"),
    }),
  };
  return { services, told: message, stopped: stopped.promise, closed: closed.promise };
}

for (const [language, file, code, skip, named] of [
  ["Node", "index.ts", NODE, {}, "TimeoutError"],
  ["Python", "__init__.py", PYTHON, withPython, "TimeoutError"],
] as const) {
  test(`${language}: the agent stops work whose result a plugin no longer awaits`, skip, async (t) => {
    const { services, stopped } = watched();
    const { host } = await setUp(
      t,
      { "home/plugins/mine/plugin.yaml": manifest("mine"), [`home/plugins/mine/${file}`]: code },
      enabled("mine"),
    ).start({}, { hosts: true, services });
    assert.match(await answerOf(host, "model"), new RegExp(named));
    await stopped;
  });

  test(
    `${language}: resources that a plugin opened are closed when its process ends or it is unloaded`,
    skip,
    async (t) => {
      const first = watched();
      const { host } = await setUp(
        t,
        { "home/plugins/mine/plugin.yaml": manifest("mine"), [`home/plugins/mine/${file}`]: code },
        enabled("mine"),
      ).start({}, { hosts: true, services: first.services });
      assert.match(await answerOf(host, "opens"), /open/);
      await answerOf(host, "ends").catch(() => undefined);
      await first.closed;
      assert.match(await answerOf(host, "opens"), /open/);
      await host.unload("mine");
      assert.deepEqual(first.told, ["proxy", "return", "proxy", "return"]);
    },
  );
}

test("the agent stops work for a process that has ended", { timeout: 20_000 }, async (t) => {
  const { services, stopped } = watched();
  const { host } = await setUp(
    t,
    { "home/plugins/mine/plugin.yaml": manifest("mine"), "home/plugins/mine/index.ts": NODE },
    enabled("mine"),
  ).start({}, { hosts: true, services });
  assert.match(await answerOf(host, "asksAndEnds"), /later/);
  await stopped;
});
