import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerOf } from "../../../plugin-runtimes/test/hosts-fixture.ts";
import { setUp } from "../plugins-fixture.ts";
import { servePythonIndex, withPip } from "./python-index-fixture.ts";

const signal = new AbortController().signal;
const DICE = `import json
from six_sides import SIDES

def register(ctx):
    ctx.register_tool(name="roll", toolset="dice", schema={"name": "roll", "description": "Rolls.", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **kw: json.dumps({"sides": SIDES}))
`;

// req: plugins.sources
test(
  "reports packages that a hand-copied Python plugin needs, installs them only after approval, and removes them with the plugin",
  withPip,
  async (t) => {
    const place = setUp(t, {
      "home/plugins/dice/plugin.yaml":
        "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [six-sides>=2]\n",
      "home/plugins/dice/__init__.py": DICE,
      "home/plugins/dice/requirements.txt": "two-sides\n",
      "home/plugins/other/plugin.yaml": "name: other\nversion: 1.0.0\ndescription: Has none.\n",
      "home/plugins/other/__init__.py": DICE.replaceAll("roll", "other"),
    });
    const { env: index } = await servePythonIndex(t, join(place.path, "wheels"), [
      { name: "six-sides", version: "1.0", files: { "six_sides.py": "SIDES = 1\n" } },
      { name: "six-sides", version: "2.0", files: { "six_sides.py": "SIDES = 6\n" } },
      { name: "two-sides", files: { "two_sides.py": "" } },
    ]);
    const path = process.env["PATH"] ?? "";
    const env = { PATH: path, HOME: place.path, ...index };
    const { host } = await place.start(env, { hosts: true, path });
    assert.deepEqual((await host.service.info("dice")).lacking, ["six-sides>=2", "two-sides"]);
    await assert.rejects(host.service.enable("dice"), (error: Error & { hint?: string }) => {
      assert.match(error.message, /No module named 'six_sides'.*It needs six-sides>=2, two-sides\./s);
      assert.equal(error.hint, "Run `hermes plugins enable dice --yes` to install what it needs.");
      return true;
    });
    assert.deepEqual((await host.service.installPackages("dice", { signal })).lacking, undefined);
    assert.equal((await host.service.enable("dice")).listing.state, "enabled");
    const next = await place.start(env, { hosts: true, path });
    assert.equal(await answerOf(next.host, "roll"), '{"sides": 6}');
    await assert.rejects(next.host.service.enable("other"), (error: Error & { hint?: string }) => {
      assert.match(error.message, /ModuleNotFoundError: No module named 'six_sides' \(__init__\.py:2\)$/);
      assert.match(error.hint ?? "", /pip_dependencies: \[six_sides\].*hermes plugins enable other --yes/);
      return true;
    });

    const environments = join(place.path, "home/packages/environments");
    assert.deepEqual(
      [
        readdirSync(environments),
        readdirSync(join(place.path, "home/packages")).filter((name) => name.startsWith(".install")),
      ],
      [["dice"], []],
    );
    await next.host.service.remove("dice");
    assert.equal(existsSync(join(environments, "dice")), false);
  },
);

test(
  "an option or URL in the requirements, which only pip would accept, is not installed and changes nothing",
  withPip,
  async (t) => {
    const place = setUp(t, {
      "home/plugins/dice/plugin.yaml":
        "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: ['six-sides @ git+https://example.org/six.git']\n",
      "home/plugins/dice/__init__.py": DICE,
      "home/plugins/sly/plugin.yaml":
        "name: sly\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: ['--index-url=http://127.0.0.1:1/', six-sides]\n",
      "home/plugins/sly/__init__.py": DICE,
      "home/plugins/source/plugin.yaml":
        "name: source\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [only-source]\n",
      "home/plugins/source/__init__.py": DICE,
      "home/plugins/torn/plugin.yaml":
        "name: torn\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [many-dice]\n",
      "home/plugins/torn/__init__.py": DICE,
    });
    const { env: index, asked } = await servePythonIndex(
      t,
      join(place.path, "wheels"),
      ["1.0", "2.0"].map((version) => ({
        name: "many-dice",
        version,
        files: { "many_dice.py": "" },
        needs: ["only-source"],
      })),
    );
    const path = process.env["PATH"] ?? "";
    const { host } = await place.start({ PATH: path, HOME: place.path, ...index }, { hosts: true, path });
    assert.deepEqual((await host.service.info("dice")).lacking, ["six-sides @ git+https://example.org/six.git"]);
    await assert.rejects(
      host.service.installPackages("dice", { signal }),
      /"six-sides @ git.*" is not a package of an index/,
    );
    await assert.rejects(
      host.service.installPackages("sly", { signal }),
      /"--index-url=.*" is not a package of an index/,
    );
    assert.deepEqual(asked, []);
    await assert.rejects(
      host.service.installPackages("source", { signal }),
      /Cannot install only-source: it has no wheel for this Python/,
    );
    await assert.rejects(
      host.service.installPackages("torn", { signal }),
      /^UserError: Cannot install many-dice: the requirements conflict, or a dependency has no wheel/,
    );
    assert.deepEqual(readdirSync(join(place.path, "home/packages/environments")), []);
  },
);

test("installs a wheel that the user built from the folder that the user names", withPip, async (t) => {
  const place = setUp(t, {
    "home/plugins/source/plugin.yaml":
      "name: source\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [only-source]\n",
    "home/plugins/source/__init__.py": DICE.replace("six_sides", "only_source"),
  });
  const { env: index } = await servePythonIndex(t, join(place.path, "wheels"), []);
  await servePythonIndex(t, join(place.path, "own"), [
    { name: "only-source", files: { "only_source.py": "SIDES = 6\n" } },
  ]);
  const path = process.env["PATH"] ?? "";
  const { host } = await place.start(
    { PATH: path, HOME: place.path, ...index, PIP_FIND_LINKS: join(place.path, "own") },
    { hosts: true, path },
  );
  await host.service.installPackages("source", { signal });
  assert.equal((await host.service.enable("source")).listing.state, "enabled");
});

// req: plugins.sources
test("a source-only package is built only after separate approval, and its build sees no token", withPip, async (t) => {
  const place = setUp(t, {
    "home/plugins/dice/plugin.yaml":
      "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [sides-source]\n",
    "home/plugins/dice/__init__.py": DICE.replace("six_sides", "sides_source"),
    "home/plugins/gone/plugin.yaml":
      "name: gone\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [nowhere-at-all]\n",
    "home/plugins/gone/__init__.py": DICE,
  });
  const { env: index } = await servePythonIndex(t, join(place.path, "wheels"), [
    { name: "sides-source", source: true, files: { "sides_source.py": "SIDES = '@VARIABLES@'.split()\n" } },
  ]);
  const path = process.env["PATH"] ?? "";
  const { host } = await place.start(
    { PATH: path, HOME: place.path, NPM_TOKEN: "token-of-another", OPENAI_API_KEY: "key-of-the-agent", ...index },
    { hosts: true, path },
  );
  await assert.rejects(host.service.installPackages("dice", { signal }), (error: Error & { hint?: string }) => {
    assert.match(
      error.message,
      /^Cannot install sides-source: it has no wheel .* only its source\. .* runs its code\.$/,
    );
    assert.match(error.hint ?? "", /^--build builds it here/);
    return true;
  });
  await assert.rejects(host.service.installPackages("gone", { signal, build: true }), /^UserError: .*nowhere-at-all/s);
  await assert.rejects(
    host.service.installPackages("gone", { signal }),
    /^UserError: Cannot install nowhere-at-all: the package index has no version/,
  );
  await host.service.installPackages("dice", { signal, build: true });
  await host.service.enable("dice");
  const seen = String(
    await answerOf((await place.start({ PATH: path, HOME: place.path, ...index }, { hosts: true, path })).host, "roll"),
  );
  assert.match(seen, /"PATH"/);
  assert.doesNotMatch(seen, /NPM_TOKEN|OPENAI_API_KEY/);
});

test("a start shows the fix for a plugin that failed because of a missing package", withPip, async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/dice/plugin.yaml":
        "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\npip_dependencies: [six-sides]\n",
      "home/plugins/dice/__init__.py": DICE,
    },
    "plugins:\n  enabled: [dice]\n",
  );
  const { host } = await place.start({}, { hosts: true, path: process.env["PATH"] ?? "" });
  assert.deepEqual(
    host.notices.map(({ level, hint }) => [level, hint]),
    [["error", "hermes plugins enable dice"]],
  );
});

test(
  "a package that the original bundles is detected by import and installed, unless the plugin has such a module",
  withPip,
  async (t) => {
    const place = setUp(t, {
      "home/plugins/dice/plugin.yaml": "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\n",
      "home/plugins/dice/__init__.py": `import rich\nfrom .late import SIDES\n${DICE.replace("from six_sides import SIDES", "from . import fire")}`,
      "home/plugins/dice/late.py": "def roll():\n    import httpx\n\nSIDES = 6\n",
      "home/plugins/dice/fire.py": "",
      "home/plugins/dice/tests/test_dice.py": "import openai\n",
    });
    const { env: index } = await servePythonIndex(t, join(place.path, "wheels"), [
      { name: "rich", files: { "rich.py": "" } },
      { name: "httpx", files: { "httpx.py": "" } },
    ]);
    const path = process.env["PATH"] ?? "";
    const { host } = await place.start({ PATH: path, HOME: place.path, ...index }, { hosts: true, path });
    const { manifest } = await host.service.info("dice");
    assert.deepEqual(manifest.dependencies, ["httpx", "rich"]);
    await host.service.installPackages("dice", { signal });
    assert.equal((await host.service.enable("dice")).listing.state, "enabled");
  },
);
