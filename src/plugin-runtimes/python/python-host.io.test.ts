import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Json } from "../../contract/common/json.ts";
import type { Message } from "../../contract/providers/model.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { decodeArguments } from "../../engine/arguments/decode.ts";
import { scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import {
  enabled,
  pythonCode,
  pythonPlugin,
  registersPython,
  answerOf,
  toolCall,
  withPython,
} from "../test/hosts-fixture.ts";
import { withTimeout } from "../../testing/wait-for.ts";
import { waitFor } from "../../testing/wait-for.ts";

// req: plugins.python-bridge, plugins.calculator-hook-log, plugins.register-once
test("the guide's calculator runs unmodified, and starts on first use", withPython, async (t) => {
  const place = setUp(t, {}, enabled("calculator"));
  cpSync(
    join(import.meta.dirname, "../../../examples/plugins/calculator-python"),
    join(place.path, "home/plugins/calculator"),
    { recursive: true },
  );
  const first = await place.start({}, { hosts: true });
  assert.equal(
    await answerOf(first.host, "calculate", { expression: "2**16" }),
    '{"expression": "2**16", "result": 65536}',
  );

  const { host, log } = await place.start({}, { hosts: true });
  assert.equal(
    log.lines.some(({ message }) => message.startsWith("Started the Python process")),
    false,
  );
  assert.deepEqual(
    host.tools.list().map(({ name, owner }) => [name, owner]),
    [
      ["calculate", "calculator"],
      ["unit_convert", "calculator"],
    ],
  );
  assert.equal(
    await answerOf(host, "unit_convert", { value: 100, from_unit: "F", to_unit: "C" }),
    '{"input": "100 F", "result": 37.7778, "output": "37.7778 C"}',
  );
  assert.equal(
    await answerOf(host, "calculate", { expression: "1/0" }),
    '{"expression": "1/0", "error": "Division by zero"}',
  );
  await host.hooks.observe("post_tool_call", {
    ...toolCall("x"),
    result: "{}",
    outcome: { kind: "ok", value: 1, shown: [] },
    duration_ms: 1,
    status: "ok",
  });
  assert.deepEqual(
    log.lines.filter(({ level }) => level === "error"),
    [],
  );
  assert.equal(log.lines.filter(({ message }) => message.startsWith("Started the Python process")).length, 1);
});

// req: registry.weather-sample-python
test(
  "the guide's weather_tool.py loads and runs unchanged; without its key it reports that and is not offered",
  withPython,
  async (t) => {
    const place = setUp(t, {}, enabled("weather"));
    cpSync(
      join(import.meta.dirname, "../../../examples/plugins/weather-python"),
      join(place.path, "home/plugins/weather"),
      { recursive: true },
    );
    // Without formatting: white space, and the comma before a closing bracket.
    const words = readFileSync(join(place.path, "home/plugins/weather/weather_tool.py"), "utf8")
      .replaceAll(/\s+/g, "")
      .replaceAll(/,(?=[)\]}])/g, "");
    assert.equal(
      createHash("sha256").update(words).digest("hex"),
      "2fc69d4d24611fa2b6f5bdbd92e20cbf44e18ac7ad55fc837bed301a0eea9d7e",
      "the file is the guide's",
    );
    const without = await place.start({}, { hosts: true });
    assert.equal(
      await answerOf(without.host, "weather", { location: "London" }),
      '{"error": "WEATHER_API_KEY not configured"}',
    );
    const probe = { env: () => undefined } as unknown as Parameters<NonNullable<AnyTool["available"]>>[0];
    assert.notEqual((await (await without.host.tools.get("weather")!.load()).available?.(probe)) ?? true, true);

    const { host } = await place.start({ WEATHER_API_KEY: "key" }, { hosts: true });
    assert.deepEqual(
      host.tools.list().map(({ name, value }) => [name, value.declaration.toolset]),
      [["weather", "weather"]],
    );
    assert.equal(
      await answerOf(host, "weather", { location: "London" }),
      '{"location": "London", "temp": 22, "units": "metric"}',
    );
    assert.equal(
      await answerOf(host, "weather", { location: "Oslo", units: "imperial" }),
      '{"location": "Oslo", "temp": 22, "units": "imperial"}',
    );
  },
);

// req: registry.plugins-after-core
test(
  "a plugin of the user, the project or a package sees the built-in tools while it registers, and adds its own",
  withPython,
  async (t) => {
    const looks = (name: string): string =>
      `export default function register(ctx) {\n  const [core] = ctx.tools().filter(({ owner }) => owner === "ours");\n  ctx.tool({ name: "${name}", toolset: "t", description: JSON.stringify(core), effect: "none", input: { type: "object", properties: {} }, execute: async () => 1 });\n}\n`;
    const python = pythonCode(
      "from tools.registry import registry",
      "def seen(args, **k):\n    return '{}'",
      "def register(ctx):\n    ctx.register_tool(name='of_home', toolset='t', schema={'description': repr((registry.get_all_tool_names(), registry.get_toolset_for_tool('core_one'), registry.get_toolset_for_tool('none'))), 'parameters': {'type': 'object', 'properties': {}}}, handler=seen)",
    );
    const place = setUp(
      t,
      {
        "bundled/ours/plugin.yaml": manifest("ours"),
        "bundled/ours/index.js":
          'export default (ctx) => ctx.tool({ name: "core_one", toolset: "core", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async () => 1 });\n',
        ...pythonPlugin("mine", python),
        "project/.hermes/plugins/theirs/plugin.yaml": manifest("theirs"),
        "project/.hermes/plugins/theirs/index.js": looks("of_project"),
        "modules/pack/package.json": JSON.stringify({
          name: "pack",
          version: "1.0.0",
          type: "module",
          hermes: { plugin: "./main.js" },
        }),
        "modules/pack/main.js": looks("of_package"),
      },
      enabled("mine"),
    );
    const more = {
      hosts: true,
      projectDir: join(place.path, "project/.hermes/plugins"),
      modulesDir: join(place.path, "modules"),
    } as const;
    const first = await place.start({}, more);
    for (const name of ["theirs", "pack"]) await first.host.service.enable(name);
    const { host } = await place.start({}, more);
    const described = Object.fromEntries(
      host.tools.list().map(({ name, value }) => [name, value.declaration.description]),
    );
    assert.deepEqual(described["of_package"], '{"name":"core_one","toolset":"core","owner":"ours"}');
    assert.deepEqual(described["of_project"], '{"name":"core_one","toolset":"core","owner":"ours"}');
    assert.match(String(described["of_home"]), /^\(\[.*'core_one'.*\], 'core', None\)$/);
  },
);

// row 44 of the fault matrix
// req: plugins.handler-not-json, registry.async-handlers, registry.context-forward-compatible, dispatch.async-bridging
test(
  "calls Python handlers that are asynchronous, return a dict or prose, raise an exception or take few parameters",
  withPython,
  async (t) => {
    const code = pythonCode(
      "async def later(args, **k):\n    import asyncio\n    await asyncio.sleep(0.01)\n    return json.dumps({'n': args['n']})",
      "def plain(args):\n    return {'result': 42}",
      "def prose(args, **k):\n    return 'just words'",
      "def falls(args, **k):\n    return 1 / args['n']",
      "def leaves(args, **k):\n    sys.exit(4)",
      "class Mute(Exception):\n    def __str__(self):\n        raise RuntimeError('x')\ndef mute(args, **k):\n    raise Mute()",
      "def knows(args, task_id=None, **k):\n    return json.dumps([task_id, sorted(k)])",
      registersPython("later", "plain", "prose", "falls", "leaves", "knows", "mute"),
    );
    const { host, log } = await setUp(t, pythonPlugin("shapes", code), enabled("shapes")).start({}, { hosts: true });
    assert.equal(await answerOf(host, "later", { n: "3" }), '{"n": 3}');
    assert.equal(await answerOf(host, "plain"), '{"result":42}');
    assert.equal(await answerOf(host, "prose"), "just words");
    assert.equal(
      await answerOf(host, "falls", { n: 0 }),
      '{"error":"[TOOL_ERROR] Tool execution failed: ZeroDivisionError: division by zero"}',
    );
    assert.equal(
      await answerOf(host, "leaves"),
      '{"error":"[TOOL_ERROR] Tool execution failed: SystemExit: exit status 4"}',
    );
    assert.equal(await answerOf(host, "knows"), '["task", ["session_id", "tool_call_id", "user_task"]]');
    assert.equal(
      await answerOf(host, "mute"),
      '{"error":"[TOOL_ERROR] Tool execution failed: Mute: it has no text (RuntimeError)"}',
    );
    const raised = log.lines.find(({ message }) => message.includes("ZeroDivisionError"));
    assert.match(
      String((raised?.detail as { stack?: string } | undefined)?.stack),
      /shapes\/__init__\.py", line \d+, in falls/,
    );
  },
);

// req: hooks.samples, hooks.forward-compatible
test("integers of any length reach a Python handler unchanged, and return unchanged", withPython, async (t) => {
  const schema =
    "{'description': 'd', 'parameters': {'type': 'object', 'properties': {'id': {'type': 'integer'}, 'ids': {'type': 'array', 'items': {'type': 'integer'}}, 'name': {'type': 'string'}, 'any': {}}}}";
  const code = pythonCode(
    "def seen(args, **k):\n    return {'args': repr(args), 'own': [2 ** 64, 7, 1e22]}",
    `def register(ctx):\n    ctx.register_tool(name='seen', toolset='t', schema=${schema}, handler=seen)`,
  );
  const { host } = await setUp(t, pythonPlugin("long", code), enabled("long")).start({}, { hosts: true });
  const decoded = decodeArguments(
    '{"id":1234567890123456789,"ids":[-9007199254740993,5],"name":1234567890123456789,"any":1234567890123456789}',
    false,
  );
  assert.ok(decoded.ok);
  assert.equal(
    await answerOf(host, "seen", decoded.args),
    JSON.stringify({
      args: "{'id': 1234567890123456789, 'ids': [-9007199254740993, 5], 'name': '1234567890123456789', 'any': '1234567890123456789'}",
      own: ["18446744073709551616", 7, 1e22],
    }),
  );
});

test("hooks have the original's names and payloads, and their answers take effect", withPython, async (t) => {
  const code = pythonCode(
    'POLICY = "Be kind."',
    "def inject(**kwargs):\n    return {'context': POLICY}",
    "def recall(session_id, user_message, is_first_turn, conversation_history, model, platform, sender_id, **kwargs):\n    return 'Recalled for %s: %s (%s, %d)' % (session_id, user_message, is_first_turn, len(conversation_history))",
    "def guard(tool_name, args, task_id, **kwargs):\n    if tool_name == 'terminal':\n        return {'action': 'block', 'message': 'no terminal today'}\n    if tool_name == 'odd':\n        raise RuntimeError('guard fell over')",
    "def louder(tool_name, result, **kwargs):\n    return result.upper()",
    "def register(ctx):\n    ctx.register_hook('pre_llm_call', inject)\n    ctx.register_hook('pre_llm_call', recall)\n    ctx.register_hook('pre_tool_call', guard)\n    ctx.register_hook('transform_tool_result', louder)",
  );
  const { host } = await setUp(t, pythonPlugin("hooks", code), enabled("hooks")).start({}, { hosts: true });
  const turn = { session_id: "s", model: "m", platform: "cli", task_id: "t", turn_id: "u" };
  const pieces = await host.hooks.collect("pre_llm_call", {
    ...turn,
    user_message: "hello",
    conversation_history: [{ role: "user", parts: [{ type: "text", text: "hello" }] }],
    is_first_turn: true,
  });
  assert.deepEqual(
    pieces.map(({ piece }) => piece),
    [{ context: "Be kind." }, "Recalled for s: hello (True, 1)"],
  );
  assert.deepEqual(await host.hooks.first("pre_tool_call", toolCall("terminal")), {
    kind: "verdict",
    verdict: { action: "block", message: "no terminal today" },
    owner: "hooks",
  });
  assert.deepEqual(await host.hooks.first("pre_tool_call", toolCall("read_file")), { kind: "none" });
  assert.deepEqual(await host.hooks.first("pre_tool_call", toolCall("odd")), {
    kind: "broken",
    owner: "hooks",
    reason: "guard fell over",
  });
  assert.equal(
    await host.hooks.chain("transform_tool_result", { ...toolCall("x"), value: "quiet", duration_ms: 1 }),
    "QUIET",
  );
});

// req: hooks.forward-compatible
test(
  "a guard that changes the arguments in place changes the call, also if it requests an approval or blocks it",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def rewrite(tool_name, args, **kwargs):\n    if tool_name == 'untouched':\n        return None\n    args['command'] = 'nice ' + args['command']\n    return {'action': tool_name, 'message': 'look'} if tool_name in ('approve', 'block') else None",
      "def register(ctx):\n    ctx.register_hook('pre_tool_call', rewrite)",
    );
    const { host } = await setUp(t, pythonPlugin("rewriter", code), enabled("rewriter")).start({}, { hosts: true });
    const ask = async (tool: string) => {
      const answer = await host.hooks.first("pre_tool_call", toolCall(tool, { command: "make" }));
      return answer.kind === "verdict" ? answer.verdict : answer.kind;
    };
    assert.deepEqual(await ask("terminal"), { action: "modify", args: { command: "nice make" } });
    assert.deepEqual(await ask("approve"), { action: "approve", message: "look", args: { command: "nice make" } });
    assert.equal(((await ask("block")) as { readonly action?: string }).action, "block");
    assert.equal(await ask("untouched"), "none");
  },
);

// req: plugins.register-command, plugins.command-async, plugins.command-help-keyword, plugins.dispatch-tool, plugins.register-cli-command, plugins.register-skill
test(
  "the guide's commands: /mystatus, an asynchronous one, /scan and /deliver through dispatch_tool, and `hermes my-plugin status`",
  withPython,
  async (t) => {
    const code = pythonCode(
      'def _handle_status(raw_args: str) -> str:\n    """Handler for /mystatus — called with everything after the command name."""\n    if raw_args.strip() == "help":\n        return "Usage: /mystatus [help|check]"\n    return "Plugin status: all systems nominal"',
      "async def _handle_check(raw_args: str) -> str:\n    return f'Check result: {raw_args}'",
      'def handle_scan(ctx, argstr):\n    result = ctx.dispatch_tool("terminal", {"command": f"find . -name \'{argstr}\'"})\n    return result',
      'def _my_command(args):\n    sub = getattr(args, "my_command", None)\n    if sub == "status":\n        print("All good!")\n    elif sub == "config":\n        print("Current config: ...")\n    else:\n        print("Usage: hermes my-plugin <status|config>")',
      'def _setup_argparse(subparser):\n    subs = subparser.add_subparsers(dest="my_command")\n    subs.add_parser("status", help="Show plugin status")\n    subs.add_parser("config", help="Show plugin config")\n    subparser.set_defaults(func=_my_command)',
      "from pathlib import Path",
      'def register(ctx):\n    ctx.register_command("mystatus", handler=_handle_status, description="Show plugin status")\n    ctx.register_command("check", handler=_handle_check, description="Run async check")\n    ctx.register_command("scan", handle_scan, help="Find files matching a glob")',
      '    def _handle_deliver(raw_args: str):\n        return ctx.dispatch_tool("delegate_task", {"goal": raw_args, "toolsets": ["terminal", "file", "web"]})',
      '    ctx.register_command("deliver", handler=_handle_deliver, description="Delegate a goal to a subagent")',
      '    ctx.register_cli_command(name="my-plugin", help="Manage my plugin", setup_fn=_setup_argparse, handler_fn=_my_command)',
      '    for child in sorted((Path(__file__).parent / "skills").iterdir()):\n        ctx.register_skill(child.name, child / "SKILL.md")',
    );
    const { host, calls } = await setUp(
      t,
      {
        ...pythonPlugin("my-plugin", code),
        "home/plugins/my-plugin/skills/my-workflow/SKILL.md": "---\nname: my-workflow\n---\nSteps.\n",
      },
      enabled("my-plugin"),
    ).start({}, { hosts: true });
    const call = { sessionId: "s", surface: "cli", signal: new AbortController().signal };
    const run = async (name: string, args: string) => host.commands.get(name)?.run(args, call);
    assert.equal(await run("mystatus", ""), "Plugin status: all systems nominal");
    assert.equal(await run("mystatus", " help "), "Usage: /mystatus [help|check]");
    assert.equal(await run("check", "x  y"), "Check result: x  y");
    assert.equal(await run("scan", "*.ts"), '{"got":1}');
    assert.equal(await run("deliver", "write it"), '{"got":1}');
    assert.deepEqual(calls, [
      ["my-plugin", "terminal", { command: "find . -name '*.ts'" }],
      ["my-plugin", "delegate_task", { goal: "write it", toolsets: ["terminal", "file", "web"] }],
    ]);
    assert.equal(host.commands.get("scan")?.description, "Find files matching a glob");

    const printed: string[] = [];
    const io = {
      out: (text: string) => void printed.push(text),
      error: (text: string) => void printed.push(`! ${text}`),
      interactive: false,
      signal: call.signal,
    };
    const cli = host.cli.get("my-plugin");
    assert.equal(cli?.raw, true);
    assert.equal(await cli?.run({ words: ["status"] } as never, io), 0);
    assert.equal(printed.splice(0).join(""), "All good!\n");
    assert.equal(await cli?.run({ words: ["nonsense"] } as never, io), 2);
    assert.match(printed.splice(0).join(""), /usage: hermes my-plugin/);
    assert.deepEqual(
      host.skills.list().map(({ name }) => name),
      ["my-plugin:my-workflow"],
    );
  },
);

// req: plugins.model-provider-python, plugins.platform-python, plugins.memory-python, plugins.context-engine-python, plugins.image-gen-python
test("the guide's providers of every kind register, and can be called", withPython, async (t) => {
  const files = {
    ...pythonPlugin(
      "acme",
      'from providers import register_provider\nfrom providers.base import ProviderProfile\n\nregister_provider(ProviderProfile(name="acme", aliases=("acme-inference",), display_name="Acme Inference", env_vars=("ACME_API_KEY", "ACME_BASE_URL"), base_url="https://api.acme.example.com/v1", auth_type="api_key", default_aux_model="acme-small-fast", fallback_models=("acme-large-v3", "acme-medium-v3")))\n',
    ),
    ...pythonPlugin(
      "chat",
      'from gateway.platforms.base import BasePlatformAdapter\n\nclass MyPlatformAdapter(BasePlatformAdapter):\n    async def connect(self):\n        self.sent = []\n        return True\n    async def send(self, chat_id, text):\n        self.sent.append(text)\n        return len(self.sent)\n    async def disconnect(self): ...\n\ndef check_requirements():\n    import os\n    return bool(os.environ.get("MYPLATFORM_TOKEN"))\n\ndef _env_enablement():\n    import os\n    return {"token": os.getenv("MYPLATFORM_TOKEN", "").strip()}\n\ndef register(ctx):\n    ctx.register_platform(name="myplatform", label="MyPlatform", adapter_factory=lambda cfg: MyPlatformAdapter(cfg), check_fn=check_requirements, required_env=["MYPLATFORM_TOKEN"], env_enablement_fn=_env_enablement, cron_deliver_env_var="MYPLATFORM_HOME_CHANNEL", emoji="💬", platform_hint="Keep responses concise.")\n',
      "requires_env: [MYPLATFORM_TOKEN]\n",
    ),
    ...pythonPlugin(
      "slots",
      'from agent.memory_provider import MemoryProvider\nfrom agent.context_engine import ContextEngine\nfrom agent.image_gen_provider import ImageGenProvider\n\nclass M(MemoryProvider):\n    @property\n    def name(self) -> str:\n        return "my-memory"\n    def is_available(self) -> bool:\n        return True\n    def initialize(self, session_id: str, **kwargs) -> None:\n        self._session_id = session_id\n    def sync_turn(self, user_message, assistant_response, **kwargs) -> None: ...\n    def prefetch(self, query: str, **kwargs):\n        return f"{self._session_id}: {query}"\n\nclass E(ContextEngine):\n    @property\n    def name(self) -> str:\n        return "my-engine"\n    def should_compress(self, messages, model) -> bool:\n        return len(messages) > 1\n    def compress(self, messages, model):\n        return messages[-1:]\n\nclass I(ImageGenProvider):\n    @property\n    def name(self) -> str:\n        return "my-imggen"\n    def is_available(self) -> bool:\n        return True\n    def generate(self, prompt: str, **kwargs) -> str:\n        return f"/tmp/{prompt}.png"\n\ndef register(ctx):\n    ctx.register_memory_provider(M())\n    ctx.register_context_engine(E())\n    ctx.register_image_gen_provider(I())\n',
      "kind: standalone\n",
    ),
  };
  const { host, log } = await setUp(t, files, enabled("acme", "chat", "slots")).start(
    { MYPLATFORM_TOKEN: "tok" },
    { hosts: true },
  );
  const ask = async (
    slot: "memory" | "context" | "image_gen",
    id: string,
    method: string,
    args: readonly (string | object)[] = [],
    named = {},
  ) =>
    (
      (await host.slots.get(slot, id)!.load()) as unknown as {
        readonly [method: string]: (...args: readonly unknown[]) => Promise<unknown>;
      }
    )[method]!(...args, ...(Object.keys(named).length === 0 ? [] : [named]));
  await ask("memory", "my-memory", "initialize", ["s1"], { hermes_home: "/x" });
  assert.equal(await ask("memory", "my-memory", "prefetch", ["tea"], { session_id: "s1" }), "s1: tea");
  assert.deepEqual(
    await ask("context", "my-engine", "compress", [
      [
        { role: "user", content: "a" },
        { role: "user", content: "b" },
      ],
      "m",
    ]),
    [{ role: "user", content: "b" }],
  );
  assert.equal(await ask("image_gen", "my-imggen", "generate", ["cat"]), "/tmp/cat.png");
  const platform = await host.slots.get("platform", "myplatform")!.load();
  assert.equal(await platform.check_fn!(), true);
  assert.deepEqual(await platform.env_enablement_fn!(), { token: "tok" });
  const adapter = await platform.adapter_factory({ enabled: true, token: "tok", extra: {}, message: async () => {} });
  assert.equal(await adapter.connect({ is_reconnect: false }), true);
  assert.deepEqual(await adapter.send("chat", "hi", {}), { success: true });
  const profile = host.slots.get("model_profile", "acme");
  assert.deepEqual(
    [profile?.label, profile?.data["base_url"], profile?.data["env_vars"]],
    ["Acme Inference", "https://api.acme.example.com/v1", ["ACME_API_KEY", "ACME_BASE_URL"]],
  );
  assert.ok(log.lines.every(({ message }) => !message.includes("this version does not use that slot")));
});

// req: plugins.requires-env-gate
test(
  "a plugin gets the variables it declares and no other secret, and reading one is logged",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def seen(args, **k):\n    return json.dumps([os.environ.get('DECLARED_KEY'), os.environ.get('OTHER_API_KEY'), os.environ.get('HARMLESS'), os.environ.get('TOOL_TOKEN'), bool(os.environ.get('HERMES_HOME'))])",
      "def register(ctx):\n    ctx.register_tool(name='seen', toolset='t', schema={}, handler=seen, requires_env=['TOOL_TOKEN'])",
    );
    const { host, log } = await setUp(
      t,
      pythonPlugin("env", code, "requires_env: [DECLARED_KEY]\n"),
      enabled("env"),
    ).start({ DECLARED_KEY: "d", OTHER_API_KEY: "o", HARMLESS: "h", TOOL_TOKEN: "t" }, { hosts: true });
    assert.equal(await answerOf(host, "seen"), '["d", null, "h", "t", true]');
    assert.ok(log.lines.some(({ message }) => message.includes("OTHER_API_KEY, which no manifest declares")));
  },
);

// req: plugins.register-crash
test("prints of every kind reach the log and never the wire", withPython, async (t) => {
  const code = pythonCode(
    "print('at import')",
    'os.write(1, b\'{"id": 1, "garbage": true}\\n\\x00\\xff\\n\')',
    "def noisy(args, **k):\n    print('in a call')\n    os.system('echo from a child')\n    sys.stdout.write('{}\\n' * 50)\n    return json.dumps({'ok': True})",
    registersPython("noisy"),
  );
  const { host, log } = await setUp(t, pythonPlugin("noise", code), enabled("noise")).start({}, { hosts: true });
  assert.equal(await answerOf(host, "noisy"), '{"ok": true}');
  const printed = ["at import", "in a call", "from a child"];
  // The answer and the prints arrive by two pipes.
  await waitFor(() => printed.every((words) => log.lines.some(({ message }) => message === words)), {
    state: () => log.lines,
  });
});

// row 44 of the fault matrix
// req: plugins.register-crash
test(
  "a Python plugin whose import or register() fails is disabled with the cause and line, and the next plugin runs",
  withPython,
  async (t) => {
    const place = setUp(
      t,
      {
        ...pythonPlugin(
          "bad",
          "import json\n\ndef register(ctx):\n    ctx.register_hook('pre_tool_call', lambda **k: None)\n    raise RuntimeError('no such luck')\n",
        ),
        ...pythonPlugin("torn", "def register(:\n"),
        ...pythonPlugin("mute", "x = 1\n"),
        ...pythonPlugin("good", pythonCode("def fine(args, **k):\n    return '{}'", registersPython("fine"))),
      },
      enabled("bad", "torn", "mute", "good"),
    );
    const { host, log } = await place.start({}, { hosts: true });
    assert.equal(host.hooks.has("pre_tool_call"), false);
    assert.equal(await answerOf(host, "fine"), "{}");
    const reasons = new Map((await host.service.list()).map(({ key, state, reason }) => [key, `${state}: ${reason}`]));
    assert.equal(reasons.get("bad"), "failed: no such luck (__init__.py:5)");
    assert.match(reasons.get("torn") ?? "", /^failed: .*invalid syntax/);
    assert.match(reasons.get("mute") ?? "", /^failed: no register\(\) function in /);
    const line = log.lines.find(({ message }) => message.includes("no such luck"));
    assert.match(
      String((line?.detail as { cause?: Error } | undefined)?.cause?.stack),
      /bad\/__init__\.py", line 5, in register/,
    );
  },
);

// row 45 of the fault matrix
// req: R-21
test(
  "a crash, an endless loop and too much memory end the call; the plugin restarts, is then paused, and others continue",
  withPython,
  async (t) => {
    const code = pythonCode(
      "pid = os.getpid()",
      "def ok(args, **k):\n    return json.dumps(pid)",
      "def dies(args, **k):\n    os._exit(7)",
      "def loops(args, **k):\n    while True:\n        pass",
      "def hoards(args, **k):\n    return str(len(bytearray(20 << 30)))",
      registersPython("ok", "dies", "loops", "hoards"),
    );
    const { host } = await setUp(t, pythonPlugin("faults", code), enabled("faults")).start({}, { hosts: true });
    const before = await answerOf(host, "ok");
    assert.match(await answerOf(host, "hoards"), /\[TOOL_ERROR\] Tool execution failed: MemoryError/);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 300);
    await assert.rejects(answerOf(host, "loops", {}, { signal: stop.signal }), { message: "enough" });
    assert.equal(await answerOf(host, "ok"), before);
    assert.match(
      await answerOf(host, "dies"),
      /^\{"error":"The plugin \\"faults\\" did not answer: the Python process ended with status 7/,
    );
    assert.notEqual(await answerOf(host, "ok"), before);
    assert.match(await answerOf(host, "dies"), /did not answer/);
    // After the second fault it is paused for one second, after the third for five: longer than any time between two
    // calls here.
    const rested = performance.now() + 120_000;
    for (let answer = ""; !/^\d+$/.test(answer) && performance.now() < rested; await wait(50))
      answer = await answerOf(host, "ok");
    assert.match(await answerOf(host, "dies"), /did not answer/);
    assert.match(
      await answerOf(host, "ok"),
      /The plugin \\"faults\\" is paused for [1-5] s: the Python process ended with status 7/,
    );
  },
);

test("module state persists between calls, and resources are released at the end", withPython, async (t) => {
  const place = setUp(t, {}, enabled("state"));
  const file = join(place.path, "ended");
  place.write(
    pythonPlugin(
      "state",
      pythonCode(
        "import atexit",
        `atexit.register(lambda: open(${JSON.stringify(file)}, 'w').write('ended'))`,
        "count = 0",
        "def up(args, **k):\n    global count\n    count += 1\n    return json.dumps(count)",
        registersPython("up"),
      ),
    ),
  );
  const { host } = await place.start({}, { hosts: true });
  assert.deepEqual([await answerOf(host, "up"), await answerOf(host, "up")], ["1", "2"]);
  await host[Symbol.asyncDispose]();
  assert.equal(existsSync(file) && readFileSync(file, "utf8"), "ended");
});

// req: plugins.python-bridge-absent
test("without python3 on PATH, Python plugins are listed as disabled with that reason, and others work", async (t) => {
  const place = setUp(
    t,
    {
      ...pythonPlugin("snake", pythonCode(registersPython())),
      "home/plugins/good/plugin.yaml": manifest("good"),
      "home/plugins/good/index.ts":
        'export default (ctx) => { ctx.command({ name: "wave", description: "w", run: () => "waving" }); };\n',
    },
    enabled("snake", "good"),
  );
  const { host } = await place.start({ PATH: "/nowhere" }, { hosts: true });
  const snake = (await host.service.list()).find(({ key }) => key === "snake");
  assert.deepEqual([snake?.state, snake?.reason], ["disabled", "Plugin snake disabled (missing: python3 on the PATH)"]);
  assert.equal(
    await host.commands.get("wave")?.run("", { sessionId: "s", surface: "cli", signal: new AbortController().signal }),
    "waving",
  );
});

test(
  "Python middleware that returns None does not remove a result, whether it called next_call or not",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def forgetful(*, args, next_call, **context):\n    next_call(args)",
      "def watcher(**context):\n    pass",
      "def register(ctx):\n    ctx.register_middleware('tool_execution', forgetful)\n    ctx.register_middleware('tool_execution', watcher)",
    );
    const { host } = await setUp(t, pythonPlugin("quiet", code), enabled("quiet")).start({}, { hosts: true });
    let runs = 0;
    const run = (result: Json) =>
      host.middlewares.run(
        "tool_execution",
        { ...toolCall("x", {}), effect: "none", cwd: "/", touches: [] },
        async () => ((runs += 1), result),
      );
    assert.deepEqual(await run({ a: 1 }), { a: 1 });
    assert.equal(await run(null), null);
    assert.equal(runs, 2);
  },
);

test(
  "Python model middleware rewrites a request in chat form, reads an answer by attribute, changes or refuses it, and lets a failure pass",
  withPython,
  async (t) => {
    const code = pythonCode(
      "from types import SimpleNamespace as NS",
      "def request(*, request, original_request, model, api_mode, **context):\n    said = request['messages'][-1]['content']\n    if said == 'plain':\n        return None\n    request['messages'][-1]['content'] = said + ', please'\n    request['temperature'] = 0.5\n    return {'request': request}",
      "def execute(*, request, next_call, **context):\n    said = request['messages'][-1]['content']\n    if said.startswith('refuse'):\n        return NS(model='m', choices=[NS(index=0, finish_reason='stop', message=NS(role='assistant', content='Not today.', tool_calls=None, refusal=None))], usage=NS(prompt_tokens=0, completion_tokens=0))\n    response = next_call({**request, 'max_tokens': 7})\n    if said == 'plain':\n        return response\n    assert hasattr(response.usage, 'prompt_tokens') and response['usage']['output_tokens'] >= 0\n    response.choices[0].message.content = response.choices[0].message.content.upper()\n    return response",
      "def register(ctx):\n    ctx.register_middleware('llm_request', request)\n    ctx.register_middleware('llm_execution', execute)",
    );
    const { host, log } = await setUp(t, pythonPlugin("models", code), enabled("models")).start({}, { hosts: true });
    const model = scriptedModel([
      { text: "hello" },
      { thinking: "hm", text: "quiet" },
      { failure: { code: "refused", message: "no such thing" } },
    ]);
    await using agent = await testSession({ model, ports: { hooks: host.hooks, middlewares: host.middlewares } });
    const ask = async (text: string) => {
      const { reason, text: answer, detail } = await agent.session.send(text);
      return [reason, answer, detail];
    };
    assert.deepEqual(await ask("hi"), ["done", "HELLO", undefined]);
    assert.deepEqual(await ask("refuse"), ["done", "Not today.", undefined]);
    assert.deepEqual(await ask("plain"), ["done", "quiet", undefined]);
    assert.deepEqual(await ask("fail"), ["failed", "", "no such thing"]);
    const last = model.requests.map(({ messages, temperature, maxOutputTokens }) => [
      textOf((messages.at(-1) as Extract<Message, { role: "user" }>).parts)
        .split("</environment>")
        .at(-1)
        ?.trim(),
      temperature,
      maxOutputTokens,
    ]);
    assert.deepEqual(last, [
      ["hi, please", 0.5, 7],
      ["plain", undefined, 7],
      ["fail, please", 0.5, 7],
    ]);
    assert.deepEqual(
      log.lines.filter(({ level }) => level === "error"),
      [],
    );
  },
);

test("starting the Python process with a minimal plugin imports none of the slow modules", withPython, async (t) => {
  const { path } = setUp(t, pythonPlugin("small", "def register(ctx):\n    pass\n"));
  // Without `site`, where this machine's own packages may import anything.
  const child = spawn("python3", ["-S", "-X", "importtime", join(import.meta.dirname, "child/main.py")], {
    stdio: "pipe",
  });
  t.after(() => void child.kill("SIGKILL"));
  let answerOf = "";
  let imports = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (imports += text));
  const ask = (id: number, method: string, params: object): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  ask(1, "initialize", { protocol: 1, agent: {}, withheld: [] });
  ask(2, "plugin.load", {
    plugin: "small",
    dir: join(path, "home/plugins/small"),
    manifest: { name: "small" },
    config: {},
    env: {},
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answerOf += text;
    if (answerOf.includes('"id":2')) child.stdin.end();
  });
  await withTimeout(once(child, "close"), { what: "the process ends" });
  assert.match(answerOf, /"id":2,"result":\{"reads":\[\],"lookups":\[\]\}/);
  const modulesOf = (output: string) => new Set(output.split("\n").map((line) => line.split("|").at(-1)?.trim()));
  const imported = modulesOf(imports);
  // Older Pythons import some of the slow ones with the modules that every file loader needs.
  const unavoidable = modulesOf(
    spawnSync("python3", ["-S", "-X", "importtime", "-c", "import importlib.util"], { encoding: "utf8" }).stderr,
  );
  const dear = [
    "inspect",
    "dataclasses",
    "traceback",
    "logging",
    "asyncio",
    "argparse",
    "yaml",
    "pathlib",
    "typing",
    "tempfile",
    "importlib.abc",
  ];
  assert.deepEqual(
    ["_hermes_bridge.host", ...dear].filter((name) => imported.has(name) && !unavoidable.has(name)),
    ["_hermes_bridge.host"],
  );
});
