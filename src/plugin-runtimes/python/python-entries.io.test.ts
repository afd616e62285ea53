import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join, relative } from "node:path";
import { test } from "node:test";
import { manifest, setUp, type Files } from "../../host/plugins/plugins-fixture.ts";
import { siteOf } from "../../host/plugins/packages/python-packages.ts";
import { enabled, withPython } from "../test/hosts-fixture.ts";

/** A package as an installer leaves it: its code, and the target of its entry point. */
function package_(name: string, code: string, entry: string, group = "hermes_agent.plugins"): Files {
  const info = `${name}-1.0.dist-info`;
  return {
    [`${name}/__init__.py`]: code,
    [`${info}/METADATA`]: `Name: ${name}\nVersion: 1.0\n`,
    [`${info}/entry_points.txt`]: `[${group}]\n${name} = ${name}${entry}\n`,
  };
}

const TOOL =
  'ctx.register_tool("of_%s", "t", {"description": "d", "parameters": {"type": "object", "properties": {}}}, lambda args, **k: "{}")';
const registers = (name: string, indent: string): string => `${indent}${TOOL.replace("%s", name)}\n`;
const memory = (name: string, base: string): string => `class Keeper${base}:
    name = "${name}"
    def is_available(self): return True
    def initialize(self, session_id, **kwargs): pass
    def prefetch(self, query, **kwargs): return ""
    def get_tool_schemas(self): return []
`;

// req: plugins.python-bridge
test(
  "an entry point may name a module, a function, a factory, a class that registers or is a provider, or an object",
  withPython,
  async (t) => {
    const abstract = "from agent.memory_provider import MemoryProvider\n";
    const model =
      "from providers import register_provider\nfrom providers.base import ProviderProfile\ndef register():\n    register_provider(ProviderProfile(name='acme', base_url='https://acme.example'))\n";
    const names = ["by_module", "by_class", "by_static", "by_object", "by_factory", "by_return"];
    const packages = {
      ...package_("by_module", model, ""),
      ...package_(
        "by_class",
        `class Plugin:\n    def register(self, ctx):\n${registers("by_class", "        ")}`,
        ":Plugin",
      ),
      ...package_(
        "by_static",
        `class Plugin:\n    @staticmethod\n    def register(ctx):\n${registers("by_static", "        ")}`,
        ":Plugin",
      ),
      ...package_(
        "by_object",
        `class Plugin:\n    def register(self, ctx):\n${registers("by_object", "        ")}plugin = Plugin()\n`,
        ":plugin",
      ),
      ...package_(
        "by_factory",
        `${abstract}${memory("m1", "(MemoryProvider)")}def create():\n    return Keeper()\n`,
        ":create",
      ),
      ...package_(
        "by_return",
        `${abstract}${memory("m2", "(MemoryProvider)")}def create(ctx):\n    return Keeper()\n`,
        ":create",
      ),
      ...package_(
        "provider_class",
        `${abstract}${memory("m3", "(MemoryProvider)")}`,
        ":Keeper",
        "hermes_agent.memory_providers",
      ),
      ...package_("like_one", memory("m4", ""), ":Keeper", "hermes_agent.memory_providers"),
    };
    const place = setUp(t);
    const environment = join(place.path, "home/packages/python/all");
    assert.equal(spawnSync("python3", ["-m", "venv", "--without-pip", environment]).status, 0);
    const site = relative(place.path, siteOf(environment)!);
    place.write(Object.fromEntries(Object.entries(packages).map(([file, text]) => [`${site}/${file}`, text])));
    const registered = async (config: string) => {
      place.write({ "home/config.yaml": config });
      const { host } = await place.start({}, { hosts: true });
      return Object.fromEntries(
        (await host.service.list()).flatMap(({ key, state, reason, registered: { tools, providers } }) =>
          state === "not enabled" ? [] : [[key, reason ?? [...tools, ...providers]]],
        ),
      );
    };
    assert.deepEqual(await registered(enabled(...names)), {
      by_module: ["model_profile/acme"],
      by_class: ["of_by_class"],
      by_static: ["of_by_static"],
      by_object: ["of_by_object"],
      by_factory: ["memory/m1"],
      by_return: ["memory/m2"],
    });
    assert.deepEqual(await registered("memory: { provider: provider_class }\n"), { provider_class: ["memory/m3"] });
    assert.deepEqual(await registered("memory: { provider: like_one }\n"), { like_one: ["memory/m4"] });
  },
);

// req: plugins.python-bridge
test(
  "a plugin that is only a context engine class is recognised by its manifest or its code, and runs when a setting names it",
  withPython,
  async (t) => {
    const engine = `from agent.context_engine import ContextEngine
class Short(ContextEngine):
    @property
    def name(self): return "short"
    def update_from_response(self, usage): pass
    def should_compress(self, prompt_tokens=None): return False
    def compress(self, messages, current_tokens=None, **kwargs): return messages
`;
    const place = setUp(t, {
      "home/plugins/told/plugin.yaml": manifest("told", "kind: exclusive\n"),
      "home/plugins/told/__init__.py": engine,
      "home/plugins/context_engine/bare/__init__.py": engine,
    });
    const running = async (config: string) => {
      place.write({ "home/config.yaml": config });
      const { host } = await place.start({}, { hosts: true });
      return (await host.service.list()).map(({ key, state, registered }) => [key, state, registered.providers]);
    };
    assert.deepEqual(await running(""), [
      ["context_engine/bare", "not enabled", []],
      ["told", "not enabled", []],
    ]);
    assert.deepEqual(await running("context: { engine: told }\n"), [
      ["context_engine/bare", "not enabled", []],
      ["told", "enabled", ["context/short"]],
    ]);
    assert.deepEqual(await running("context: { engine: bare }\n"), [
      ["context_engine/bare", "enabled", ["context/short"]],
      ["told", "not enabled", ["context/short"]],
    ]);
  },
);
