import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

// field: P18
test("hermes logs shows where a TypeScript plugin threw: in a tool, a hook and a command", async () => {
  using user = new NewUser();
  user.write("~/.hermes/plugins/boom/plugin.yaml", "name: boom\nversion: 1.0.0\ndescription: Throws.\n");
  user.write(
    "~/.hermes/plugins/boom/index.mjs",
    `function inner(what) { throw new TypeError(what); }
export default (ctx) => {
  ctx.tool({ name: "boom", toolset: "boom", description: "b", effect: "none", input: { type: "object", properties: {} }, execute: async () => inner("in the tool") });
  ctx.register_command("boom", () => inner("in the command"), "Throws");
  ctx.hook("post_tool_call", () => inner("in the hook"));
};
`,
  );
  user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [boom]\n");
  await user.run(["tools", "call", "boom"]);
  await user.run(["chat", "-q", "/boom"]);
  const { out } = await user.run(["logs"]);
  for (const what of ["tool", "hook", "command"])
    assert.match(out, new RegExp(`ERROR .*in the ${what}.*\\n {4}at inner \\(file://.*/boom/index\\.mjs:1:`), out);
});

// field: P09
test("a context engine is chosen by its own setting, and memory setup refuses it", async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/plugins/my-engine/plugin.yaml",
    "name: my-engine\nversion: 1.0.0\ndescription: Mine.\nkind: exclusive\n",
  );
  user.write(
    "~/.hermes/plugins/my-engine/index.mjs",
    `export default (ctx) => ctx.register_context_engine({ name: "my-engine", should_compress: () => false, compress: (messages) => messages });\n`,
  );
  const enabled = await user.run(["plugins", "enable", "my-engine"]);
  assert.match(enabled.out, /Choose it with: hermes config set context\.engine my-engine/);
  const refused = await user.run(["memory", "setup", "my-engine"]);
  assert.equal(refused.status, 2);
  assert.match(
    refused.err,
    /"my-engine" is a context engine, not a memory provider\.\nChoose it with: hermes config set context\.engine my-engine/,
  );
  assert.doesNotMatch(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /provider/);
  assert.equal((await user.run(["config", "set", "context.engine", "my-engine"])).status, 0);
  assert.match((await user.run(["plugins", "list", "--user"])).out, /✓ my-engine +enabled/);
});

// field: P07
test("a plugin.yaml whose description has an unquoted colon is read, with a warning; other mistakes stay errors", async () => {
  using user = new NewUser();
  const write = (yaml: string): void => {
    user.write("~/.hermes/plugins/notes/plugin.yaml", yaml);
    user.write(
      "~/.hermes/plugins/notes/index.mjs",
      `export default (ctx) => ctx.register_command("notes", () => "noted", "Notes");\n`,
    );
  };
  write("name: notes\nversion: 1.0.0\ndescription: Notes: fast and small\nauthor: A: B\n");
  assert.equal((await user.run(["plugins", "enable", "notes"])).status, 0);
  assert.match((await user.run(["plugins", "info", "notes"])).out, /^Notes: fast and small$/m);
  assert.match(
    (await user.run(["plugins", "check", "notes"])).out,
    /plugin\.yaml:3: a text that contains ": " must be in quotes/,
  );
  assert.match((await user.run(["chat", "-q", "/notes"])).out, /noted/);
  write("name: notes\nversion: [1.0.0\ndescription: Notes: fast\n");
  assert.match((await user.run(["plugins", "list", "--user"])).out, /failed/);
});

// field: P04
test("enabling a plugin again registers it afresh: a file that has appeared since adds its tool", async () => {
  using user = new NewUser();
  user.write("~/.hermes/plugins/maybe/plugin.yaml", "name: maybe\nversion: 1.0.0\ndescription: Maybe.\n");
  user.write(
    "~/.hermes/plugins/maybe/index.mjs",
    `import { existsSync } from "node:fs";
export default (ctx) => {
  const tool = (name) => ctx.tool({ name, toolset: "maybe", description: "m", effect: "none", input: { type: "object", properties: {} }, execute: async () => "ok" });
  tool("always");
  if (existsSync(${JSON.stringify(join(user.folder, "there"))})) tool("sometimes");
};
`,
  );
  assert.match((await user.run(["plugins", "enable", "maybe"])).out, /1 tool/);
  user.write("there", "");
  assert.match((await user.run(["plugins", "enable", "maybe"])).out, /2 tools/);
  assert.equal((await user.run(["tools", "call", "sometimes"])).status, 0);
});
