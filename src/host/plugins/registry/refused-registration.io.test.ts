import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, setUp, type Files } from "../plugins-fixture.ts";
import { pythonPlugin, answerOf, withPython } from "../../../plugin-runtimes/test/hosts-fixture.ts";

const CODE = `export default function register(ctx) {
  const input = { type: "object", properties: {} };
  ctx.tool({ name: "get.weather", toolset: "t", description: "d", effect: "none", input, execute: async () => "x" });
  ctx.register_tool({ name: "unhandled", schema: { description: "d" } });
  ctx.command({ name: " / ", description: "d", run: () => "x" });
  ctx.cli({ name: "two words", description: "d", input, run: () => 0 });
  ctx.skill({ name: "a b", path: import.meta.filename });
  ctx.skill({ name: "gone", path: "/nowhere/SKILL.md" });
  ctx.tool({ name: "good", toolset: "t", description: "d", effect: "none", input, execute: async () => "fine" });
}
`;
const PYTHON = `def register(ctx):
    ctx.register_tool(name="get.weather", toolset="t", schema={"description": "d"}, handler=lambda args, **_: "x")
    ctx.register_tool(name="unhandled", toolset="t", schema={"description": "d"})
    ctx.register_command(" / ", handler=lambda text: "x", description="d")
    ctx.register_cli_command("two words", handler_fn=lambda args: 0)
    ctx.register_auxiliary_task("vision", display_name="Eyes", description="d")
    ctx.register_auxiliary_task("a b", display_name="Eyes", description="d")
    ctx.register_skill("a b", __file__)
    ctx.register_skill("gone", "/nowhere/SKILL.md")
    ctx.register_tool(name="good", toolset="t", schema={"description": "d"}, handler=lambda args, **_: '"fine"')
`;
const REASONS = [
  /: A tool cannot be named "get\.weather"\. Model services take 1 to 64 letters, digits, _ and -: "get_weather"\.$/,
  /: The tool "unhandled" .*has no handler function\.$/,
  /: (The slash command " \/ "|A slash command) needs a name and a (run function|handler)\.$/,
  /: A command must be one word, not "two words"\.$/,
  /: "a b" is not a valid name of a skill\. Use letters, digits, _ and -\.$/,
  /: The skill "gone" has no file \/nowhere\/SKILL\.md\.$/,
];
const NODE: Files = { "home/plugins/mixed/plugin.yaml": manifest("mixed"), "home/plugins/mixed/index.js": CODE };

for (const [where, files, reasons, settings, options] of [
  ["in the agent", NODE, REASONS, "  entries:\n    mixed:\n      host: here\n", {}],
  ["in a Node process", NODE, REASONS, "", {}],
  [
    "in Python",
    pythonPlugin("mixed", PYTHON),
    [
      ...REASONS,
      /: The auxiliary task "vision" is built in\. Use another name, such as "mixed_vision"\.$/,
      /: An auxiliary task's key has letters, digits and _, not 'a b'\.$/,
    ],
    "",
    withPython,
  ],
] as const) {
  test(
    `leaves out and reports an invalid registration, and the rest of its plugin works: ${where}`,
    options,
    async (t) => {
      const place = setUp(t, files, `plugins:\n  enabled: [mixed]\n${settings}`);
      const { host } = await place.start({}, { hosts: true });
      const message = () => host.notices.filter(({ level }) => level === "warning").map(({ text }) => text);
      const matches = (texts: readonly string[]): void => {
        assert.equal(texts.length, reasons.length, texts.join("\n"));
        for (const reason of reasons)
          assert.ok(
            texts.some(
              (text) => text.startsWith('One registration of the plugin "mixed" is left out: ') && reason.test(text),
            ),
            `${reason}\n${texts.join("\n")}`,
          );
      };
      matches(message());
      assert.match(await answerOf(host, "good"), /fine/);
      assert.deepEqual(
        [
          host.tools.list().map(({ name }) => name),
          host.commands.list().length,
          host.cli.list().length,
          host.skills.list().length,
        ],
        [["good"], 0, 0, 0],
      );
      const [checked] = await host.service.check("mixed");
      matches((checked?.problems ?? []).filter(({ level }) => level === "error").map(({ text }) => text));
      // Later starts report it without running the plugin.
      const later = await place.start({}, { hosts: true });
      matches(later.host.notices.map(({ text }) => text));
      assert.match(await answerOf(later.host, "good"), /fine/);
    },
  );
}

test("enabling and developing a plugin reports registrations without effect: refused, taken, unknown hooks, missing ones", async (t) => {
  const code = `export default function register(ctx) {
  ctx.hook("pre_tool_cal", () => undefined);
  ctx.middleware("tool_reqest", (_, next) => next());
  ctx.command({ name: "help", description: "d", run: () => "mine" });
  ctx.command({ name: "idle", description: "d" });
  ctx.cli({ name: "chat", description: "d", run: () => 0 });
}
`;
  const files = (at: string): Files => ({
    [`${at}/plugin.yaml`]: manifest("odd", "provides_tools: [lost]\n"),
    [`${at}/index.js`]: code,
  });
  const faults = [
    'One registration of the plugin "odd" is left out: The slash command "idle" needs a name and a run function.',
    'The slash command "/help" is built in, so the one of the plugin "odd" is not registered.',
    'The command "hermes chat" is built in, so the one of the plugin "odd" is not registered.',
    '"odd" listens to the hook "pre_tool_cal", which does not exist and is never called. Nearest: "pre_tool_call".',
    '"odd" brings middleware of the kind "tool_reqest", which does not exist and is never called. Nearest: "tool_request".',
    'The manifest of the plugin "odd" lists the tool "lost", which it does not register.',
  ];
  const place = setUp(t, files("home/plugins/odd"));
  const first = await place.start({}, { hosts: true });
  assert.deepEqual((await first.host.service.enable("odd")).faults, faults);
  // From its snapshot, too.
  assert.deepEqual((await first.host.service.enable("odd")).faults, faults);
  const next = await place.start({}, { hosts: true });
  assert.deepEqual(new Set(next.host.notices.map(({ text }) => text)), new Set(faults));

  const other = setUp(t, files("work/odd"));
  const { host } = await other.start({}, { hosts: true });
  using developed = await host.service.develop(`${other.path}/work/odd`, () => undefined);
  assert.deepEqual(developed.report.faults, faults);
});
