import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { textOf } from "../../../src/contract/conversation/part.ts";
import { shownOf, toSettled } from "../../../src/contract/tools/outcome.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import { NewUser } from "../support/test-user.ts";

/** Answers a call with the name that was called. Arguments: the protocol version, then the names of its tools. */
const SERVER = `
import { createInterface } from "node:readline";
const [protocolVersion, ...names] = process.argv.slice(2);
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
  else if (method === "tools/list") answer(id, { tools: names.map((name) => ({ name, description: "Does it.", inputSchema: { type: "object" } })) });
  else if (method === "tools/call" && params.name === "breaks") answer(id, { isError: true, content: [{ type: "text", text: "Refused." }], structuredContent: { code: "E42", retry_after: 7 } });
  else if (method === "tools/call") answer(id, { content: [{ type: "text", text: params.name }] });
}
`;

const yes: Prompter = {
  ask: async (question) =>
    question.kind === "approval" ? { kind: "approved", scope: "once" } : { kind: "none", reason: "nobody" },
};

function userWith(servers: { readonly [name: string]: readonly string[] }): NewUser {
  const user = new NewUser();
  const file = user.write("server.mjs", SERVER);
  const entries = Object.entries(servers).map(
    ([name, args]) =>
      `  ${name}:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([file, ...args])}\n`,
  );
  user.write("~/.hermes/config.yaml", `mcp_discovery_timeout: 60\nmcp_servers:\n${entries.join("")}`);
  return user;
}

const openHome = (user: NewUser) =>
  openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });

/** The result of each MCP tool that is offered, by its name for the model. */
async function answers(user: NewUser): Promise<{ readonly [name: string]: string }> {
  await using app = await openHome(user);
  await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: yes });
  const found: { [name: string]: string } = {};
  for (const { declaration } of await app.tools.list({ surface: "cli", prompter: true }))
    if (declaration.name.startsWith("mcp__"))
      found[declaration.name] = (
        JSON.parse(textOf(shownOf(toSettled(await session.call(declaration.name, {}))))) as { readonly result: string }
      ).result;
  return found;
}

// field: P16
test("tools whose names the model cannot write stay distinct: each calls itself, and its original name is shown", async () => {
  const names = ["查询天气", "发送邮件", "删除文件", "file.read", "file-read", "file_read", "only.one", "🔥", "..."];
  using user = userWith({ shop: ["2025-06-18", ...names] });
  const found = await answers(user);
  assert.deepEqual(Object.values(found).sort(), [...names].sort());
  assert.deepEqual([found["mcp__shop__file_read"], found["mcp__shop__only_one"]], ["file_read", "only.one"]);
  const digested = Object.keys(found).filter((name) => /^mcp__shop__(tool|file_read)_[0-9a-f]{8}$/.test(name));
  assert.equal(digested.length, 7, Object.keys(found).join(" "));
  const tested = await user.run(["mcp", "test", "shop"]);
  for (const name of names) assert.ok(tested.out.includes(`✓ ${name} `), `${name}: ${tested.out}`);
  assert.match(tested.out, /✓ 删除文件 \(as mcp__shop__tool_[0-9a-f]{8}\) /);
  assert.match(tested.err, /The tools "file-read", "file\.read", "file_read" would have the same name for the model/);
  const { tools } = JSON.parse((await user.run(["mcp", "test", "shop", "--json"])).out) as {
    readonly tools: readonly { readonly name: string; readonly calledAs: string }[];
  };
  assert.deepEqual(Object.fromEntries(tools.map(({ name, calledAs }) => [calledAs, name])), found);
  const shown = await user.run(["tools", "show", digested[0]!]);
  assert.match(shown.out, /\(its name on the server: .+\)/);
});

// field: P16
test("tools of servers with similar names stay distinct, and names stay the same at the next start", async () => {
  using user = userWith({
    "my-db": ["2025-06-18", "run"],
    my_db: ["2025-06-18", "run", "b__c"],
    my_db__b: ["2025-06-18", "c"],
  });
  const found = await answers(user);
  assert.deepEqual(Object.values(found).sort(), ["b__c", "c", "run", "run"]);
  assert.deepEqual(await answers(user), found);
});

// field: P17
test("a failed MCP call reports its text and its structured content", async () => {
  using user = userWith({ shop: ["2025-06-18", "breaks"] });
  await using app = await openHome(user);
  await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: yes });
  const outcome = await session.call("mcp__shop__breaks", {});
  assert.ok(outcome.kind === "failed", JSON.stringify(outcome));
  assert.equal(outcome.message, 'Refused.\n{"code":"E42","retry_after":7}');
});

// field: P14
test("a server that never answers delays neither the end of a command nor a list of tools, which shows its state", async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/config.yaml",
    "mcp_discovery_timeout: 0.2\nmcp_servers:\n  dead:\n    command: sleep\n    args: ['1000']\n",
  );
  // The test's own limit for a run is half of the time that Hermes waits for a server.
  const list = await user.run(["tools", "list"]);
  assert.match(list.err, /Still connecting to "dead"/);
  const again = await user.run(["tools", "list"]);
  assert.match(again.err, /The MCP server "dead" did not answer at the last attempt/);
  const chat = await user.run(["chat", "-q", "run echo went"]);
  assert.match(chat.out, /went/);
  assert.doesNotMatch(list.err + again.err + chat.err, /was closed/);
});

// field: P15
test("hermes mcp test reports a server that cannot be used in one line with what to do", async () => {
  using user = userWith({ old: ["1999-01-01", "run"] });
  await user.run(["config", "set", "security.allow_private_urls", "true"]);
  await user.run(["config", "set", "mcp_servers.gone.command", "no-such-program"]);
  await user.run(["config", "set", "mcp_servers.shut.url", "http://127.0.0.1:1/mcp"]);
  for (const [name, message] of [
    ["gone", /there is no program "no-such-program"\.\nCheck mcp_servers\.gone with `hermes config edit`\./],
    ["shut", /unreachable: .*\nCheck that the server runs at http:\/\/127\.0\.0\.1:1\/mcp/],
    ["old", /unreachable: .*(version|protocol).*1999-01-01.*\nCheck mcp_servers\.old/i],
  ] as const) {
    const { status, err } = await user.run(["mcp", "test", name]);
    assert.equal(status, 1, err);
    assert.match(err, message);
    assert.equal(err.trimEnd().split("\n").length, 2, err);
  }
});
