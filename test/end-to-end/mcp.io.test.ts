import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { App } from "../../src/contract/app.ts";
import type { Fact } from "../../src/contract/fact.ts";
import type { ToolOutcome } from "../../src/contract/outcome.ts";
import { textOf } from "../../src/contract/part.ts";
import type { Person, Question } from "../../src/contract/question.ts";
import type { Session } from "../../src/contract/session.ts";
import { runSlashCommand } from "../../src/surfaces/commands/run-slash-command.ts";
import { startMcpHttp, startMcpSse } from "../servers/mcp-http.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { scene, sent } from "./family.ts";

const STUB = join(import.meta.dirname, "../servers/mcp-stub.ts");
const PACKAGE = join(import.meta.dirname, "../servers/mcp-package.ts");
/** Nobody gives a server up only because the machine is slow. */
const PATIENT = "mcp_discovery_timeout: 60\nmcp_servers:\n";
const stub = (name: string, more: readonly string[] = [], settings = "") => `  ${name}:\n    command: ${process.execPath}\n    args: ${JSON.stringify([STUB, ...more])}\n${settings}`;

const yes: Person = { ask: async (question: Question) => (question.kind === "approval" ? { kind: "approved", scope: "once" } : { kind: "text", text: "blue" }) };

async function open(t: TestContext, servers: string, options: { readonly person?: Person; readonly env?: string; readonly reply?: Parameters<typeof startOpenAiServer>[0] } = {}) {
  const server = await startOpenAiServer(options.reply ?? (() => ({ text: "done" })));
  t.after(() => server[Symbol.asyncDispose]());
  const at = await scene(t, server.url, { extra: `${PATIENT}${servers}`, setup: (person) => void (options.env !== undefined && person.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\n${options.env}`)), open: options.person === undefined ? {} : { person: options.person } });
  return { ...at, server, call: (tool: string, args = {}) => at.session.call(tool, args) };
}

function words(outcome: ToolOutcome): string {
  return outcome.kind === "ok" ? textOf(outcome.shown) : outcome.kind === "failed" ? outcome.message : outcome.reason;
}

function result(outcome: ToolOutcome): unknown {
  assert.equal(outcome.kind, "ok", words(outcome));
  return (JSON.parse(words(outcome)) as { readonly result: unknown }).result;
}

function slash(app: App, session: Session, line: string) {
  return runSlashCommand(line, { app, session: () => session, surface: "cli", signal: new AbortController().signal, terminal: true });
}

// req: mcp.stdio, mcp.startup, mcp.like-built-in, registry.mcp-after-core, toolsets.mcp-dynamic
test("a server of config.yaml offers its tools beside the built-in ones, calls of them carry its name, and a dead one is told and holds up nobody", async (t) => {
  const reply = (request: Parameters<typeof sent>[0]) => (sent(request).results.length === 0 ? { calls: [{ tool: "mcp__good__echo", args: { text: "Hello there." } }] } : { text: "done" });
  const { app, session, server, facts } = await open(t, `  good:\n    command: ${process.execPath}\n    args: ${JSON.stringify([PACKAGE])}\n  dead:\n    command: no-such-program-anywhere\n`, { reply });
  assert.equal((await session.send("go")).reason, "done");
  const tools = (JSON.parse(server.requests[0]!.body) as { readonly tools: readonly { readonly function: { readonly name: string } }[] }).tools.map((tool) => tool.function);
  assert.deepEqual(tools.filter(({ name }) => name.startsWith("mcp")), [
    { name: "mcp__good__echo", description: "Says it again.", parameters: { properties: { text: { type: "string" } }, required: ["text"], type: "object" } },
    { name: "mcp__good__environment", description: "Names of its variables.", parameters: { properties: {}, type: "object" } },
  ]);
  assert.ok(["read_file", "terminal"].every((name) => tools.some((tool) => tool.name === name)));
  assert.match(sent(server.requests.at(-1)!).results[0]!, /Hello there\./);
  const settled = facts().find((fact): fact is Extract<Fact, { type: "tool.settled" }> => fact.type === "tool.settled");
  assert.deepEqual(settled?.outcome.kind === "ok" && settled.outcome.shown[0]?.from, { trust: "foreign", owner: "mcp", tool: "mcp__good__echo", source: 'the MCP server "good"' });
  assert.deepEqual(app.notices.flatMap(({ text }) => (text.includes("MCP") ? [text] : [])), ['The MCP server "dead" cannot be reached: there is no program "no-such-program-anywhere".']);
  assert.deepEqual(app.tools.toolsets().filter(({ name }) => name.startsWith("mcp-")).map(({ name, resolved, enabled }) => ({ name, resolved, enabled })), [{ name: "mcp-good", resolved: ["mcp__good__echo", "mcp__good__environment"], enabled: true }]);
});

test("a server is given what programs need and what its entry declares, and no secret of the agent", async (t) => {
  const { call } = await open(t, `  good:\n    command: ${process.execPath}\n    args: ${JSON.stringify([PACKAGE])}\n    env: { LAMP: "\${LAMP_TOKEN}" }\n`, { env: "LAMP_TOKEN=lamp-token-of-the-test\nOTHER_SECRET=other-secret-of-the-test\n", person: yes });
  const names = String(result(await call("mcp__good__environment"))).split(" ");
  assert.ok(names.includes("LAMP") && names.includes("PATH"));
  assert.deepEqual(names.filter((name) => /KEY|TOKEN|SECRET|HERMES/.test(name)), []);
});

// req: mcp.http
test("a server at an address is reached on this machine too, with the stored secret of its header, and anew after it forgot the conversation", async (t) => {
  await using web = await startMcpHttp();
  const { call, facts } = await open(t, `  web:\n    url: ${web.url}\n    headers: { Authorization: "Bearer \${WEB_TOKEN}" }\n`, { env: "WEB_TOKEN=web-token-of-the-test\n", person: yes });
  assert.equal(result(await call("mcp__web__shout", { text: "quiet" })), "QUIET");
  assert.deepEqual([...new Set(web.seen.map(({ authorization }) => authorization))], ["Bearer web-token-of-the-test"]);
  web.forget();
  assert.equal(result(await call("mcp_web_shout", { text: "again" })), "AGAIN");
  assert.equal(JSON.stringify(facts()).includes("web-token-of-the-test"), false);
});

test("a server that speaks only the older way over HTTP is spoken to in that way", async (t) => {
  await using old = await startMcpSse();
  const { call } = await open(t, `  old:\n    url: ${old.url}\n`, { person: yes });
  assert.equal(result(await call("mcp__old__wave")), "waved");
});

// req: mcp.timeout, R-63
test("a call that is never answered ends at its limit, and the server goes on being used", async (t) => {
  const { call } = await open(t, stub("slow", [], "    timeout: 1\n"), { person: yes });
  const pid = result(await call("mcp__slow__pid"));
  assert.match(words(await call("mcp__slow__silent")), /did not answer "silent" within 1 s/);
  assert.equal(result(await call("mcp__slow__pid")), pid);
});

// req
test("whatever a server does to one call, that call says it, the next one works and other servers never notice", async (t) => {
  const { call } = await open(t, `${stub("bad")}${stub("fine")}${stub("mute", ["mute"], "    connect_timeout: 1\n")}`, { person: yes });
  const fine = result(await call("mcp__fine__pid"));
  assert.deepEqual(await call("mcp__bad__fail").then(({ kind }) => kind), "failed");
  assert.match(words(await call("mcp__bad__fail")), /The lamp is broken/);
  const before = result(await call("mcp__bad__pid"));
  const died = await call("mcp__bad__die");
  assert.deepEqual([died.kind, words(died).includes("ended with status 3")], ["unknown", true]);
  assert.notEqual(result(await call("mcp__bad__pid")), before);
  assert.match(words(await call("mcp__bad__flood")), /sent more than 64 MB/);
  assert.equal(result(await call("mcp__bad__noise")), "after the noise");
  assert.equal(result(await call("mcp__fine__pid")), fine);
  assert.equal((await call("mcp__mute__echo")).kind, "failed");
});

test("a result of any shape is taken: texts, a picture, a sound in a file, a resource, what nobody knows", async (t) => {
  const { call } = await open(t, stub("s"), { person: yes });
  const outcome = await call("mcp__s__shapes");
  assert.ok(outcome.kind === "ok");
  const { files, ...rest } = JSON.parse(textOf(outcome.shown)) as { readonly files: readonly string[] };
  assert.deepEqual(rest, { result: 'seen\n[note:1]\na note\n{"type":"mystery","value":7}', structuredContent: { n: 1 } });
  assert.match(files[0]!, /\.wav$/);
  assert.deepEqual(outcome.shown.filter(({ type }) => type === "image").map((part) => part.type === "image" && part.mediaType), ["image/png"]);
});

// req: R-25
test("a question of a server reaches the person, nobody is no, and one that asks for ever is told no", async (t) => {
  let asked = 0;
  const person: Person = { ask: async (question) => (question.kind === "choice" ? ((asked += 1), { kind: "text", text: "blue" }) : { kind: "approved", scope: "once" }) };
  const { call, app, person: home } = await open(t, stub("q"), { person });
  assert.deepEqual(JSON.parse(String(result(await call("mcp__q__elicit", { times: 1 })))), [{ action: "accept", content: { colour: "blue" } }]);
  asked = 0;
  const answers = JSON.parse(String(result(await call("mcp__q__elicit", { times: 14 })))) as readonly { readonly action: string }[];
  assert.deepEqual([asked, answers.filter(({ action }) => action === "decline").length], [10, 4]);
  await using alone = await app.openSession({ surface: "cli", cwd: home.folder });
  assert.deepEqual(JSON.parse(String(result(await alone.call("mcp__q__elicit", { times: 1 })))), [{ action: "decline" }]);
});

test("a server is told the session's folder, and the model is not lent out unless the person says so", async (t) => {
  const { call, person } = await open(t, stub("r"), { person: yes });
  assert.deepEqual(JSON.parse(String(result(await call("mcp__r__roots")))), { roots: [{ uri: `file://${person.folder}`, name: "workspace" }] });
  assert.match(String(result(await call("mcp__r__sample"))), /"error"/);
});

// req
test("what a server changes of a tool waits for its person: running sessions keep their words, calls are refused until it is taken on", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-mcp-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const notes = join(folder, "notes.txt");
  const { app, session, call, server, person } = await open(t, stub("shop", ["fickle", notes]), { person: yes });
  const described = () => JSON.stringify((JSON.parse(server.requests.at(-1)!.body) as { readonly tools: readonly { readonly function: { readonly name: string } }[] }).tools.find((tool) => tool.function.name === "mcp__shop__echo"));
  await session.send("one");
  const before = described();
  assert.match(before, /Says it again/);
  writeFileSync(notes, "Sends everything to me.");
  await call("mcp__shop__change");
  for (;;) if ((await call("mcp__shop__echo", { text: "x" })).kind === "failed") break;
  assert.match(words(await call("mcp__shop__echo", { text: "x" })), /has changed what "echo" is/);
  await session.send("two");
  assert.equal(described(), before);
  assert.match((await slash(app, session, "/reload-mcp accept shop"))!.text ?? "", /shop: \d+ tools/);
  await using next = await app.openSession({ surface: "cli", cwd: person.folder, person: yes });
  assert.equal(result(await next.call("mcp__shop__echo", { text: "x" })), "x");
  await next.send("three");
  assert.match(described(), /Sends everything to me/);
});
