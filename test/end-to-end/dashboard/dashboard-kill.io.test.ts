import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { NewUser } from "../support/test-user.ts";

interface Started {
  readonly child: ChildProcess;
  ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
}

/** `hermes dashboard` as a process, called as its page would. */
async function startDashboard(user: NewUser): Promise<Started> {
  const child = user.start(["dashboard", "--no-open", "--port", "0"]);
  let out = "";
  child.stdout?.on("data", (text: Buffer) => (out += text.toString()));
  const [, url, token] = await waitFor(() => /(http:\S+)#token=(\S+)/.exec(out), {
    what: "the dashboard prints its link",
  });
  return {
    child,
    async ask(method, path, body) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { "x-hermes-session-token": token! },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill("SIGKILL");
  await once(child, "exit");
};

// req: dashboard.serves
test("after kill -9 of the dashboard during a turn, --continue resumes it without repeating a message or call", async () => {
  await using model = await startOpenAiServer((request) =>
    request.body.includes('"role":"tool"')
      ? { text: "Resumed." }
      : { calls: [{ tool: "terminal", args: { command: "echo once >> log.txt; sleep 60" } }] },
  );
  using user = new NewUser();
  user.connect("custom", model.url);
  const first = await startDashboard(user);
  const { id } = (await first.ask("POST", "/api/chats", {})).body;
  const message = { inputId: "the-first-message", text: "work" };
  assert.equal((await first.ask("POST", `/api/chats/${id}/messages`, message)).status, 200);
  await waitFor(() => existsSync(join(user.folder, "log.txt")), { what: "the command runs" });
  const later = { inputId: "the-second-message", text: "and then this" };
  assert.equal((await first.ask("POST", `/api/chats/${id}/messages`, later)).status, 200);
  await kill(first.child);

  const resumed = await user.run(["chat", "--continue", "-Q", "-q", "go on"]);
  assert.deepEqual([resumed.status, resumed.out], [0, "Resumed.\n"], resumed.err);
  // The page does not know whether its messages arrived, so it sends them again.
  const second = await startDashboard(user);
  for (const one of [message, later])
    assert.equal((await second.ask("POST", `/api/chats/${id}/messages`, { ...one, again: true })).status, 200);
  await waitFor(async () => {
    const { state } = (await second.ask("GET", `/api/chats/${id}`)).body as {
      readonly state: { readonly busy: boolean };
    };
    return !state.busy;
  });
  await kill(second.child);
  const exported = await user.run(["sessions", "export", String(id), "--format", "jsonl"]);
  const facts = exported.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Fact);
  const read = facts.flatMap((fact) =>
    fact.type === "message.added" && fact.origin === "person"
      ? fact.parts.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
  assert.deepEqual(read, ["work", "and then this", "go on"]);
  assert.equal(facts.filter((fact) => fact.type === "tool.called").length, 1);
  assert.equal(readFileSync(join(user.folder, "log.txt"), "utf8"), "once\n");
});

test("after kill -9 the page of the next dashboard shows the interrupted turn and continues it", async () => {
  await using model = await startOpenAiServer((request) =>
    request.body.includes('"role":"tool"')
      ? { text: "Resumed." }
      : { calls: [{ tool: "terminal", args: { command: "echo once >> log.txt; sleep 60" } }] },
  );
  using user = new NewUser();
  user.connect("custom", model.url);
  const first = await startDashboard(user);
  const { id } = (await first.ask("POST", "/api/chats", {})).body;
  await first.ask("POST", `/api/chats/${id}/messages`, { inputId: "the-first-message", text: "work" });
  await waitFor(() => existsSync(join(user.folder, "log.txt")), { what: "the command runs" });
  await kill(first.child);
  const second = await startDashboard(user);
  const chat = async () =>
    (await second.ask("GET", `/api/chats/${id}`)).body as unknown as {
      readonly state: { readonly busy: boolean; readonly interrupted: readonly string[] };
      readonly items: readonly { readonly kind: string; readonly text?: string }[];
    };
  assert.notEqual((await chat()).state.interrupted.length, 0);
  assert.equal((await second.ask("POST", `/api/chats/${id}/continue`, {})).status, 200);
  await waitFor(async () => (await chat()).items.some(({ kind, text }) => kind === "answer" && text === "Resumed."));
  await waitFor(async () => !(await chat()).state.busy);
  assert.deepEqual((await chat()).state.interrupted, []);
  assert.equal(readFileSync(join(user.folder, "log.txt"), "utf8"), "once\n");
  // Ctrl-C ends it gracefully.
  second.child.kill("SIGINT");
  assert.deepEqual(await once(second.child, "exit"), [0, null]);
});
