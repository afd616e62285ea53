import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { spawnSync } from "node:child_process";
import { quietLog } from "../../../testing/quiet-log.ts";
import type { Files } from "../plugins-fixture.ts";
import { guessBareKind, guessKind } from "../discovery/kind-guess.ts";
import { findPythonPlugins } from "./python-packages.ts";
import { pythonOnPath } from "./python-environment.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };
const TOOL = "def register(ctx):\n    ctx.register_tool('dice', 't', {}, print)\n";
const MEMORY = "class Keeper(MemoryProvider):\n    name = 'keeper'\n";
const DOC = '"""A plugin. It is no MemoryProvider and calls register_memory_provider(x) nowhere."""\n';

/** The modules and kinds of the plugins in a package without an entry point. */
async function found(t: { after(run: () => void): void }, files: Files) {
  const site = mkdtempSync(join(tmpdir(), "hermes-site-"));
  t.after(() => rmSync(site, { recursive: true, force: true }));
  const all: Files = {
    ...files,
    "dice-1.0.dist-info/METADATA": "Name: dice\nVersion: 1.0\n",
    "dice-1.0.dist-info/RECORD": Object.keys(files)
      .map((file) => `${file},,\n`)
      .join(""),
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(site, name)), { recursive: true });
    writeFileSync(join(site, name), text);
  }
  const python = pythonOnPath(process.env["PATH"])!;
  const plugins = await findPythonPlugins({ python, site, alone: true }, quietLog());
  return plugins.map(({ key, module, manifest }) => [key, module?.name, manifest.kind]);
}

// field: P08
test("the plugin of a package is the module that registers, whatever its text mentions", withPython, async (t) => {
  assert.deepEqual(await found(t, { "dice/__init__.py": DOC, "dice/adapter.py": DOC + TOOL }), [
    ["dice", "dice.adapter", "standalone"],
  ]);
});

// field: P08
test("a package's own module is the plugin if it imports register", withPython, async (t) => {
  const root = `${DOC}from .hermes.entry import register\n`;
  const files = { "dice/__init__.py": root, "dice/hermes/__init__.py": "", "dice/hermes/entry.py": TOOL };
  assert.deepEqual(await found(t, files), [["dice", "dice", "standalone"]]);
});

// field: P08
test(
  "a memory provider is known by the class it extends or by what it registers, in any module",
  withPython,
  async (t) => {
    const base = "from agent.memory_provider import MemoryProvider\n";
    assert.deepEqual(await found(t, { "dice/__init__.py": "", "dice/provider.py": base + MEMORY }), [
      ["dice", "dice.provider", "exclusive"],
    ]);
    const imports = { "dice/__init__.py": "from .provider import Keeper\n", "dice/provider.py": base + MEMORY };
    assert.deepEqual(await found(t, imports), [["dice", "dice", "exclusive"]]);
    const duck = "class Keeper: ...\n\ndef register(ctx):\n    ctx.register_memory_provider(Keeper())\n";
    assert.deepEqual(await found(t, { "dice/__init__.py": "", "dice/memory.py": duck }), [
      ["dice", "dice.memory", "exclusive"],
    ]);
  },
);

// field: P08
test("a plugin folder inside a package is found by the module that registers", withPython, async (t) => {
  const files = {
    "dice/__init__.py": "",
    "dice/bundle/plugin.yaml": "name: dice-plugin\nversion: 1.0.0\ndescription: Dice.\n",
    "dice/bundle/__init__.py": DOC,
    "dice/bundle/adapter.py": TOOL,
  };
  assert.deepEqual(await found(t, files), [["dice-plugin", "dice.bundle.adapter", "standalone"]]);
});

// field: P08
test("a library that only has functions of such names is no plugin", withPython, async (t) => {
  const files = {
    "dice/__init__.py": `${DOC}def register(handler):\n    handler.start()\n`,
    "dice/broken.py": "def register(ctx:\n",
    "dice/tests/test_plugin.py": TOOL,
  };
  assert.deepEqual(await found(t, files), []);
});

// field: P08
test("the kind of a folder does not depend on its comments and strings", () => {
  assert.equal(guessBareKind(DOC + TOOL), undefined);
  assert.equal(guessBareKind("# A MemoryProvider\nx = 'no ContextEngine here'\n"), undefined);
  assert.equal(guessBareKind(`from agent.memory_provider import MemoryProvider\n${MEMORY}`), "exclusive");
  assert.deepEqual(guessKind(`${DOC}def register(ctx):\n    pass  # ctx.register_memory_provider(None)\n`), {
    kind: "standalone",
  });
  assert.equal(
    guessKind('// hooks come later: register_hook(x)\nexport default (ctx) => ctx.provide("memory", new Keeper());\n')
      .kind,
    "exclusive",
  );
  assert.equal(
    guessKind("export class A { #n = 1; go(ctx) { this.#n; ctx.register_memory_provider(this); } }").kind,
    "exclusive",
  );
});
