import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { HOOK_KINDS } from "../../contract/plugins/hook.ts";
import { prepare } from "../../engine/dispatch/call.ts";
import { manifest, register as plugin, setUp, tool } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, answerOf, withPython } from "../test/hosts-fixture.ts";

const MODULES = join(import.meta.dirname, "child/modules");
const modules = readdirSync(MODULES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(MODULES.length + 1, -".py".length)
      .replaceAll("/", ".")
      .replace(/\.__init__$/, ""),
  )
  .sort();
const register = (name: string): string =>
  `def register(ctx):\n    ctx.register_tool(name="${name}", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {"address": {"type": "string"}}}}, handler=${name})`;

// req: plugins.python-bridge
test("every module of the original that plugins import can be imported", withPython, async (t) => {
  const place = setUp(
    t,
    pythonPlugin(
      "all",
      pythonCode(
        "import importlib",
        `NAMES = ${JSON.stringify(modules)}`,
        "def imports(args, **k):\n    count = [importlib.import_module(name).__doc__ != '' for name in NAMES].count(True)\n    return json.dumps([count, sorted(sys.modules['hermes_cli.plugins'].VALID_HOOKS)])",
        register("imports"),
      ),
    ),
    enabled("all"),
  );
  const { host } = await place.start({}, { hosts: true });
  // The names that plugins look up before they subscribe are the existing hooks.
  assert.deepEqual(JSON.parse(await answerOf(host, "imports")), [modules.length, Object.keys(HOOK_KINDS).sort()]);
});

test("the original's helpers that plugins use return the same results", withPython, async (t) => {
  const code = pythonCode(
    "import tempfile, pathlib",
    "import utils, hermes_constants, hermes_time, model_tools",
    "from agent.image_gen_provider import normalize_reference_images",
    "from agent.model_metadata import estimate_request_tokens_rough, estimate_tokens_rough",
    "from agent.redact import mask_secret",
    "from hermes_cli.cli_output import Colors, color",
    "from hermes_cli.env_loader import load_hermes_dotenv",
    "from agent.skill_utils import parse_frontmatter",
    "from agent.tts_provider import resolve_output_format",
    "from agent.file_safety import is_write_denied, raise_if_read_blocked",
    "from agent.secret_sources import run_secret_cli, scrub_ansi",
    "from gateway.platforms.base import EphemeralReply, is_network_accessible, safe_url_for_log, utf16_len",
    "from gateway.session import SessionSource, build_session_key",
    "from hermes_cli.config import save_config",
    "from hermes_cli.plugins import get_plugin_commands",
    "from hermes_cli.profiles import list_profiles",
    "from tools.registry import registry",
    "from tools.url_safety import is_safe_url",
    `def raises(run):
    try:
        run()
    except Exception as cause:
        return type(cause).__name__`,
    `def small(args, **k):
    home = hermes_constants.get_hermes_home()
    target = home / "kept" / "a.json"
    utils.atomic_json_write(target, {"a": "é"}, mode=0o600)
    group = SessionSource(platform="telegram", chat_id="1", chat_type="group", user_id="u")
    return json.dumps([
        normalize_reference_images(["a", " ", 3]), normalize_reference_images("  "), estimate_tokens_rough("abcde"), parse_frontmatter("---\\nname: x\\n---\\nbody"), resolve_output_format("WAV"), resolve_output_format("x"),
        scrub_ansi("\\x1b[31mred\\x1b[0m"), run_secret_cli(["sh", "-c", "echo $SMALL_ONE-$SMALL_TWO"], allow_env=["SMALL_ONE"]).stdout.strip(), utf16_len("a😀"), safe_url_for_log("https://u:p@a.b:8/c?x=1#f"), is_network_accessible("127.0.0.1"), is_network_accessible("0.0.0.0"), EphemeralReply("gone", 3) + "!",
        build_session_key(group), raises(lambda: save_config({})), list(get_plugin_commands()), [one.name for one in list_profiles()], registry.get_entry("small").toolset, registry.get_entry("nope"), registry.get_emoji("small"), is_safe_url("http://127.0.0.1/"), is_safe_url("file:///etc/passwd"),
        utils.is_truthy_value("ON"), utils.env_int("SMALL_ONE", 7), utils.safe_json_loads("{", 1), json.loads(target.read_text()), oct(target.stat().st_mode & 0o777), hermes_constants.parse_reasoning_effort("HIGH"), hermes_constants.parse_reasoning_effort("none"), hermes_time.now().tzinfo is not None, model_tools.get_toolset_for_tool("small"),
        mask_secret("0123456789abcdef"), mask_secret("short"), mask_secret(None, empty="none"), color("x", Colors.RED), load_hermes_dotenv(project_env="x"), estimate_request_tokens_rough([], system_prompt="abcde", tools=[]),
        is_write_denied("/etc/hosts"), is_write_denied(home / ".env"), is_write_denied(tempfile.gettempdir() + "/x"), raises(lambda: raise_if_read_blocked(home / ".env")), raises(lambda: raise_if_read_blocked(target)),
    ], ensure_ascii=False)`,
    `${register("small")}\n    ctx.register_command("quiet", handler=lambda: "no arguments", description="d")`,
  );
  const { host } = await setUp(t, pythonPlugin("small", code), enabled("small")).start(
    { SMALL_ONE: "one", SMALL_TWO: "two" },
    { hosts: true },
  );
  assert.deepEqual(JSON.parse(await answerOf(host, "small")), [
    ["a"],
    null,
    2,
    [{ name: "x" }, "body"],
    "wav",
    "mp3",
    "red",
    "one-",
    3,
    "https://a.b:8/c",
    false,
    true,
    "gone!",
    "agent:main:telegram:group:1:u",
    "PermissionError",
    ["quiet"],
    ["default"],
    "t",
    null,
    "⚡",
    false,
    false,
    true,
    7,
    1,
    { a: "é" },
    "0o600",
    { enabled: true, effort: "high" },
    { enabled: false },
    true,
    "t",
    "0123...cdef",
    "***",
    "none",
    "x",
    [],
    2,
    true,
    true,
    false,
    "ValueError",
    null,
  ]);
  const command = host.commands.get("quiet");
  assert.equal(await command?.run("", {} as never), "no arguments");
});

test(
  "shared code of platform adapters works as in the original: duplicate messages, split texts, threads, Markdown, redirects",
  withPython,
  async (t) => {
    const code = pythonCode(
      "import asyncio",
      "from types import SimpleNamespace as Thing",
      "from agent.display import get_tool_emoji",
      "from gateway.platforms.helpers import MessageDeduplicator, TextBatchAggregator, ThreadParticipationTracker, convert_table_to_bullets, redact_phone, split_markdown_table_row, strip_markdown",
      "from hermes_cli.cli_output import print_success, prompt_yes_no",
      "from tools.tool_output_limits import get_tool_output_limits",
      "from tools.url_safety import async_is_safe_url, redirect_target_from_response as leads",
      `async def joined():
    got = []
    async def handler(event):
        got.append(event.text)
    batch = TextBatchAggregator(handler, batch_delay=0.05)
    for text, key in (("one", "a"), ("two", "a"), ("other", "b")):
        batch.enqueue(Thing(text=text), key)
    while len(got) < 2:
        await asyncio.sleep(0.01)
    return sorted(got), batch.is_enabled(), await async_is_safe_url("http://127.0.0.1/")`,
      `def shared(args, **k):
    seen = MessageDeduplicator(max_size=2)
    told = [seen.is_duplicate(one) for one in ("a", "a", "", "b", "c")] + [seen.contains("a"), seen.contains("c")]
    seen.discard("c")
    threads = ThreadParticipationTracker("loop", max_tracked=2)
    for one in ("1", "2", "3"):
        threads.mark(one)
    return json.dumps([
        told, seen.is_duplicate("c"), "1" in threads, "3" in ThreadParticipationTracker("loop"), asyncio.run(joined()),
        strip_markdown("# Head\\n\\n**bold** and _soft_ \`code\` [page](https://a.b/c) snake_case_name\\n\`\`\`py\\nx = 1\\n\`\`\`\\n\\n\\n\\nend"), redact_phone("+491701234567"), redact_phone("123"), redact_phone(""),
        split_markdown_table_row("| a | b |"), convert_table_to_bullets("x\\n| n | v |\\n|---|---|\\n| one | 1 |\\n| two | 2 |\\ny"), get_tool_output_limits()["max_lines"], get_tool_emoji("nope"),
        leads(Thing(is_redirect=True, headers={"location": "/x"}, url="https://a.b/c/d", next_request=None)), leads(Thing(is_redirect=False, headers={}, url="https://a.b", next_request=None)),
    ], ensure_ascii=False)`,
      register("shared"),
    );
    const place = setUp(t, pythonPlugin("shares", code), enabled("shares"));
    const { host } = await place.start({}, { hosts: true });
    assert.deepEqual(JSON.parse(await answerOf(host, "shared")), [
      [false, true, false, false, false, false, true],
      false,
      false,
      true,
      [["one\ntwo", "other"], true, false],
      "Head\n\nbold and soft code page snake_case_name\nx = 1\n\nend",
      "+491****4567",
      "****",
      "<none>",
      ["a", "b"],
      "x\n**one**\n• v: 1\n\n**two**\n• v: 2\ny",
      2000,
      "⚡",
      "https://a.b/x",
      null,
    ]);
  },
);

test("a plugin that lists all tools finds their names, each with a handler to call", withPython, async (t) => {
  const code = pythonCode(
    "from tools.registry import registry",
    `def looks(args, **k):
    other = registry._tools["echo"]
    own = registry._tools["looks"]
    return json.dumps(["echo" in registry._tools, "nope" in registry._tools, registry._tools.get("nope"), [own.name, own.toolset, own.handler is looks], [other.name, other.toolset, other is registry.get_entry("echo"), other.handler.__name__, other.handler({})]])`,
    register("looks"),
  );
  const { host } = await setUp(
    t,
    {
      ...pythonPlugin("looks", code),
      "home/plugins/echo/plugin.yaml": manifest("echo"),
      "home/plugins/echo/index.js": plugin(tool("echo", "x")),
    },
    enabled("echo", "looks"),
  ).start({}, { hosts: true });
  assert.deepEqual(JSON.parse(await answerOf(host, "looks")), [
    true,
    false,
    null,
    ["looks", "t", true],
    ["echo", "echo", true, "echo", '{"got":1}'],
  ]);
});

test(
  "an image at an address in a service's answer is stored in the home, unless it is too large or not an image on the web",
  withPython,
  async (t) => {
    const server = createServer((_, response) =>
      response.writeHead(200, { "content-type": "image/webp" }).end("picture"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
    const code = pythonCode(
      "from agent.image_gen_provider import save_url_image",
      `def picture(args, **k):
    def refusal(*given, **named):
        try:
            save_url_image(*given, **named)
        except Exception as cause:
            return type(cause).__name__
    kept = save_url_image(args["address"])
    return json.dumps([kept.read_text(), kept.suffix, kept.parent.name, refusal(args["address"], max_bytes=3), refusal("file:///etc/hostname")])`,
      register("picture"),
    );
    const { host } = await setUp(t, pythonPlugin("picture", code), enabled("picture")).start({}, { hosts: true });
    assert.deepEqual(
      JSON.parse(
        await answerOf(host, "picture", { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a` }),
      ),
      ["picture", ".webp", "images", "ValueError", "ValueError"],
    );
  },
);

test(
  "a missing part of the original that a plugin uses is reported by name, even if the plugin continues",
  withPython,
  async (t) => {
    const code = pythonCode(
      "import importlib.util",
      "from hermes_cli import config, plugins",
      `try:
    from hermes_cli import moon_db
except ImportError:
    moon_db = None
try:
    from hermes_cli.plugins import PluginContext, moon_hooks
except ImportError:
    moon_hooks = None
PROBED = importlib.util.find_spec("cron.moon") if importlib.util.find_spec("cron") else None`,
      "def goes_on(args, **k):\n    try:\n        import run_agent\n    except ImportError as cause:\n        return str(cause)",
      register("goes_on"),
    );
    const place = setUp(
      t,
      {
        ...pythonPlugin("asks", code),
        ...pythonPlugin("fails", "from tools.approval import moon\n\ndef register(ctx): ...\n"),
        ...pythonPlugin("calls", "def register(ctx):\n    ctx.register_moon()\n"),
      },
      enabled("asks"),
    );
    const { host, log } = await place.start({}, { hosts: true });
    assert.equal(await answerOf(host, "goes_on"), "No module named 'run_agent'");
    const output = log.lines
      .filter(({ level, message }) => level === "warning" && message.includes("of the Python original"))
      .map(({ message }) => message);
    const words = (part: string): string =>
      `The plugin 'asks' used ${part} of the Python original, which does not exist here.`;
    assert.deepEqual(
      [...new Set(output)],
      ["hermes_cli.moon_db", "hermes_cli.plugins.moon_hooks", "cron.moon", "run_agent"].map(words),
    );
    const problems = async (name: string) =>
      (await host.service.check(name)).flatMap(({ problems: found }) => found.map(({ text }) => text));
    assert.match(
      (await problems("fails")).join("\n"),
      /cannot import name 'moon' from 'tools\.approval'.* - "tools\.approval\.moon" is a part of the Python original that does not exist here\.$/m,
    );
    assert.match(
      (await problems("calls")).join("\n"),
      / - "ctx\.register_moon" does not exist in this version's plugin context\.$/m,
    );
    await assert.rejects(host.service.enable("fails"), {
      hint: '"tools.approval.moon" is a part of the Python original that does not exist here.',
    });
  },
);

test(
  "a plugin that replaces a function of the original's modules is reported, one that would wrap every call is refused, and its own attributes stay",
  withPython,
  async (t) => {
    const code = pythonCode(
      "import model_tools, hermes_constants\nfrom tools.registry import registry",
      "hermes_constants.get_hermes_home = lambda: 'elsewhere'\nregistry.mine = model_tools.of_my_own = 'mark'",
      `def refused(put):
    try:
        put()
    except AttributeError as cause:
        return str(cause)`,
      "REFUSED = [refused(lambda: setattr(model_tools, 'handle_function_call', lambda *args, **k: '{}')), refused(lambda: setattr(registry, 'dispatch', lambda *args, **k: '{}'))]",
      "def home(args, **k):\n    return json.dumps([hermes_constants.get_hermes_home(), registry.mine, model_tools.of_my_own, *REFUSED])",
      register("home"),
    );
    const { host, log } = await setUp(t, pythonPlugin("patches", code), enabled("patches")).start({}, { hosts: true });
    const words = (what: string): string =>
      `The agent never calls ${what} in a plugin's process. Register the middleware tool_execution, which wraps every call.`;
    assert.deepEqual(JSON.parse(await answerOf(host, "home")), [
      "elsewhere",
      "mark",
      "mark",
      words("'handle_function_call' of model_tools"),
      words("'dispatch' of the registry"),
    ]);
    const output = log.lines
      .filter(({ level, message }) => level === "warning" && message.includes(" replaced "))
      .map(({ message }) => message);
    assert.deepEqual(output, [
      "The plugin 'patches' replaced hermes_constants.get_hermes_home, but the agent does not call functions of a plugin's process.",
    ]);
  },
);

test(
  "a plugin without declared settings may have a section with its name in config.yaml and read it directly",
  withPython,
  async (t) => {
    const code = pythonCode(
      "from hermes_cli.config import load_config",
      'def own_units(args, **k):\n    return load_config()["weather_words"]["units"]',
      register("own_units"),
    );
    const { host } = await setUp(
      t,
      pythonPlugin("weather-words", code),
      `${enabled("weather-words")}weather_words:\n  units: metric\n`,
    ).start({}, { hosts: true });
    assert.equal(await answerOf(host, "own_units"), "metric");
  },
);

test(
  "prompt sections of a plugin for later originals join each turn, the same for a whole session",
  withPython,
  async (t) => {
    const code = pythonCode(
      "COUNT = [0]",
      `def rules(session):
    COUNT[0] += 1
    return "Rule %d for %s in %s" % (COUNT[0], session["session_id"], session["profile_name"])

def raises(register):
    try:
        register()
    except (ValueError, TypeError) as cause:
        return str(cause)`,
      `def register(ctx):
    ctx.register_system_prompt_section("words.b-rules", rules, position="after_memory", max_chars=400)
    ctx.register_system_prompt_section("words.a-text", "Say please.", max_chars=600)
    ctx.register_system_prompt_section("words.long", "x" * 30, max_chars=20)
    ctx.register_system_prompt_section("words.broken", lambda session: session["nope"])
    refused = [raises(lambda: ctx.register_system_prompt_section(*given, **more)) for given, more in [(("a b", "x"), {}), (("words.a-text", "x"), {}), (("c", "x"), {"position": "first"}), (("c", "x"), {"max_chars": 9000}), (("c", 3), {})]]
    ctx.register_tool(name="refused", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **k: json.dumps(refused))`,
    );
    const { host, log } = await setUp(t, pythonPlugin("words", code), enabled("words")).start({}, { hosts: true });
    const turn = {
      task_id: "t",
      turn_id: "t",
      model: "m",
      platform: "cli",
      user_message: "hi",
      conversation_history: [],
      is_first_turn: true,
    };
    const output = async (session_id: string) =>
      (await host.hooks.collect("pre_llm_call", { ...turn, session_id })).map(({ piece }) => piece);
    const words = (rule: string): string =>
      `[words.a-text, of the plugin words]\nSay please.\n\n[words.b-rules, of the plugin words]\n${rule}`;
    assert.deepEqual(
      [await output("s1"), await output("s1"), await output("s2")],
      [[words("Rule 1 for s1 in custom")], [words("Rule 1 for s1 in custom")], [words("Rule 2 for s2 in custom")]],
    );
    assert.deepEqual(JSON.parse(await answerOf(host, "refused")), [
      "The id of a section may have letters, digits, ., _ and -, not 'a b'.",
      "There is already a section 'words.a-text'.",
      "The position of a section must be after_memory, not 'first'.",
      "A section must have 1 to 4000 characters, not 9000.",
      "The section 'c' must be a string or a function.",
    ]);
    assert.deepEqual(
      [
        ...new Set(
          log.lines.filter(({ message }) => message.startsWith("The prompt section")).map(({ message }) => message),
        ),
      ],
      [
        "The prompt section 'words.broken' is left out: it raised KeyError: 'nope'.",
        "The prompt section 'words.long' is left out: it has 30 characters, of which 20 are allowed.",
      ],
    );
  },
);

test(
  "tokens of a request are counted for every service as in the original, and its price is unknown here",
  withPython,
  async (t) => {
    const code = pythonCode(
      "from types import SimpleNamespace as S",
      "from agent.usage_pricing import CanonicalUsage, estimate_usage_cost, normalize_usage",
      `def counts(args, **k):
    chat = S(prompt_tokens=100, completion_tokens=20, prompt_tokens_details=S(cached_tokens=60), completion_tokens_details=S(reasoning_tokens=5))
    native = S(prompt_tokens=100, completion_tokens=20, prompt_cache_hit_tokens=30)
    answers = S(input_tokens=100, output_tokens=20, input_tokens_details=S(cached_tokens=60), output_tokens_details=S(reasoning_tokens=7))
    messages = S(input_tokens=40, output_tokens=20, cache_read_input_tokens=60, cache_creation_input_tokens=3)
    found = [normalize_usage(chat), normalize_usage(native), normalize_usage(answers, api_mode="codex_responses"), normalize_usage(messages, provider="Anthropic"), normalize_usage(None)]
    cost = estimate_usage_cost("m", found[0] + found[1], provider="p", base_url="", api_key="")
    return json.dumps([[one.input_tokens, one.output_tokens, one.cache_read_tokens, one.cache_write_tokens, one.reasoning_tokens, one.total_tokens] for one in found] + [(found[0] + found[1]).total_tokens, cost.amount_usd, cost.status])`,
      register("counts"),
    );
    const { host } = await setUp(t, pythonPlugin("counts", code), enabled("counts")).start({}, { hosts: true });
    assert.deepEqual(JSON.parse(await answerOf(host, "counts")), [
      [40, 20, 60, 0, 5, 120],
      [70, 20, 30, 0, 0, 120],
      [40, 20, 60, 0, 7, 120],
      [40, 20, 60, 3, 0, 123],
      [0, 0, 0, 0, 0, 0],
      240,
      null,
      "unknown",
    ]);
  },
);

test(
  "the manager behind a plugin's context lists the registrations of this process, as the original's does",
  withPython,
  async (t) => {
    const code = pythonCode(
      `def looks(args, **k):
    manager = CTX._manager
    manager._mine = True
    own = manager._plugins["looks"]
    return json.dumps([getattr(CTX._manager, "_mine", False), manager._cli_ref, sorted(manager._hooks), sorted(manager._plugin_tool_names), sorted(manager._plugin_commands), sorted(manager._cli_commands), own.enabled, own.tools_registered, own.hooks_registered, manager.invoke_middleware("llm_request", request={})])`,
      `def register(ctx):
    global CTX
    CTX = ctx
    assert not getattr(ctx._manager, "_mine", False)
    ctx.register_tool("looks", "t", {"description": "d", "parameters": {"type": "object", "properties": {}}}, looks, requires_env="LOOKS_KEY")
    ctx.register_hook("pre_llm_call", lambda **k: None)
    ctx.register_command("glance", lambda raw: "x")
    ctx.register_cli_command("look", "Looks", lambda parser: None)
    ctx.register_middleware("llm_request", lambda request=None, **k: {"request": request})`,
    );
    const { host } = await setUp(t, pythonPlugin("looks", code), enabled("looks")).start(
      { LOOKS_KEY: "k" },
      { hosts: true },
    );
    assert.deepEqual(JSON.parse(await answerOf(host, "looks")), [
      true,
      null,
      ["pre_llm_call"],
      ["looks"],
      ["glance"],
      ["look"],
      true,
      ["looks"],
      ["pre_llm_call"],
      [{ request: {} }],
    ]);
    // A single variable may be given as a string.
    assert.deepEqual(
      host.tools.get("looks")?.declaration.env.map(({ name }) => name),
      ["LOOKS_KEY"],
    );
  },
);

test("a tool whose schema is not valid is still called, as in the original", withPython, async (t) => {
  const code = pythonCode(
    "def odd(args, **k):\n    return json.dumps(args)",
    `def register(ctx):
    ctx.register_tool("odd", "t", {"name": "odd", "description": "d", "parameters": {"type": "object", "properties": {"a": {"type": "integer", "required": True}, "b": {"type": "str"}}}}, odd)`,
  );
  const { host } = await setUp(t, pythonPlugin("odd", code), enabled("odd")).start({}, { hosts: true });
  const entry = host.tools.get("odd")!;
  const { ok, ...prepared } = await prepare({ a: "3", b: "x" }, entry, await entry.load());
  assert.deepEqual(
    [ok, prepared],
    [
      true,
      {
        args: { a: 3, b: "x" },
        input: { a: 3, b: "x" },
        misfit: 'Invalid arguments: the schema of the tool cannot be read: required value must be ["array"].',
      },
    ],
  );
});
