import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ended, NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";

const ASLEEP_MS = 1_500;

test("row 39: resumes a turn after the agent slept: retries, takes the finished result, runs nothing twice", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer((_, number) =>
    number === 1
      ? { text: "half of an answer", stallAfterBytes: 500 }
      : number === 2
        ? { calls: [{ tool: "terminal", args: { command: "echo ran >>counter; sleep 1; cat counter" } }] }
        : { text: "I have seen it." },
  );
  user.connect("custom", server.url);
  const child = user.start(["chat", "-q", "count"]);
  const done = ended(child);
  while (server.requests.length === 0) await wait(20);
  await sleeps(child.pid!, () => server.dropConnections());
  while (server.requests.length === 1 && child.exitCode === null) await wait(20);
  await wait(500);
  await sleeps(child.pid!);
  const { status, out, err } = await done;
  assert.equal(status, 0, err);
  assert.match(out, /I have seen it\./);
  assert.equal(server.requests.length, 3);
  assert.match(server.requests[2]!.body, /"content":"\{\\"output\\":\\"ran\\",\\"exit_code\\":0/);
});

async function sleeps(pid: number, meanwhile = (): void => {}): Promise<void> {
  process.kill(pid, "SIGSTOP");
  meanwhile();
  await wait(ASLEEP_MS);
  process.kill(pid, "SIGCONT");
}
