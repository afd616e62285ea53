import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { App } from "../../../src/contract/services/app.ts";
import type { Answer, Prompter, Question } from "../../../src/contract/conversation/question.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "python3 is not installed" };

/** The `/scan` of the original's guide: no plugin of the original has `grants`. */
const SCAN = `
def register(ctx):
    def scan(raw):
        return ctx.dispatch_tool("terminal", {"command": f"ls {raw}"})
    ctx.register_command("scan", handler=scan, description="Find files")
`;
/** Calls a tool from its own tool, under a name that dispatch corrects. */
const RELAY = `
export default (ctx) => ctx.tool({ name: "relay", toolset: "relay", description: "Runs a command.", effect: "read",
  input: { type: "object", properties: { command: { type: "string" } } },
  execute: async ({ command }, call) => { const { kind, reason } = await call.call("Terminal", { command }); return { kind, reason: reason ?? "" }; } });
`;

class Answering implements Prompter {
  readonly asked: string[] = [];
  readonly answers: Answer[] = [];

  async ask(question: Question): Promise<Answer> {
    this.asked.push(question.kind === "approval" ? `approval: ${question.request.subject}` : question.text);
    return this.answers.shift() ?? { kind: "none", reason: "timeout" };
  }
}

const text = (words: string): Answer => ({ kind: "text", text: words });

async function place(t: TestContext, python: boolean) {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const model = stack.use(await startOpenAiServer(() => ({ text: "done" })));
  const user = stack.use(new NewUser());
  user.connect("custom", model.url, "terminal:\n  auto_source_bashrc: false\n");
  user.write("a.py", "");
  if (python) {
    user.write("scan/plugin.yaml", "name: scan\nversion: 1.0.0\ndescription: Finds files.\n");
    user.write("scan/__init__.py", SCAN);
  } else {
    user.write("relay/plugin.yaml", "name: relay\nversion: 1.0.0\ndescription: Runs commands.\n");
    user.write("relay/index.mjs", RELAY);
  }
  const open = async (): Promise<App> =>
    stack.use(
      await openApp({
        version: "0",
        env: { HOME: user.home, PATH: process.env["PATH"] },
        signal: new AbortController().signal,
      }),
    );
  return { user, open, settings: () => readFileSync(join(user.agentHome, "config.yaml"), "utf8") };
}

async function scan(app: App, cwd: string, prompter: Prompter | undefined): Promise<string> {
  await using session = await app.openSession({ surface: "cli", cwd, ...(prompter === undefined ? {} : { prompter }) });
  const said = await app.commands.get("scan")!.run("*.py", {
    surface: "cli",
    session,
    sessionId: session.id,
    signal: new AbortController().signal,
  } as never);
  return String(said);
}

// field: P01
test(
  "an installed plugin of the original calls a tool only after the user allowed it, and the user can take it back",
  withPython,
  async (t) => {
    const { user, open, settings } = await place(t, true);
    const installed = await user.run(["plugins", "install", "./scan", "--yes", "--enable"]);
    assert.equal(installed.status, 0, installed.err);
    assert.match(installed.err, /\? calls the tool terminal: asks you at the first call/);
    assert.match(installed.err, /○ asks before it calls the tool terminal \(hermes plugins grant scan terminal\)/);
    assert.match((await user.run(["plugins", "check", "scan"])).out, /Its code calls the tool terminal\./);
    const app = await open();
    const asker = new Answering();

    const denied = JSON.parse(await scan(app, user.folder, undefined)) as { readonly error: string };
    assert.match(denied.error, /has not allowed it, and cannot be asked here\..*hermes plugins grant scan terminal/);
    assert.match(await scan(app, user.folder, asker), /the user did not answer/);
    asker.answers.push(text("Allow once"));
    assert.match(await scan(app, user.folder, asker), /"output":"a\.py"/);
    assert.doesNotMatch(settings(), /allow_tools/);
    asker.answers.push(text("Always allow"));
    assert.match(await scan(app, user.folder, asker), /"output":"a\.py"/);
    assert.match(await scan(app, user.folder, asker), /"output":"a\.py"/);
    assert.equal(asker.asked.length, 3);
    assert.match(asker.asked[0]!, /^The plugin "scan" wants to call the tool "terminal":\n {2}ls \*\.py\n/);
    assert.match(settings(), /allow_tools:\n +- terminal\n/);

    assert.match((await user.run(["plugins", "info", "scan"])).out, /✓ may call the tool terminal/);
    assert.match(
      (await user.run(["plugins", "revoke", "scan"])).out,
      /scan asks you before it calls the tool terminal\./,
    );
    await app.plugins.reload();
    asker.answers.push(text("Never allow"));
    assert.match(await scan(app, user.folder, asker), /the user does not allow it/);
    assert.match(await scan(app, user.folder, asker), /the user does not allow it/);
    assert.equal(asker.asked.length, 4);
    const info = JSON.parse((await user.run(["plugins", "info", "scan", "--json"])).out) as { readonly calls: unknown };
    assert.deepEqual(info.calls, { allowed: [], never: ["terminal"], asks: [], others: false });
    assert.equal((await user.run(["plugins", "grant", "scan", "terminal"])).status, 0);
    await app.plugins.reload();
    assert.match(await scan(app, user.folder, undefined), /"output":"a\.py"/);
    // A later plugin of this name has no grant.
    assert.equal((await user.run(["plugins", "remove", "scan", "--yes"])).status, 0);
    assert.doesNotMatch(settings(), /_tools/);
  },
);

// field: P01
test("a granted call still passes approvals, and a TypeScript plugin's question names the tool that would run", async (t) => {
  const { user, open } = await place(t, false);
  assert.equal((await user.run(["plugins", "install", "./relay", "--yes", "--enable"])).status, 0);
  const app = await open();
  const asker = new Answering();
  await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: asker });
  const relay = async (command: string) => {
    const outcome = await session.call("relay", { command });
    assert.ok(outcome.kind === "ok", JSON.stringify(outcome));
    return outcome.value as { readonly kind: string; readonly reason: string };
  };
  asker.answers.push(text("Always allow"), { kind: "refused" });
  assert.equal((await relay("rm -rf build")).kind, "denied");
  assert.match(asker.asked[0]!, /"relay" wants to call the tool "terminal":\n {2}rm -rf build/);
  assert.equal(asker.asked[1], "approval: rm -rf build");
  assert.equal((await relay("ls")).kind, "ok");
  assert.equal(asker.asked.length, 2);
});

// field: P01
test("a tool that the manifest requests needs no question, and revoking it denies the call", async (t) => {
  const { user, open } = await place(t, false);
  writeFileSync(
    join(user.folder, "relay/plugin.yaml"),
    "name: relay\nversion: 1.0.0\ndescription: Runs commands.\ngrants: { tools: [terminal] }\n",
  );
  assert.equal((await user.run(["plugins", "install", "./relay", "--yes", "--enable"])).status, 0);
  const app = await open();
  const call = async () => {
    await using session = await app.openSession({ surface: "cli", cwd: user.folder });
    const outcome = await session.call("relay", { command: "ls" });
    return outcome.kind === "ok" ? (outcome.value as { readonly kind: string }).kind : JSON.stringify(outcome);
  };
  assert.equal(await call(), "ok");
  assert.match(
    (await user.run(["plugins", "revoke", "relay", "terminal"])).out,
    /relay may not call the tool terminal\./,
  );
  await app.plugins.reload();
  assert.equal(await call(), "denied");
});
