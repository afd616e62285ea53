import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import type { ReceivedEvent } from "../../../src/surfaces/dashboard/page/event-stream.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import { listen } from "../support/dashboard-stream.ts";
import type { NewUser } from "../support/test-user.ts";

/** Another process of the same home. */
function another(user: NewUser) {
  return openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
}

type Row = { readonly id: string; readonly state: string };
const rowOf = ({ data }: ReceivedEvent): Row => data as Row;

test("reports the state of another process's session: running, waiting for approval, done", async () => {
  await using model = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
    { text: "I left it." },
  ]);
  await using scene = await DashboardScene.open((user) => user.connect("custom", model.url));
  await using other = await another(scene.prompter);
  await using stream = await listen(scene, "topics=sessions,approvals");
  assert.equal((await stream.find(({ event }) => event === "ready")).id, "0");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using session = await other.openSession({
    surface: "cli",
    cwd: scene.prompter.folder,
    prompter: {
      async ask() {
        asked.resolve();
        await answer.promise;
        return { kind: "refused" };
      },
    },
  });
  const turn = session.send("clean up");
  await stream.find((event) => event.event === "session" && rowOf(event).state === "running");
  await asked.promise;
  await stream.find((event) => event.event === "session" && rowOf(event).state === "approval");
  const pending = await stream.find(({ event }) => event === "approval");
  assert.partialDeepStrictEqual(pending.data, { sessionId: session.id, pending: true });
  assert.equal((await scene.get<readonly Row[]>("/api/sessions"))[0]?.state, "approval");
  answer.resolve();
  await turn;
  const over = await stream.find((event) => event.event === "session" && rowOf(event).state === "done");
  assert.equal(rowOf(over).id, session.id);
  assert.equal((await scene.get<readonly Row[]>("/api/sessions"))[0]?.state, "done");
});

test("sends a reconnecting page the facts that it missed", async () => {
  await using scene = await DashboardScene.open();
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send("hello");
  const query = `topics=facts&session=${session.id}`;
  let position = "";
  {
    await using stream = await listen(scene, query);
    position = (await stream.find(({ event }) => event === "ready")).id!;
  }
  await session.send("again");
  await using stream = await listen(scene, `${query}&after=${position}`);
  const { data } = await stream.find(({ event }) => event === "facts");
  const { facts } = data as { readonly facts: readonly { readonly fact: { readonly type: string } }[] };
  assert.equal(facts[0]?.fact.type, "turn.started");
  assert.equal(facts.at(-1)?.fact.type, "turn.ended");
});

test("reports a job that another process adds, and refuses unknown topics and too many pages", async () => {
  await using scene = await DashboardScene.open();
  await using other = await another(scene.prompter);
  await using stream = await listen(scene, "topics=jobs,status");
  await stream.find(({ event }) => event === "jobs");
  await stream.find(({ event }) => event === "status");
  await (await other.jobs()).create({ schedule: "every day at 9am", prompt: "say hello" });
  const { data } = await stream.find(({ event, data }) => event === "jobs" && JSON.stringify(data).includes("hello"));
  assert.equal((data as { readonly jobs: readonly unknown[] }).jobs.length, 1);
  assert.match((await scene.ask("GET", "/api/events?topics=moon")).text, /There is no topic \\"moon\\"/);
  await using stack = new AsyncDisposableStack();
  for (let pages = 1; pages < 32; pages++) stack.use(await listen(scene, "topics=sessions"));
  assert.equal((await listen(scene, "topics=sessions")).status, 400);
});
