import assert from "node:assert/strict";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, setUp, type Files } from "../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, withPython } from "./test/hosts-fixture.ts";

const SCHEMA = `schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **k: "ok"`;
/** A plugin in Python that registers the tool `sometimes` if the expression is true. */
const pythonIf = (condition: string, head = ""): Files =>
  pythonPlugin(
    "maybe",
    pythonCode(
      "import shutil\nfrom pathlib import Path",
      head,
      `def register(ctx):\n    ctx.register_tool(name="always", toolset="maybe", ${SCHEMA})\n    if ${condition}:\n        ctx.register_tool(name="sometimes", toolset="maybe", ${SCHEMA})`,
    ),
  );
const nodeIf = (condition: string, head: string): Files => ({
  "home/plugins/maybe/plugin.yaml": manifest("maybe"),
  "home/plugins/maybe/index.mjs": `${head}
const tool = (name) => ({ name, toolset: "maybe", description: "m", effect: "none", input: { type: "object", properties: {} }, execute: async () => "ok" });
export default async (ctx) => {
  ctx.tool(tool("always"));
  if (${condition}) ctx.tool(tool("sometimes"));
};
`,
});

/** A plugin without a runtime of ours, which reports a lookup if it is asked to. */
const programIf = (condition: string, loaded: string): Files => {
  const code = `#!/usr/bin/env node
import { existsSync } from "node:fs";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const register = (name) => say({ method: "register", params: { plugin: "maybe", kind: "tool", name, handle: "maybe/tool:" + name + "#0", schema: { description: "d", parameters: { type: "object", properties: {} } } } });
const calls = {
  initialize: () => ({ protocol: 1, host: "node", version: "1" }),
  "plugin.load": () => { register("always"); if (${condition}) register("sometimes"); return ${loaded}; },
  shutdown: () => (setTimeout(() => process.exit(0), 20), null),
};
let rest = "";
process.stdin.setEncoding("utf8").on("end", () => process.exit(0)).on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const { id, method } of lines.map((line) => JSON.parse(line)))
    if (id !== undefined && method !== undefined) say({ id, result: calls[method]?.() ?? null });
});
`;
  return {
    "home/plugins/maybe/plugin.yaml": manifest("maybe", "program: [node, ./plugin.mjs]\n"),
    "home/plugins/maybe/plugin.mjs": code,
  };
};

const IN_AGENT = `  entries: { maybe: { host: here } }\n`;

function begin(t: Parameters<typeof setUp>[0], files: (folder: string) => Files, config = "") {
  const place = setUp(t, {}, `${enabled("maybe")}${config}`);
  place.write(files(place.path));
  const env = { PATH: `${join(place.path, "bin")}:${process.env["PATH"]}` };
  return {
    place,
    program(name: string): void {
      place.write({ [`bin/${name}`]: "#!/bin/sh\n" });
      chmodSync(join(place.path, "bin", name), 0o755);
    },
    async start(more: Files = {}) {
      const { host, log } = await place.start({ ...env, ...more }, { hosts: true });
      /** Tools, and how often Hermes has loaded the plugin since the start. */
      const now = () => [
        host.tools.list().map(({ name }) => name),
        log.lines.filter(({ message }) => message.startsWith("Loaded maybe")).length,
      ];
      return { host, now };
    },
  };
}

const BOTH = ["always", "sometimes"];
const cases: readonly (readonly [what: string, files: (folder: string) => Files, config?: string])[] = [
  ["shutil.which", () => pythonIf(`shutil.which("new-program")`)],
  ["which, imported before", () => pythonIf(`which("new-program")`, "from shutil import which")],
  [
    "os.access on PATH",
    () => pythonIf(`any(os.access(os.path.join(d, "new-program"), os.X_OK) for d in os.environ["PATH"].split(":"))`),
  ],
  ["Path.exists", (folder) => pythonIf(`Path(${JSON.stringify(`${folder}/bin/new-program`)}).exists()`)],
  ["os.path.isfile", (folder) => pythonIf(`os.path.isfile(${JSON.stringify(`${folder}/bin/new-program`)})`)],
  ["os.listdir", (folder) => pythonIf(`"new-program" in os.listdir(${JSON.stringify(folder)} + "/bin")`)],
  [
    "existsSync",
    (folder) =>
      nodeIf(`existsSync(${JSON.stringify(`${folder}/bin/new-program`)})`, `import { existsSync } from "node:fs";`),
  ],
  [
    "a search of PATH in Node",
    () =>
      nodeIf(`process.env.PATH.split(":").some((d) => fs.existsSync(d + "/new-program"))`, `import fs from "node:fs";`),
  ],
  [
    "fs.promises",
    (folder) =>
      nodeIf(
        `await stat(${JSON.stringify(`${folder}/bin/new-program`)}).then(() => true, () => false)`,
        `import { stat } from "node:fs/promises";`,
      ),
  ],
  [
    "existsSync, in the agent's process",
    (folder) =>
      nodeIf(`existsSync(${JSON.stringify(`${folder}/bin/new-program`)})`, `import { existsSync } from "node:fs";`),
    IN_AGENT,
  ],
  [
    "readdir after an await, in the agent's process",
    (folder) =>
      nodeIf(
        `(await null, await readdir(${JSON.stringify(`${folder}/bin`)})).includes("new-program")`,
        `import { readdir } from "node:fs/promises";`,
      ),
    IN_AGENT,
  ],
  [
    "a provider that only the agent's process can have",
    (folder) =>
      nodeIf(
        `(ctx.provide("model", { id: "maybe", keyEnv: [], connect: () => ({}) }), fs.existsSync(${JSON.stringify(`${folder}/bin/new-program`)}))`,
        `import fs from "node:fs";`,
      ),
  ],
  [
    "a program that reports its lookup",
    (folder) =>
      programIf(
        `existsSync(${JSON.stringify(`${folder}/bin/new-program`)})`,
        `{ reads: [], lookups: [["path", ${JSON.stringify(`${folder}/bin/new-program`)}, null]] }`,
      ),
  ],
];
for (const [what, files, config] of cases)
  // field: P04
  test(
    `a start registers a plugin again when a program has appeared that it looked up: ${what}`,
    withPython,
    async (t) => {
      const { start, program, place } = begin(t, files, config);
      program("other");
      assert.deepEqual((await start()).now(), [["always"], 1]);
      assert.deepEqual((await start()).now(), [["always"], 0]);
      program("new-program");
      assert.deepEqual((await start()).now(), [BOTH, 1]);
      assert.deepEqual((await start()).now(), [BOTH, 0]);
      rmSync(join(place.path, "bin/new-program"));
      assert.deepEqual((await start()).now(), [["always"], 1]);
    },
  );

// field: P04
test(
  "/reload registers a plugin again when a file that it read has changed, or when it ran a program",
  withPython,
  async (t) => {
    const { start, place } = begin(t, (folder) =>
      pythonIf(`"on" in Path(${JSON.stringify(`${folder}/mode.txt`)}).read_text()`),
    );
    place.write({ "mode.txt": "off" });
    const { host, now } = await start();
    const reload = async () => (await host.service.reload()).started.map(({ key }) => key);
    assert.deepEqual([await reload(), now()], [[], [["always"], 1]]);
    place.write({ "mode.txt": "switched on" });
    assert.deepEqual([await reload(), now()], [["maybe"], [BOTH, 2]]);
    const code = (mode: string) =>
      pythonIf(`subprocess.run(["cat", ${JSON.stringify(mode)}], stdout=-1).stdout == b"on"`, "import subprocess");
    place.write({ ...code(`${place.path}/mode`), mode: "off" });
    assert.deepEqual([await reload(), now()], [["maybe"], [["always"], 3]]);
    place.write({ mode: "on" });
    assert.deepEqual([await reload(), now()], [["maybe"], [BOTH, 4]]);
  },
);

// field: P04
test("/reload always registers a program again that does not report its lookups", async (t) => {
  const { start, place } = begin(t, (folder) => programIf(`existsSync(${JSON.stringify(`${folder}/there`)})`, "null"));
  const { host, now } = await start();
  assert.deepEqual(now(), [["always"], 1]);
  place.write({ there: "" });
  assert.deepEqual(
    (await host.service.reload()).started.map(({ key }) => key),
    ["maybe"],
  );
  assert.deepEqual(now(), [BOTH, 2]);
});

// field: P04
test("a tool that a plugin no longer registers is not offered at the next start", withPython, async (t) => {
  const { start, place } = begin(t, (folder) =>
    // Without a lookup that Hermes sees.
    pythonIf(`__import__("posix").access(${JSON.stringify(`${folder}/there`)}, 0)`),
  );
  place.write({ there: "" });
  await start();
  rmSync(join(place.path, "there"));
  const stale = await start();
  assert.deepEqual(stale.now(), [BOTH, 0]);
  await assert.rejects(
    Promise.resolve(stale.host.tools.get("sometimes")?.load()),
    /no longer registers the tool "sometimes"/,
  );
  assert.deepEqual((await start()).now(), [["always"], 0]);
});

test(
  "a file that a plugin changes itself stops causing registrations, but /reload still compares it",
  withPython,
  async (t) => {
    const { start, place } = begin(t, (folder) =>
      pythonIf(`Path(${JSON.stringify(`${folder}/state`)}).read_text() == "on"`),
    );
    const loads: unknown[] = [];
    for (let run = 0; run < 6; run += 1) {
      place.write({ state: "x".repeat(run) });
      loads.push((await start()).now()[1]);
    }
    assert.deepEqual(loads, [1, 1, 1, 1, 0, 0]);
    const { host, now } = await start();
    place.write({ state: "on" });
    await host.service.reload();
    assert.deepEqual(now(), [BOTH, 1]);
  },
);

// field: P04
test("a plugin in Node registers again when a variable that it read changes, and its own settings of variables stay", async (t) => {
  const { start } = begin(t, () =>
    nodeIf(
      `process.env.MAYBE_MODE === "on"`,
      `process.env.MAYBE_OWN = "1";\nif (process.env.MAYBE_OWN !== "1") throw new Error("lost");`,
    ),
  );
  assert.deepEqual((await start()).now(), [["always"], 1]);
  assert.deepEqual((await start()).now(), [["always"], 0]);
  assert.deepEqual((await start({ MAYBE_MODE: "on" })).now(), [BOTH, 1]);
});

// field: P04
test("installing a package that a Python plugin failed to import registers the plugin again", withPython, async (t) => {
  const place = setUp(t, {}, enabled("maybe"));
  const site = join(place.path, "lib/site-packages");
  place.write({
    ...pythonIf("found", "try:\n    import newly_installed\n    found = True\nexcept ImportError:\n    found = False"),
    "lib/site-packages/other.py": "",
  });
  const names = async () => {
    const { host } = await place.start({ PYTHONPATH: site, PATH: String(process.env["PATH"]) }, { hosts: true });
    return host.tools.list().map(({ name }) => name);
  };
  assert.deepEqual(await names(), ["always"]);
  place.write({ "lib/site-packages/newly_installed/__init__.py": "" });
  assert.deepEqual(await names(), BOTH);
});
