import assert from "node:assert/strict";
import { test } from "node:test";
import { OutcomeUnknown, UserError } from "../../contract/common/failure.ts";
import type { CliIo } from "../../contract/conversation/command.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, answerOf, withPython } from "../test/hosts-fixture.ts";

const io: CliIo = {
  out: () => undefined,
  error: () => undefined,
  interactive: false,
  signal: new AbortController().signal,
};
const call = { sessionId: "s", surface: "cli", signal: io.signal };
const output = async (run: () => unknown): Promise<readonly [string, string | undefined]> => {
  const cause: unknown = await (async () => run())().then(
    () => assert.fail("the call succeeded"),
    (thrown: unknown) => thrown,
  );
  assert.ok(cause instanceof UserError, String(cause));
  return [cause.message, cause.hint];
};

test("an expected failure of a Node plugin's command shows its own message, any other is reported as the plugin's failure", async (t) => {
  const code = `import { defineTool, OutcomeUnknown, ToolFailure, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => {
  ctx.cli({ name: "foreseen", description: "d", input: { type: "object", properties: {} }, run: () => { throw new ToolFailure("not_found", "There is no tide.", { hint: "Look at the moon." }); } });
  ctx.cli({ name: "broken", description: "d", input: { type: "object", properties: {} }, run: () => (undefined as any).tide });
  ctx.command({ name: "ebb", description: "d", run: () => { throw new TypeError("no ebb"); } });
  ctx.tool(defineTool({ name: "lost", toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async () => { throw new OutcomeUnknown("The line broke.", { data: { at: 1 } }); } } as any));
};
export default register;
`;
  const { host, log } = await setUp(
    t,
    { "home/plugins/mine/plugin.yaml": manifest("mine"), "home/plugins/mine/index.ts": code },
    enabled("mine"),
  ).start({}, { hosts: true });
  assert.deepEqual(await output(() => host.cli.get("foreseen")!.run({} as never, io)), [
    "There is no tide.",
    "Look at the moon.",
  ]);
  assert.deepEqual(await output(() => host.cli.get("broken")!.run({} as never, io)), [
    `"hermes broken" of the plugin "mine" failed: TypeError: Cannot read properties of undefined (reading 'tide')`,
    "Run `hermes logs` to see the location.",
  ]);
  assert.deepEqual(await output(() => host.commands.get("ebb")!.run("", call)), [
    '"/ebb" of the plugin "mine" failed: TypeError: no ebb',
    "Run `hermes logs` to see the location.",
  ]);
  assert.ok(
    log.lines.some(
      ({ level, message, detail }) =>
        level === "error" && message.includes("hermes broken") && /mine\/index\.ts/.test(JSON.stringify(detail)),
    ),
  );
  await assert.rejects(
    answerOf(host, "lost"),
    (cause) => cause instanceof OutcomeUnknown && cause.message === "The line broke." && cause.data?.["at"] === 1,
  );
});

test(
  "an exception of a Python plugin's command is reported as the plugin's failure, and the agent's refusal with the agent's message",
  withPython,
  async (t) => {
    const code =
      "def register(ctx):\n    def broken(args):\n        return 1 / 0\n    def refused(args):\n        ctx.change_file('../x', lambda text: 'x')\n    ctx.register_cli_command('broken', handler_fn=broken)\n    ctx.register_cli_command('refused', handler_fn=refused)\n";
    const { host } = await setUp(
      t,
      { "home/plugins/mine/plugin.yaml": manifest("mine"), "home/plugins/mine/__init__.py": code },
      enabled("mine"),
    ).start({}, { hosts: true });
    assert.deepEqual(await output(() => host.cli.get("broken")!.run({ words: [] } as never, io)), [
      '"hermes broken" of the plugin "mine" failed: ZeroDivisionError: division by zero',
      "Run `hermes logs` to see the location.",
    ]);
    assert.deepEqual(await output(() => host.cli.get("refused")!.run({ words: [] } as never, io)), [
      '"../x" is not in the agent\'s home.',
      undefined,
    ]);
  },
);

test(
  "a slash command without a name is reported and not registered; the rest of its plugin works, as in the original",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def register(ctx):\n    ctx.register_command('', handler=lambda raw: 'nameless')\n    ctx.register_command(' / ', handler=lambda raw: 'nameless')\n    ctx.register_command('named', handler=lambda raw: 'here')\n    ctx.register_command('named', handler=lambda raw: 'again')",
    );
    const { host, log } = await setUp(t, pythonPlugin("half", code)).start({}, { hosts: true });
    assert.deepEqual((await host.service.enable("half")).listing.registered.commands, ["named"]);
    assert.ok(
      log.lines.some(
        ({ message }) =>
          message === 'One registration of the plugin "half" is left out: A slash command needs a name and a handler.',
      ),
    );
  },
);

test("a hook or middleware of a Node plugin that is not a function fails its register, and a command of the original's spelling is left out", async (t) => {
  const lines = {
    'ctx.hook("pre_tool_call", "no");': 'The handler of the hook "pre_tool_call" of "mine" is not a function.',
    'ctx.register_hook("post_tool_call");': 'The handler of the hook "post_tool_call" of "mine" is not a function.',
    'ctx.middleware("tool_request", {});': 'The tool_request middleware of "mine" is not a function.',
  };
  const files = (line: string) => ({
    "home/plugins/mine/plugin.yaml": manifest("mine"),
    "home/plugins/mine/index.js": `export default (ctx) => {\n    ctx.command({ name: "flood", description: "d", run: () => "f" });\n    ${line}\n};\n`,
  });
  for (const [line, message] of Object.entries(lines)) {
    const { host } = await setUp(t, files(line)).start({}, { hosts: true });
    await assert.rejects(host.service.enable("mine"), { message: `Cannot use the plugin "mine": ${message}` });
  }
  const { host } = await setUp(t, files('ctx.register_command("ebb", { handler: () => "x" });')).start(
    {},
    { hosts: true },
  );
  assert.deepEqual((await host.service.enable("mine")).listing.registered.commands, ["flood"]);
});
