import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";

const PASSWORD = "hunter2hunter2";
const KEY = "abcdef0123456789";
const ENV_FILE = `DB_PASSWORD=${PASSWORD}\nNAME=x\nAPI_KEY='${KEY}' # of the lab\nMODE=fast`;
const MASKED_ENV = "DB_PASSWORD=***\nNAME=x\nAPI_KEY='***' # of the lab\nMODE=fast";
const VALUE = { settings: { api_key: KEY, token_count: 5 }, env: [ENV_FILE], list: [{ name: "API_KEY", value: KEY }] };
const MASKED_VALUE = {
  settings: { api_key: "***", token_count: 5 },
  env: [MASKED_ENV],
  list: [{ name: "API_KEY", value: "***" }],
};

/** The same value as an object, as JSON, as JSON in JSON, and as what a tool in the original's form returns. */
const PLUGIN = `
import { appendFileSync, readFileSync } from "node:fs";
const value = JSON.parse(readFileSync(process.env.HOME + "/value.json", "utf8"));
const form = (name, execute, more = {}) => ({ name, toolset: "forms", description: "Shows settings.", effect: "none", input: { type: "object", properties: {} }, execute, ...more });
export default (ctx) => {
  ctx.hook("transform_terminal_output", ({ value }) => void appendFileSync(process.env.HOME + "/told.jsonl", JSON.stringify({ terminal: value }) + "\\n"));
  ctx.tool(form("as_object", () => value));
  ctx.tool(form("as_json", () => JSON.stringify(value), { toModel: (text) => text }));
  ctx.tool(form("as_nested_json", () => ({ body: JSON.stringify(value) })));
  ctx.tool(form("as_parts", () => value, { toModel: (made) => [{ type: "text", text: JSON.stringify(made, null, 2) }] }));
  ctx.tool(form("as_failure", () => { throw new Error("cannot read " + value.env[0]); }));
  ctx.register_tool({ name: "as_original", schema: { description: "Shows settings.", parameters: { type: "object", properties: {} } }, handler: () => JSON.stringify(value) });
};
`;

const PYTHON = `import json, os
def show(args, **_):
    with open(os.path.join(os.environ["HOME"], "value.json")) as file:
        return json.dumps(json.load(file))
def register(ctx):
    ctx.register_tool(name="as_python", toolset="snake", schema={"name": "as_python", "description": "Shows settings.", "parameters": {"type": "object", "properties": {}}}, handler=show)
`;

function scene(extra = "", enabled = "[forms]"): NewUser {
  const user = new NewUser();
  user.write("c.env.txt", ENV_FILE);
  user.write("settings.json", `{"api_key": "${KEY}", "max_tokens": 4096}\n`);
  user.write("~/value.json", JSON.stringify(VALUE));
  user.write("~/.hermes/config.yaml", `plugins:\n  enabled: ${enabled}\n${extra}`);
  user.write("~/.hermes/plugins/forms/plugin.yaml", "name: forms\nversion: 1.0.0\ndescription: Shows settings.\n");
  user.write("~/.hermes/plugins/forms/index.mjs", PLUGIN);
  return user;
}

const call = async (user: NewUser, tool: string, args: object = {}): Promise<string> =>
  (await user.run(["--yolo", "tools", "call", tool, JSON.stringify(args)])).out.trimEnd();

// field: F01, F02
test("masks only the secrets in a tool's result, for every tool and format", async () => {
  using user = scene();
  const terminal = JSON.parse(await call(user, "terminal", { command: "cat c.env.txt settings.json" }));
  assert.equal(terminal.output, `${MASKED_ENV}{"api_key": "***", "max_tokens": 4096}`);
  const { content } = JSON.parse(await call(user, "read_file", { path: "settings.json" }));
  assert.equal(content, '1|{"api_key": "***", "max_tokens": 4096}\n2|');
  const { matches } = JSON.parse(await call(user, "search_files", { pattern: "api_key|API_KEY", path: "." }));
  assert.deepEqual(matches.map((match: { readonly content: string }) => match.content).toSorted(), [
    "API_KEY='***' # of the lab",
    '{"api_key": "***", "max_tokens": 4096}',
  ]);
  if (NO_PYTHON === false) {
    const ran = JSON.parse(await call(user, "execute_code", { code: 'print(open("c.env.txt").read())' }));
    assert.equal(ran.output.trimEnd(), MASKED_ENV);
  }
  assert.equal(await call(user, "as_object"), JSON.stringify(MASKED_VALUE));
  assert.equal(await call(user, "as_json"), JSON.stringify(MASKED_VALUE));
  assert.equal(await call(user, "as_nested_json"), JSON.stringify({ body: JSON.stringify(MASKED_VALUE) }));
  assert.equal(await call(user, "as_parts"), JSON.stringify(MASKED_VALUE, null, 2));
  assert.equal(await call(user, "as_original"), JSON.stringify(MASKED_VALUE));
  const failed = await user.run(["tools", "call", "as_failure", "{}"]);
  assert.ok(`${failed.out}${failed.err}`.includes("DB_PASSWORD=***"), failed.err);
  assert.ok(!`${failed.out}${failed.err}`.includes(PASSWORD));
});

// field: F01
test("masks the result of a Python plugin's tool like any other", { skip: NO_PYTHON }, async () => {
  using user = scene("", "[forms, snake]");
  user.write("~/.hermes/plugins/snake/plugin.yaml", "name: snake\nversion: 1.0.0\ndescription: Shows settings.\n");
  user.write("~/.hermes/plugins/snake/__init__.py", PYTHON);
  assert.deepEqual(JSON.parse(await call(user, "as_python")), MASKED_VALUE);
});

// field: F01
test("masks the result of an MCP server's tool like any other", async () => {
  const server = join(import.meta.dirname, "../../servers/mcp-package.ts");
  using user = scene(
    `mcp_discovery_timeout: 60\nmcp_servers:\n  good:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([server])}\n`,
  );
  for (const [text, masked] of [
    [ENV_FILE, MASKED_ENV],
    [JSON.stringify(VALUE), JSON.stringify(MASKED_VALUE)],
  ] as const) {
    const shown = await call(user, "mcp__good__echo", { text });
    assert.ok(!shown.includes(PASSWORD) && !shown.includes(KEY), shown);
    assert.ok(shown.includes(JSON.stringify(masked).slice(1, -1)), shown);
  }
});

// field: F01
test("requests, hook payloads, exports, logs and the store contain only masked text", async () => {
  await using server = await startOpenAiServer([
    { calls: ["as_object", "as_json", "as_failure"].map((tool) => ({ tool, args: {} })) },
    { calls: [{ tool: "terminal", args: { command: "cat c.env.txt" } }] },
    { text: "Done." },
  ]);
  using user = scene();
  user.connect(
    "custom",
    server.url,
    "plugins:\n  enabled: [forms]\nhooks:\n  post_tool_call:\n    - command: ~/hook.sh\n",
  );
  chmodSync(user.write("~/hook.sh", "#!/bin/sh\ncat >> ~/told.jsonl; echo >> ~/told.jsonl\n"), 0o755);
  const chat = await user.run(["--accept-hooks", "--yolo", "chat", "-Q", "-q", "look"]);
  assert.equal(chat.status, 0, chat.err);
  const last = JSON.parse(server.requests.at(-1)!.body) as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  const shown = last.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  assert.equal(shown[0], JSON.stringify(MASKED_VALUE));
  assert.equal(shown[1], JSON.stringify(MASKED_VALUE));
  assert.ok(shown[2]!.includes("DB_PASSWORD=***\\nNAME=x"), shown[2]);
  assert.equal(JSON.parse(shown[3]!).output, MASKED_ENV);
  const [session] = JSON.parse((await user.run(["sessions", "list", "--json"])).out) as readonly {
    readonly id: string;
  }[];
  const exported = await user.run(["sessions", "export", session!.id, "--format", "jsonl"]);
  assert.equal(exported.status, 0, exported.err);
  const outputs = [
    chat.out,
    exported.out,
    (await user.run(["sessions", "export", session!.id, "--format", "md"])).out,
    (await user.run(["logs", "agent", "--json"])).out,
    ...filesBelow(user.agentHome).map((file) => readFileSync(file, "latin1")),
    existsSync(join(user.home, "told.jsonl"))
      ? readFileSync(join(user.home, "told.jsonl"), "utf8")
      : assert.fail("no hook ran"),
  ];
  for (const line of exported.out.trim().split("\n")) JSON.parse(line);
  assert.ok(outputs.some((text) => text.includes("DB_PASSWORD=***")));
  assert.ok(outputs.at(-1)!.includes(JSON.stringify({ terminal: MASKED_ENV })), "the hook for terminal output ran");
  for (const text of outputs)
    for (const secret of [PASSWORD, KEY])
      assert.ok(!text.includes(secret), text.slice(Math.max(0, text.indexOf(secret) - 300), text.indexOf(secret) + 40));
});

// field: S05
test("finds a stored key in the base64 of a larger stream, at each alignment and across line breaks", async () => {
  using user = scene();
  const key = "k3y-of-the-lab-77AA88bb99";
  user.write("~/.hermes/.env", `LAB_API_KEY=${key}\n`);
  for (const lead of ["", "x", "xy"]) {
    user.write("stream.txt", `${lead}${"a".repeat(45)}${key}\n${"b".repeat(90)}\n`);
    const plain = Buffer.from(readFileSync(join(user.folder, "stream.txt")));
    for (const command of ["base64 stream.txt", "base64 -w0 stream.txt", "base64 -w 64 stream.txt"]) {
      const { output } = JSON.parse(await call(user, "terminal", { command }));
      const before = plain.toString("base64");
      assert.ok(output.includes("[REDACTED]"), command);
      const first = output.indexOf("[REDACTED]");
      // What comes before it is as `base64` wrote it, and nothing of the key can be read from the rest.
      assert.equal(
        output.slice(0, first).replaceAll("\n", ""),
        before.slice(0, output.slice(0, first).replaceAll("\n", "").length),
      );
      assert.ok(output.replaceAll("\n", "").endsWith(before.slice(-80)), output);
      const rest = output
        .replaceAll("\n", "")
        .split("[REDACTED]")
        .map((text: string) => Buffer.from(text, "base64").toString("latin1"));
      assert.ok(
        !rest.some((text: string) => text.includes(key.slice(2, 8)) || text.includes(key.slice(-8, -2))),
        command,
      );
    }
  }
});

// field: S05
test("masks the file with overlong output like the shown part", async () => {
  using user = scene();
  const key = "k3y-of-the-lab-77AA88bb99";
  user.write("~/.hermes/.env", `LAB_API_KEY=${key}\n`);
  user.write("stream.txt", `${"a".repeat(300_000)}${key}\n${"b".repeat(300_000)}${key}`);
  const { output } = JSON.parse(await call(user, "terminal", { command: "cat c.env.txt; base64 stream.txt" }));
  const path = /all of it: (\S+\.txt)/.exec(output)?.[1] ?? assert.fail(output.slice(0, 2000));
  const saved = readFileSync(path, "utf8");
  assert.ok(saved.startsWith(`${MASKED_ENV}`) && saved.length > 700_000, saved.slice(0, 200));
  assert.equal(saved.replaceAll("\n", "").split(/(?:\[REDACTED\])+/).length, 3);
  for (const file of filesBelow(user.agentHome).filter((name) => !name.endsWith("/.env"))) {
    const text = readFileSync(file, "latin1").replaceAll("\n", "");
    for (const form of [key, ...inBase64(key)]) assert.ok(!text.includes(form), file);
  }
});

/** In base64, at each alignment, without line breaks. */
const inBase64 = (secret: string): readonly string[] =>
  ["", "a", "ab"].map((lead) =>
    Buffer.from(lead + secret)
      .toString("base64")
      .slice(4, -4),
  );

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("plugins"))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
