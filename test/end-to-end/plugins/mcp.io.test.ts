import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import type { App } from "../../../src/contract/services/app.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import type { ToolOutcome } from "../../../src/contract/tools/outcome.ts";
import { textOf } from "../../../src/contract/conversation/part.ts";
import type { Prompter, Question } from "../../../src/contract/conversation/question.ts";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { runSlashCommand } from "../../../src/surfaces/shared/commands/run-slash-command.ts";
import { startMcpHttp, startMcpSse } from "../../servers/mcp-http.ts";
import { startMcpOAuth } from "../../servers/mcp-oauth.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { startSocks } from "../../servers/socks.ts";
import { scene, sent } from "../support/family.ts";
import { NewUser } from "../support/test-user.ts";
import { withoutUndefined } from "../../../src/testing/without-undefined.ts";

const STUB = join(import.meta.dirname, "../../servers/mcp-stub.ts");
const PACKAGE = join(import.meta.dirname, "../../servers/mcp-package.ts");
/** A slow machine is no reason to give up a server. */
const PATIENT = "mcp_discovery_timeout: 60\nmcp_servers:\n";
const stub = (name: string, more: readonly string[] = [], settings = "") =>
  `  ${name}:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([STUB, ...more])}\n${settings}`;

const yes: Prompter = {
  ask: async (question: Question) =>
    question.kind === "approval" ? { kind: "approved", scope: "once" } : { kind: "text", text: "blue" },
};

async function open(
  t: TestContext,
  servers: string,
  options: {
    readonly prompter?: Prompter;
    readonly env?: string;
    readonly reply?: Parameters<typeof startOpenAiServer>[0];
  } = {},
) {
  const server = await startOpenAiServer(options.reply ?? (() => ({ text: "done" })));
  t.after(() => server[Symbol.asyncDispose]());
  const at = await scene(t, server.url, {
    extra: `${PATIENT}${servers}`,
    setup: (user) =>
      void (
        options.env !== undefined && user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\n${options.env}`)
      ),
    open: options.prompter === undefined ? {} : { prompter: options.prompter },
  });
  return { ...at, server, call: (tool: string, args = {}) => at.session.call(tool, args) };
}

function words(outcome: ToolOutcome): string {
  return outcome.kind === "ok" ? textOf(outcome.shown) : outcome.kind === "failed" ? outcome.message : outcome.reason;
}

function result(outcome: ToolOutcome): unknown {
  assert.equal(outcome.kind, "ok", words(outcome));
  return (JSON.parse(words(outcome)) as { readonly result: unknown }).result;
}

/** How often servers were started in this home. */
function starts(user: NewUser): number {
  return readFileSync(join(user.agentHome, "logs/mcp-stderr.log"), "utf8").split("=====\n").length - 1;
}

function slash(app: App, session: Session, line: string) {
  return runSlashCommand(line, {
    app,
    session: () => session,
    surface: "cli",
    signal: new AbortController().signal,
    terminal: true,
  });
}

// req: mcp.stdio, mcp.startup, mcp.like-built-in, registry.mcp-after-core, toolsets.mcp-dynamic
test("a configured MCP server offers its tools under its name; a dead one is reported and blocks nothing", async (t) => {
  const reply = (request: Parameters<typeof sent>[0]) =>
    sent(request).results.length === 0
      ? { calls: [{ tool: "mcp__good__echo", args: { text: "Hello there." } }] }
      : { text: "done" };
  const { app, session, server, facts } = await open(
    t,
    `  good:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([PACKAGE])}\n  dead:\n    command: no-such-program-anywhere\n`,
    { reply },
  );
  assert.equal((await session.send("go")).reason, "done");
  const tools = (
    JSON.parse(server.requests[0]!.body) as {
      readonly tools: readonly { readonly function: { readonly name: string } }[];
    }
  ).tools.map((tool) => tool.function);
  assert.deepEqual(
    tools.filter(({ name }) => name.startsWith("mcp")),
    [
      {
        name: "mcp__good__echo",
        description: "Says it again.",
        parameters: { properties: { text: { type: "string" } }, required: ["text"], type: "object" },
      },
      {
        name: "mcp__good__environment",
        description: "Names of its variables.",
        parameters: { properties: {}, type: "object" },
      },
    ],
  );
  assert.ok(["read_file", "terminal"].every((name) => tools.some((tool) => tool.name === name)));
  assert.match(sent(server.requests.at(-1)!).results[0]!, /Hello there\./);
  const settled = facts().find((fact): fact is Extract<Fact, { type: "tool.settled" }> => fact.type === "tool.settled");
  assert.deepEqual(withoutUndefined(settled?.outcome.kind === "ok" && settled.outcome.shown[0]?.from), {
    trust: "foreign",
    owner: "mcp",
    tool: "mcp__good__echo",
    source: 'the MCP server "good"',
  });
  assert.deepEqual(
    app.notices.flatMap(({ text }) => (text.includes("MCP") ? [text] : [])),
    ['The MCP server "dead" is unreachable: there is no program "no-such-program-anywhere".'],
  );
  assert.deepEqual(
    app.tools
      .toolsets()
      .filter(({ name }) => name.startsWith("mcp-"))
      .map(({ name, resolved, enabled }) => ({ name, resolved, enabled })),
    [{ name: "mcp-good", resolved: ["mcp__good__echo", "mcp__good__environment"], enabled: true }],
  );
});

test("an MCP server gets basic and declared variables, and none of the agent's secrets", async (t) => {
  const { call } = await open(
    t,
    `  good:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([PACKAGE])}\n    env: { LAMP: "\${LAMP_TOKEN}" }\n`,
    { env: "LAMP_TOKEN=lamp-token-of-the-test\nOTHER_SECRET=other-secret-of-the-test\n", prompter: yes },
  );
  const names = String(result(await call("mcp__good__environment"))).split(" ");
  assert.ok(names.includes("LAMP") && names.includes("PATH"));
  assert.deepEqual(
    names.filter((name) => /KEY|TOKEN|SECRET|HERMES/.test(name)),
    ["HERMES_PROGRAM"],
    "only the variable by which the agent finds its processes",
  );
});

// req: mcp.http
test("an MCP server at a local address gets its stored secret in a header, and reconnects after losing the session", async (t) => {
  await using web = await startMcpHttp();
  const { call, facts } = await open(
    t,
    `  web:\n    url: ${web.url}\n    headers: { Authorization: "Bearer \${WEB_TOKEN}" }\n`,
    { env: "WEB_TOKEN=web-token-of-the-test\n", prompter: yes },
  );
  assert.equal(result(await call("mcp__web__shout", { text: "quiet" })), "QUIET");
  assert.deepEqual([...new Set(web.seen.map(({ authorization }) => authorization))], ["Bearer web-token-of-the-test"]);
  web.forget();
  assert.equal(result(await call("mcp_web_shout", { text: "again" })), "AGAIN");
  assert.equal(JSON.stringify(facts()).includes("web-token-of-the-test"), false);
});

// field: C09
test("reaches an MCP server through a proxy by a name that only the proxy knows, and names an unusable proxy", async (t) => {
  await using web = await startMcpHttp();
  await using proxy = await startSocks({ to: Number(new URL(web.url).port) });
  const server = "  web:\n    url: http://mcp.example.org:8080/mcp\n";
  const { call } = await open(t, server, { env: `ALL_PROXY="socks5h://${proxy.place}"\n`, prompter: yes });
  assert.equal(result(await call("mcp__web__shout", { text: "quiet" })), "QUIET");
  assert.deepEqual([proxy.asked[0], proxy.wrong], [{ version: 5, host: "mcp.example.org", port: 8080 }, []]);
  const { prompter: user } = await open(t, server, { env: "HTTP_PROXY=ftp://127.0.0.1:9\n" });
  const tested = await user.run(["mcp", "test", "web"]);
  assert.match(`${tested.out}${tested.err}`, /HTTP_PROXY names a proxy for ftp:\/\/, which Hermes cannot use/);
});

test("uses a server that supports only the older HTTP transport", async (t) => {
  await using old = await startMcpSse();
  const { call } = await open(t, `  old:\n    url: ${old.url}\n`, { prompter: yes });
  assert.equal(result(await call("mcp__old__wave")), "waved");
});

// req: mcp.timeout, R-63
// row 47 of the fault matrix
test("a call that an MCP server never answers, or answers too late, ends at its timeout, and the server stays usable", async (t) => {
  const { call, prompter: user } = await open(t, stub("slow", [], "    timeout: 1\n"), { prompter: yes });
  assert.match(words(await call("mcp__slow__silent")), /did not answer "silent" within 1 s/);
  assert.match(words(await call("mcp__slow__late")), /did not answer "late" within 1 s/);
  let last = await call("mcp__slow__settled");
  while (last.kind !== "ok") last = await call("mcp__slow__settled");
  assert.equal(result(last), "settled");
  assert.equal(starts(user), 1);
});

// row 47 of the fault matrix
// req
test("the call that a fault of an MCP server breaks reports it, the next call works, and other servers are unaffected", async (t) => {
  const { call } = await open(t, `${stub("bad")}${stub("fine")}${stub("mute", ["mute"], "    connect_timeout: 1\n")}`, {
    prompter: yes,
  });
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

test("accepts a result of any type: texts, an image, audio in a file, a resource, an unknown type", async (t) => {
  const { call } = await open(t, stub("s"), { prompter: yes });
  const outcome = await call("mcp__s__shapes");
  assert.ok(outcome.kind === "ok");
  const { files, ...rest } = JSON.parse(textOf(outcome.shown)) as { readonly files: readonly string[] };
  assert.deepEqual(rest, {
    result: 'seen\n[note:1]\na note\n{"type":"mystery","value":7}',
    structuredContent: { n: 1 },
  });
  assert.match(files[0]!, /\.wav$/);
  assert.deepEqual(
    outcome.shown.filter(({ type }) => type === "image").map((part) => part.type === "image" && part.mediaType),
    ["image/png"],
  );
});

// field: C02
test("numbers longer than a double holds keep their digits, from a program and over HTTP", async (t) => {
  await using web = await startMcpHttp();
  const { call } = await open(t, `${stub("s")}  web:\n    url: ${web.url}\n`, { prompter: yes });
  const structured = (outcome: ToolOutcome): unknown =>
    (JSON.parse(words(outcome)) as { readonly structuredContent: unknown }).structuredContent;
  assert.deepEqual(structured(await call("mcp__s__ids")), {
    channel: "823475887319941131",
    list: ["-9223372036854775808"],
    small: 7,
  });
  assert.deepEqual(structured(await call("mcp__web__ids")), {
    channel: "823475887319941131",
    negative: "9223372036854775807",
    small: 7,
  });
});

// row 47 of the fault matrix
// req: R-25
test("an MCP server's question reaches the user; it is declined if no user can answer or the questions never end", async (t) => {
  let asked = 0;
  const user: Prompter = {
    ask: async (question) =>
      question.kind === "choice" ? ((asked += 1), { kind: "text", text: "blue" }) : { kind: "approved", scope: "once" },
  };
  const { call, app, prompter: home } = await open(t, stub("q"), { prompter: user });
  assert.deepEqual(JSON.parse(String(result(await call("mcp__q__elicit", { times: 1 })))), [
    { action: "accept", content: { colour: "blue" } },
  ]);
  asked = 0;
  const answers = JSON.parse(String(result(await call("mcp__q__elicit", { times: 14 })))) as readonly {
    readonly action: string;
  }[];
  assert.deepEqual([asked, answers.filter(({ action }) => action === "decline").length], [10, 4]);
  await using alone = await app.openSession({ surface: "cli", cwd: home.folder });
  assert.deepEqual(JSON.parse(String(result(await alone.call("mcp__q__elicit", { times: 1 })))), [
    { action: "decline" },
  ]);
});

test("a server receives the session's folder, and may use the model only if the user allows it", async (t) => {
  const { call, prompter: user } = await open(t, stub("r"), { prompter: yes });
  assert.deepEqual(JSON.parse(String(result(await call("mcp__r__roots")))), {
    roots: [{ uri: `file://${user.folder}`, name: "workspace" }],
  });
  assert.match(String(result(await call("mcp__r__sample"))), /"error"/);
});

// row 47 of the fault matrix
// req
test("an MCP server's change to a tool waits for approval: running sessions keep the description, and calls are refused until then", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-mcp-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const notes = join(folder, "notes.txt");
  const {
    app,
    session,
    call,
    server,
    prompter: user,
  } = await open(t, stub("shop", ["fickle", notes]), { prompter: yes });
  const described = () =>
    JSON.stringify(
      (
        JSON.parse(server.requests.at(-1)!.body) as {
          readonly tools: readonly { readonly function: { readonly name: string } }[];
        }
      ).tools.find((tool) => tool.function.name === "mcp__shop__echo"),
    );
  await session.send("one");
  const before = described();
  assert.match(before, /Says it again/);
  writeFileSync(notes, "Sends everything to me.");
  await call("mcp__shop__change");
  while ((await call("mcp__shop__echo", { text: "x" })).kind === "ok");
  assert.match(words(await call("mcp__shop__echo", { text: "x" })), /changed the tool "echo"/);
  await session.send("two");
  assert.equal(described(), before);
  assert.match((await slash(app, session, "/reload-mcp accept shop"))!.text ?? "", /shop: \d+ tools/);
  await using next = await app.openSession({ surface: "cli", cwd: user.folder, prompter: yes });
  assert.equal(result(await next.call("mcp__shop__echo", { text: "x" })), "x");
  await next.send("three");
  assert.match(described(), /Sends everything to me/);
});

const openHome = ({ home }: NewUser) =>
  openApp({ version: "0", env: { HOME: home, PATH: process.env["PATH"] }, signal: new AbortController().signal });

// req
test("a later process offers the known tools without starting the server, which the first call does, once for all sessions", async (t) => {
  await using server = await startOpenAiServer(() => ({ text: "done" }));
  using user = new NewUser();
  user.connect("custom", server.url, `${PATIENT}${stub("shop")}`);
  const offered = () => JSON.stringify((JSON.parse(server.requests.at(-1)!.body) as { readonly tools: unknown }).tools);
  const opening = { surface: "cli", cwd: user.folder, prompter: yes };
  {
    await using app = await openHome(user);
    await using session = await app.openSession(opening);
    await session.send("one");
  }
  const before = offered();
  assert.deepEqual([before.includes("mcp__shop__echo"), starts(user)], [true, 1]);
  await using app = await openHome(user);
  await using session = await app.openSession(opening);
  await session.send("two");
  assert.deepEqual([offered() === before, starts(user)], [true, 1]);
  await using other = await app.openSession(opening);
  const pids = await Promise.all([session.call("mcp__shop__pid", {}), other.call("mcp__shop__pid", {})]);
  assert.deepEqual([result(pids[0]!) === result(pids[1]!), starts(user)], [true, 2]);
  // It ends, and the session's texts do not change.
  await session.call("mcp__shop__die", {});
  await session.send("three");
  assert.equal(offered(), before);
  t.diagnostic(`${starts(user)} starts`);
});

test("the tools follow config.yaml when it is read again: removing a server removes its tools, adding one adds them", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", `${PATIENT}${stub("one")}`);
  await using app = await openHome(user);
  const names = async () => [
    ...new Set(
      (await app.tools.list({ surface: "cli", prompter: true })).flatMap(({ declaration: { toolset } }) =>
        toolset.startsWith("mcp-") ? [toolset] : [],
      ),
    ),
  ];
  assert.deepEqual(await names(), ["mcp-one"]);
  user.write("~/.hermes/config.yaml", `${PATIENT}${stub("two", [], "    tools: { include: [echo] }\n")}`);
  await app.plugins.reload();
  assert.deepEqual(await names(), ["mcp-two"]);
  assert.deepEqual(
    (await app.tools.list({ surface: "cli", prompter: true })).flatMap(({ declaration: { name, toolset } }) =>
      toolset === "mcp-two" ? [name] : [],
    ),
    ["mcp__two__echo"],
  );
});

test("hermes mcp adds, lists, tests, chooses and removes servers, and reports errors", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "# mine\n");
  const mcp = async (...words: readonly string[]) => {
    await using app = await openHome(user);
    let out = "";
    const io = {
      out: (text: string) => void (out += text),
      error: (text: string) => void (out += text),
      interactive: false,
      signal: new AbortController().signal,
    };
    const command = app.cliCommands.list().find(({ name }) => name === "mcp")!;
    const status = await Promise.try(() => command.run({ words } as never, io)).catch(
      (cause: { readonly message: string }) => void (out += cause.message),
    );
    return { out, status };
  };
  assert.match((await mcp("list")).out, /No MCP server is configured/);
  assert.match(
    (await mcp("add", "shop", "--command", process.execPath, "--env", "A=b", "--args", STUB)).out,
    /✓ echo {2}Says it again\.[^]*Added "shop"/,
  );
  assert.match(
    readFileSync(join(user.agentHome, "config.yaml"), "utf8"),
    /^# mine\n+mcp_servers:\n {2}shop:\n {4}command: /,
  );
  assert.match((await mcp("add", "shop", "--command", "x")).out, /An MCP server "shop" already exists/);
  assert.match(
    (await mcp("add", "dead", "--command", "no-such-program-anywhere")).out,
    /there is no program[^]*The server was not added/,
  );
  assert.match(
    (await mcp("add", "odd", "--url", "ftp://a.example")).out,
    /Cannot add the MCP server "odd": its url is not/,
  );
  assert.equal((JSON.parse((await mcp("test", "shop", "--json")).out) as { readonly ok: boolean }).ok, true);
  assert.match((await mcp("configure", "shop", "--include", "echo,mystery")).out, /"shop" has no tool "mystery"/);
  assert.match((await mcp("configure", "shop", "--include", "e*")).out, /✗ die[^]*✓ echo[^]*✓ elicit/);
  const [{ tools }] = (
    JSON.parse((await mcp("list", "--json")).out) as {
      readonly servers: readonly [{ readonly tools: readonly string[] }];
    }
  ).servers;
  assert.deepEqual(tools, ["echo", "elicit"]);
  assert.match((await mcp("configure", "shop", "--all")).out, /✓ die/);
  assert.match((await mcp("accept", "shop")).out, /offers what you accepted/);
  {
    await using app = await openHome(user);
    assert.deepEqual(withoutUndefined((await app.doctor()).filter(({ name }) => name.startsWith("mcp"))), [
      { name: "mcp shop", ok: true, detail: "18 of 18 tools offered" },
    ]);
  }
  assert.match((await mcp("remove", "shop")).out, /Removed "shop"/);
  assert.deepEqual(
    [(await mcp("test", "shop")).out, (await mcp("serve")).out, (await mcp("dance")).out],
    [
      'There is no MCP server "shop".',
      "This version of Hermes cannot act as an MCP server.",
      'Unknown command "hermes mcp dance".',
    ],
  );
  assert.equal((await mcp("add", "--help")).status, 0);
  assert.doesNotMatch(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /mcp_servers|shop/);
});

// req: mcp.oauth
test("hermes mcp login signs in through a browser once; expired tokens are refreshed, and revoked ones reported", async () => {
  await using guarded = await startMcpOAuth();
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", `${PATIENT}  guarded:\n    url: ${guarded.url}\n    auth: { type: oauth }\n`);
  const ask = async () => {
    await using app = await openHome(user);
    await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: yes });
    return [
      await session.call("mcp__guarded__secret", {}),
      app.notices.flatMap(({ text }) => (text.includes("MCP") ? [text] : [])),
    ] as const;
  };
  assert.deepEqual((await ask())[1], ['The MCP server "guarded" requires authentication.']);
  {
    await using app = await openHome(user);
    let out = "";
    // The user, who opens the shown address: first with an answer that is not for this sign-in.
    const visit = async (address: string): Promise<void> => {
      const back = new URL((await fetch(address, { redirect: "manual" })).headers.get("location")!);
      const forged = new URL(back);
      forged.searchParams.set("state", "somebody-else");
      assert.equal((await fetch(forged)).status, 400);
      assert.match(await (await fetch(back)).text(), /You are signed in/);
    };
    let visited: Promise<void> | undefined;
    const io = {
      out: (text: string) =>
        void ((out += text), (visited ??= /http\S+/.test(text) ? visit(/http\S+/.exec(text)![0]) : undefined)),
      error: () => undefined,
      interactive: false,
      signal: new AbortController().signal,
    };
    await app.cliCommands
      .list()
      .find(({ name }) => name === "mcp")!
      .run({ words: ["login", "guarded"] } as never, io);
    await visited;
    assert.match(out, /Signed in to "guarded"/);
  }
  const file = join(user.agentHome, "mcp-tokens/guarded.json");
  assert.deepEqual(
    [statSync(file).mode & 0o777, statSync(join(file, "..")).mode & 0o777, guarded.seen],
    [0o600, 0o700, { registrations: 1, signIns: 1, refreshes: 0 }],
  );
  assert.equal(result((await ask())[0]), "forty-two");
  guarded.expire();
  assert.equal(result((await ask())[0]), "forty-two");
  assert.deepEqual(guarded.seen, { registrations: 1, signIns: 1, refreshes: 1 });
  guarded.revoke();
  const [outcome] = await ask();
  assert.match(words(outcome), /requires authentication/);
  assert.equal(guarded.seen.registrations, 1);
});

// req: R-64
test("a server ends with its agent, however that ends, and its child processes with it", async () => {
  const owner = `
    import { StdioTransport } from ${JSON.stringify(join(import.meta.dirname, "../../../plugins/mcp/server/stdio-transport.ts"))};
    const transport = new StdioTransport({ kind: "stdio", command: process.execPath, args: ${JSON.stringify([STUB])}, env: {}, cwd: undefined }, { env: process.env, home: "/", printed() {} });
    transport.onmessage = ({ id, result }) => id === 2 && console.log(JSON.stringify([process.pid, transport.pid, Number(result.content[0].text)]));
    await transport.start();
    await transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "owner", version: "1" } } });
    await transport.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "spawn", arguments: {} } });
  `;
  const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "-e", owner], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const [own, ...started] = JSON.parse(line) as readonly [number, number, number];
  assert.deepEqual([own, ...started].map(alive), [true, true, true]);
  child.kill("SIGKILL");
  for (let waited = 0; started.some(alive); waited += 1) {
    assert.ok(waited < 600, "the processes are still running");
    await sleep(100);
  }
});

function alive(pid: number): boolean {
  return !/^(Z.*)?$/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());
}
