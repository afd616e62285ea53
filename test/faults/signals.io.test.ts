import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import { SessionIndex } from "../../src/host/store/index/session-index.ts";
import { indexFile } from "../../src/host/store/facts/store-files.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../end-to-end/support/interactive-terminal.ts";
import { ended, NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const onLinux = process.platform === "linux" ? false : "looks into /proc";

/** A command that counts its runs and ignores every signal. */
const deaf = (mark: string): string =>
  `echo ran >>counter; trap '' TERM INT HUP; touch begun; sleep ${mark}; sleep ${mark}`;

/** A plugin whose turn-end hook never returns. */
function hanging(user: NewUser): void {
  user.write("~/.hermes/plugins/hang/plugin.yaml", "name: hang\nversion: 1.0.0\ndescription: Hangs\n");
  user.write(
    "~/.hermes/plugins/hang/index.mjs",
    'export default (ctx) => { ctx.hook("on_session_end", () => new Promise(() => {})); };\n',
  );
}

test(
  "row 50: SIGTERM ends a one-shot whose command ignores it and whose plugin hangs; no data is lost",
  { skip: onLinux },
  async () => {
    using user = new NewUser();
    hanging(user);
    const mark = seconds();
    const { child, done, server } = await underWay(user, mark, "plugins:\n  enabled: [hang]\n");
    await using _ = server;
    child.kill("SIGTERM");
    const { status, signal, err } = await done;
    assert.deepEqual([status, signal], [130, null], err);
    await nothingLeft(mark);
    const facts = await factsOf(user);
    assert.deepEqual(
      facts.flatMap((fact) => (fact.type === "turn.ended" ? [fact.reason] : [])),
      ["cancelled"],
    );
    assert.equal(facts.filter(({ type }) => type === "tool.settled").length, 1);
  },
);

for (const name of ["SIGINT", "SIGTERM"] as const) {
  test(
    `row 50: a second ${name} ends a one-shot at once; the resumed session reruns nothing`,
    { skip: onLinux },
    async () => {
      using user = new NewUser();
      const mark = seconds();
      const { child, done, server } = await underWay(user, mark);
      await using _ = server;
      child.kill(name);
      await wait(100);
      child.kill(name);
      const { status, signal } = await done;
      assert.ok(status === 130 || signal === name, `${status} ${signal}`);
      await nothingLeft(mark);
      const again = await user.run(["chat", "--continue", "-q", "what now?"]);
      assert.equal(again.status, 0, again.err);
      assert.equal(readFileSync(join(user.folder, "counter"), "utf8"), "ran\n");
      assert.match(server.requests.at(-1)!.body, /outcome unknown/);
    },
  );
}

test(
  "row 50: SIGTERM ends an interactive session during a command: it restores the terminal, nothing runs",
  { skip: NO_TMUX || onLinux },
  async () => {
    using user = new NewUser();
    const mark = seconds();
    await using server = await startOpenAiServer(
      obliging({ begin: { calls: [{ tool: "terminal", args: { command: deaf(mark) } }] } }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("begin");
    await terminal.until(() => existsSync(join(user.folder, "begun")));
    process.kill(await terminal.pid(), "SIGTERM");
    await terminal.until(/^hermes --resume \S+\n\[ended 130\]\nicanon echo/m);
    assert.equal(await terminal.modes(), "cursor=1 mouse=0 alternate=0 keypad=0");
    await nothingLeft(mark);
    assert.deepEqual(
      (await factsOf(user)).flatMap((fact) => (fact.type === "turn.ended" ? [fact.reason] : [])),
      ["cancelled"],
    );
  },
);

/** A one-shot in the middle of its command. */
async function underWay(
  user: NewUser,
  mark: string,
  settings = "",
): Promise<{
  readonly child: ChildProcess;
  readonly done: ReturnType<typeof ended>;
  readonly server: Awaited<ReturnType<typeof startOpenAiServer>>;
}> {
  const server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: deaf(mark) } }] },
    { text: "I have seen it." },
  ]);
  user.connect("custom", server.url, settings);
  const child = user.start(["chat", "-q", "go"]);
  const done = ended(child);
  await waitFor(() => existsSync(join(user.folder, "begun")) || child.exitCode !== null);
  return { child, done, server };
}

async function factsOf(user: NewUser): Promise<readonly Fact[]> {
  await using store = await openSqliteStore({ home: user.agentHome });
  await using index = new SessionIndex({ path: indexFile(user.agentHome), store });
  const [session] = await index.list();
  return (await Array.fromAsync(store.read(session!.id))).map(({ fact }) => fact);
}

/** A number of seconds that no other sleep on this machine uses. */
function seconds(): string {
  return `500.${Math.floor(Math.random() * 1e9)}1`;
}

async function nothingLeft(mark: string): Promise<void> {
  await waitFor(() => !readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(mark)));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // The process ended between listing and reading.
  }
}
