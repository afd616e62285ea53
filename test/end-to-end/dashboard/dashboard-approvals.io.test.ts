import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import type { App, OpenSession } from "../../../src/contract/services/app.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import type { PendingShown } from "../../../src/surfaces/dashboard/approval-shown.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import { listen } from "../support/dashboard-stream.ts";

interface TwoProcesses extends AsyncDisposable {
  readonly scene: DashboardScene;
  readonly other: App;
  /** Sends a message whose answer asks for an approval. */
  ask(opening: Omit<OpenSession, "cwd">): Promise<{ readonly decision: Promise<string> }>;
  pending(): Promise<PendingShown>;
}

/** A dashboard, and another process of the same home in which calls need approvals. */
async function twoProcesses(config = ""): Promise<TwoProcesses> {
  const stack = new AsyncDisposableStack();
  const model = stack.use(
    await startOpenAiServer((request) =>
      request.body.includes('"role":"tool"')
        ? { text: "done" }
        : { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
    ),
  );
  const scene = stack.use(await DashboardScene.open((user) => user.connect("custom", model.url, config)));
  const other = stack.use(
    await openApp({
      version: "0",
      env: { HOME: scene.prompter.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    }),
  );
  const all = async (): Promise<readonly PendingShown[]> =>
    (await scene.get<{ readonly pending: readonly PendingShown[] }>("/api/approvals")).pending;
  return {
    scene,
    other,
    async ask(opening) {
      const session = stack.use(await other.openSession({ cwd: scene.prompter.folder, ...opening }));
      const decision = session.send("clean up").then(async () => {
        const facts = await Array.fromAsync(other.sessions.factsOf(session.id));
        return JSON.stringify(facts.flatMap(({ fact }) => (fact.type === "approval.given" ? [fact.decision] : [])));
      });
      return { decision };
    },
    pending: () => waitFor(async () => (await all())[0], { what: "an approval is pending" }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A prompter whose user does nothing. */
const silent = (atTerminal?: true): Prompter => ({
  atTerminal,
  ask: (_, signal) =>
    new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve({ kind: "none", reason: "cancelled" }), { once: true }),
    ),
});

test("shows another process's approval in full, and forwards the first answer only", async () => {
  await using both = await twoProcesses();
  await using page = await listen(both.scene, "topics=pending");
  const { decision } = await both.ask({ surface: "telegram", prompter: silent() });
  const event = await page.find(({ event, data }) => event === "pending" && (data as readonly unknown[]).length === 1);
  const [shown] = event.data as readonly PendingShown[];
  assert.partialDeepStrictEqual(shown, { surface: "telegram", tool: "terminal", atTerminal: false });
  assert.ok(shown!.parts.some(({ text }) => /delete .*build \(recursive\)/.test(text)));
  const answer = (body: object) => both.scene.ask("POST", `/api/approvals/${shown!.id}`, body);
  assert.match((await answer({ choice: "yes" })).text, /does not offer/);
  const [one, other] = await Promise.all([answer({ choice: "session" }), answer({ choice: "deny" })]);
  assert.deepEqual([one.status, other.status].toSorted(), [200, 400]);
  assert.match(await decision, one.status === 200 ? /^\[\{"kind":"allow","scope":"session"/ : /^\[\{"kind":"deny"/);
  await page.find(({ event, data }) => event === "pending" && (data as readonly unknown[]).length === 0);
});

test("sends the reason of a denial to the agent in the other process", async () => {
  await using both = await twoProcesses();
  const { decision } = await both.ask({ surface: "api_server", prompter: silent() });
  const { id } = await both.pending();
  assert.equal(
    (await both.scene.ask("POST", `/api/approvals/${id}`, { choice: "deny", reason: "keep it" })).status,
    200,
  );
  assert.match(await decision, /"deny".*keep it/);
});

test("shows approvals that wait at a terminal, and refuses to answer them", async () => {
  await using both = await twoProcesses("approvals:\n  terminal_timeout: 2\n");
  const { decision } = await both.ask({ surface: "cli", prompter: silent(true) });
  const { id, atTerminal } = await both.pending();
  assert.equal(atTerminal, true);
  for (const choice of ["once", "deny"]) {
    const refused = await both.scene.ask("POST", `/api/approvals/${id}`, { choice });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /must be answered at the terminal/);
  }
  assert.match(await decision, /"deny".*Silence is not consent/);
});

test("a scheduled run waits for an approval only while a page shows approvals", async () => {
  await using both = await twoProcesses("approvals:\n  platforms:\n    cron: manual\n");
  const alone = await both.ask({ surface: "cron" });
  assert.match(await alone.decision, /"deny".*no user is connected/);
  await using page = await listen(both.scene, "topics=pending");
  await page.find(({ event }) => event === "pending");
  await waitFor(async () => {
    const { decision } = await both.ask({ surface: "cron" });
    const first = await Promise.race([decision, both.pending()]);
    if (typeof first === "string") return false; // The other process does not know of the page yet.
    await both.scene.ask("POST", `/api/approvals/${first.id}`, { choice: "once" });
    return /"allow","scope":"once"/.test(await decision);
  });
});

test("lists approval rules and revokes one", async () => {
  await using both = await twoProcesses(
    'command_allowlist:\n  - "git branch -D tmp-*"\n  - "recursive delete in /srv/a/b"\n',
  );
  const rules = async () =>
    (await both.scene.get<{ readonly rules: readonly { readonly rule: string }[] }>("/api/approvals")).rules.map(
      ({ rule }) => rule,
    );
  assert.deepEqual(await rules(), ["git branch -D tmp-*", "recursive delete in /srv/a/b"]);
  const revoke = (rule: string) => both.scene.ask("DELETE", `/api/approvals/rules/${encodeURIComponent(rule)}`, {});
  assert.equal((await revoke("recursive delete in /srv/a/b")).status, 200);
  assert.deepEqual(await rules(), ["git branch -D tmp-*"]);
  assert.match((await revoke("nothing like it")).text, /There is no rule/);
});
