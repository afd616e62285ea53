import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { cloneInto, Machine } from "../support/packaged.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CAN_BUILD =
  existsSync(join(ROOT, ".git")) && existsSync(join(ROOT, "node_modules/rolldown"))
    ? false
    : "this is no clone, or it has no bundler";
const PLUGIN = `import { defineTool, ToolFailure } from "hermes-agent/plugin";
export default function register(ctx) {
  ctx.tool(defineTool({
    name: "own_trace", toolset: "own", description: "Shows where the agent runs.", effect: "none",
    input: { type: "object", properties: {} },
    async execute() { return { door: import.meta.resolve("hermes-agent/plugin"), failure: new ToolFailure("x").name }; },
  }));
}
`;

// field: T16
test(
  "a clone runs from a build of its sources, with its plugins, until a source changes",
  { skip: CAN_BUILD },
  async () => {
    using machine = new Machine();
    const clone = machine.folder("clone");
    cloneInto(clone);
    const modules = machine.folder("clone", "node_modules");
    for (const name of readdirSync(join(ROOT, "node_modules")))
      if (!name.startsWith(".hermes")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
    writeFileSync(join(modules, ".hermes-user"), `${process.execPath}\n`);
    machine.write(
      "~/.hermes/plugins/own/plugin.yaml",
      "name: own\nversion: 1.0.0\ndescription: x\nprovides_tools: [own_trace]\n",
    );
    machine.write("~/.hermes/plugins/own/index.ts", PLUGIN);
    const hermes = (...args: readonly string[]) =>
      machine.run(join(clone, "hermes"), args, `${dirname(process.execPath)}:${process.env["PATH"]}`, {
        HERMES_CLONE_BUILD: "use",
      });
    assert.equal((await hermes("plugins", "enable", "own")).status, 0);
    const bySource = await hermes("tools", "list", "--json");
    assert.equal(bySource.status, 0, bySource.err);

    const built = spawnSync(process.execPath, [join(clone, "scripts/clone/make-build.ts")], { encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
    assert.match((await hermes("doctor")).out, /start +from a build that matches the sources/);
    assert.equal((await hermes("tools", "list", "--json")).out, bySource.out);
    const traced = JSON.parse((await hermes("tools", "call", "own_trace", "{}")).out) as { readonly door: string };
    assert.match(traced.door, /\/\.cache\/build\/[^/]+\/dist\/plugin\.js$/);
    machine.write("notes.txt", "hello");
    assert.match((await hermes("chat", "-q", "list the files here")).out, /notes\.txt/);

    const main = join(clone, "src/main.ts");
    writeFileSync(main, `${readFileSync(main, "utf8")}\nconsole.log("edited");\n`);
    assert.match((await hermes("tools", "list")).out, /edited\n$/);
    assert.match((await hermes("doctor")).out, /start +from the sources, which is slower: src\/main\.ts has changed/);
  },
);
