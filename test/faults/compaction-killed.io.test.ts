import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { test } from "node:test";
import { openApp } from "../../src/host/app/open-app.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import { ended, NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import type { ScriptedReply } from "../servers/script.ts";

const TURNS = 6;
const SUMMARY = "Port 8080 was chosen.";

test("row 9: a compaction killed before its commit leaves the history unchanged; one killed after its commit is not repeated", async () => {
  using user = new NewUser();
  let agent: ChildProcess | undefined;
  let summarise = (): ScriptedReply => ({ text: SUMMARY });
  await using server = await startOpenAiServer(({ body }, number) =>
    body.includes("You write the notes") ? summarise() : { text: `Reply ${number}. ${"and so on ".repeat(60)}` },
  );
  user.connect("custom", server.url, "compression:\n  protect_first_n: 0\n  protect_last_n: 2\n");
  const sessionId = await talk(user);
  const before = await factsOf(user, sessionId);
  const start = (line: string) => (agent = user.start(["chat", "-c", "-q", line]));
  const messages = () =>
    JSON.stringify((JSON.parse(server.requests.at(-1)!.body) as { readonly messages: unknown }).messages);
  const kill = () => agent!.kill("SIGKILL");

  summarise = () => (kill(), { headAfterMs: 600_000 });
  assert.equal((await ended(start("/compress"))).signal, "SIGKILL");
  summarise = () => (setTimeout(kill, 300), { text: SUMMARY, stallAfterBytes: 700 });
  assert.equal((await ended(start("/compress"))).signal, "SIGKILL");
  assert.deepEqual((await factsOf(user, sessionId)).slice(0, before.length), before);
  assert.deepEqual(
    (await factsOf(user, sessionId)).filter(({ type }) => type === "context.compacted"),
    [],
  );
  const whole = await ended(start("And now?"));
  assert.equal(whole.status, 0, whole.err);
  for (let turn = 1; turn <= TURNS; turn += 1)
    assert.ok(messages().includes(`Question ${turn}.`), `question ${turn} of ${TURNS} is in the request`);
  assert.ok(!messages().includes(SUMMARY));

  summarise = () => ({ text: SUMMARY });
  const shortened = ended(start("/compress"));
  agent!.stdout!.on("data", (chunk: Buffer) => /Compressed from/.test(chunk.toString()) && kill());
  assert.match((await shortened).out, /Compressed from/);
  assert.equal((await factsOf(user, sessionId)).filter(({ type }) => type === "context.compacted").length, 1);
  const after = await ended(start("And then?"));
  assert.equal(after.status, 0, after.err);
  assert.ok(
    messages().includes(SUMMARY) && messages().includes("And then?") && !messages().includes("Reply 1."),
    messages(),
  );
  assert.deepEqual((await factsOf(user, sessionId)).slice(0, before.length), before, "the conversation is unchanged");
});

/** Runs some turns in this process. The test kills the agents that follow. */
async function talk(user: NewUser): Promise<string> {
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  await using session = await app.openSession({ surface: "cli", cwd: user.folder });
  for (let turn = 1; turn <= TURNS; turn += 1)
    assert.equal((await session.send(`Question ${turn}. ${"lorem ipsum ".repeat(40)}`)).reason, "done");
  return session.id;
}

async function factsOf(user: NewUser, sessionId: string): Promise<readonly Fact[]> {
  await using store = await openSqliteStore({ home: user.agentHome });
  return (await Array.fromAsync(store.read(sessionId))).map(({ fact }) => fact);
}
