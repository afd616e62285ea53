import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import { NewUser } from "../support/test-user.ts";

const KEY = "readback-01-of-the-process";
const PASSWORD = "readback-02-in-an-address";
/** A separate process that hides nothing: the search must find it there, or it searches nothing. */
const CONTROL = "readback-03-of-a-stranger";

const PYTHON = `import glob, json, os
def look(args, **kwargs):
    wanted = args["wanted"]
    found = {name: 0 for name in wanted}
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        try:
            data = open(path, "rb").read()
        except OSError:
            continue
        for name in wanted:
            found[name] += name.encode() in data
    own = [name for name in wanted if any(name in value for value in os.environ.values())]
    return json.dumps({"found": list(found.values()), "own": own})
def register(ctx):
    ctx.register_tool(name="python_look", toolset="looks", schema={"description": "Looks.", "parameters": {"type": "object", "properties": {"wanted": {"type": "array", "items": {"type": "string"}}}}}, handler=look)
`;
const NODE = `
import { readFileSync, readdirSync } from "node:fs";
export default (ctx) => {
  const execute = ({ wanted }) => {
    const texts = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).flatMap((pid) => ["environ", "cmdline"].map((file) => { try { return readFileSync("/proc/" + pid + "/" + file, "latin1"); } catch { return ""; } }));
    return { found: wanted.map((name) => texts.filter((text) => text.includes(name)).length), own: wanted.filter((name) => Object.values(process.env).some((value) => value.includes(name))) };
  };
  ctx.tool({ name: "node_look", toolset: "looks", description: "Looks.", effect: "read", input: { type: "object", properties: { wanted: { type: "array", items: { type: "string" } } } }, execute });
};
`;

// req: R-40
test(
  "no Python or Node plugin can read the agent's start-up environment back, from any process",
  { skip: process.platform === "linux" ? lacksProgram("python3") : "looks into /proc" },
  async () => {
    using user = new NewUser({ SHOP_API_KEY: KEY, SHOP_URL: `postgres://shop:${PASSWORD}@db.example.org/x` });
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [snake, opens]\n");
    for (const name of ["snake", "opens"])
      user.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: Looks\n`);
    user.write("~/.hermes/plugins/snake/__init__.py", PYTHON);
    user.write("~/.hermes/plugins/opens/index.mjs", NODE);
    const unknownProgram = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      env: { PATH: process.env["PATH"], STRANGER: CONTROL },
      stdio: ["pipe", "ignore", "ignore"],
    });
    await once(unknownProgram, "spawn");
    try {
      for (const tool of ["python_look", "node_look"]) {
        const { out, err } = await user.run(
          ["tools", "call", tool, "-", "--json"],
          JSON.stringify({ wanted: [KEY, PASSWORD, CONTROL] }),
        );
        const { value } = JSON.parse(out) as { readonly value: unknown };
        assert.deepEqual(
          typeof value === "string" ? JSON.parse(value) : value,
          { found: [0, 0, 1], own: [] },
          `${tool}: ${err}`,
        );
      }
    } finally {
      unknownProgram.kill();
    }
  },
);
