import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, register, setUp, tool } from "../plugins-fixture.ts";
import { withPython } from "../../../plugin-runtimes/test/hosts-fixture.ts";

const asks = `ctx.tool({ name: "one", toolset: "t", description: "One.", effect: "none", input: { type: "object", properties: {} }, execute: async () => {
  // ctx.saveConfig is only spoken of here.
  await ctx.saveConfig("a", 1);
  await (await ctx.chats()).deliver({ platform: "irc", key: "k" }, "hello");
  return ctx.secrets.write({ A: "b" });
} });`;
const python =
  "def register(ctx):\n    def one(args, **_):\n        ctx.chats.deliver('irc', 'hello', key='k')\n        return ctx.save_config('a', 1)\n    ctx.register_tool(name='one', toolset='t', schema={'description': 'One.', 'parameters': {'type': 'object', 'properties': {}}}, handler=one)\n";
const more = "provides_tools: [one]\n";

test(
  "check and info name each context member that a plugin uses and its runtime lacks, with file, line and an alternative",
  withPython,
  async (t) => {
    const place = setUp(t, {
      "home/plugins/mine/plugin.yaml": manifest("mine", more),
      "home/plugins/mine/index.js": register(asks),
      "home/plugins/snake/plugin.yaml": manifest("snake", more),
      "home/plugins/snake/__init__.py": python,
      "project/.hermes/plugins/guest/plugin.yaml": manifest("guest", more),
      "project/.hermes/plugins/guest/index.js": register(asks),
      "home/plugins/late/plugin.yaml": manifest("late", more),
      "home/plugins/late/index.js": register(
        `ctx.registering(async () => [], { patienceMs: 1, late: () => "" });${tool("one", "x")}`,
      ),
    });
    const { host } = await place.start({}, { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") });
    await host.service.enable("guest");
    const looked = async (name: string) => {
      const [checked] = await host.service.check(name);
      const { runsIn, refused = [] } = await host.service.info(name);
      const message = checked!.problems
        .filter(({ text }) => text.includes("cannot use"))
        .map(({ level, text }) => `${level} ${text}`);
      assert.deepEqual(
        message,
        refused.map((sentence) => `warning ${sentence}`),
      );
      return [runsIn, ...refused];
    };
    const written =
      "only the user and bundled plugins may write settings. Print the command for the user: hermes config set NAME VALUE.";
    assert.deepEqual(await looked("mine"), [
      "the Node process of your plugins",
      `index.js:5: The plugin "mine" cannot use ctx.saveConfig here: ${written}`,
      `index.js:7: The plugin "mine" cannot use ctx.secrets.write here: ${written}`,
    ]);
    assert.deepEqual(await looked("snake"), [
      "a Python process",
      `__init__.py:4: The plugin "snake" cannot use ctx.save_config here: ${written}`,
    ]);
    assert.deepEqual((await looked("guest")).slice(0, 2), [
      "a separate Node process, limited to its grants",
      'index.js:6: The plugin "guest" cannot use ctx.chats here: a message would look like the agent\'s own. Call send_message; Hermes asks the user whether the plugin may.',
    ]);
    assert.deepEqual(await looked("late"), ["the agent"], "the user's plugin that needs ctx.chats runs in the agent");
  },
);
