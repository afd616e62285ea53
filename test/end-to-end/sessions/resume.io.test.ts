import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { ended, NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

// req: R-12
test("after a kill during a tool, --continue reports the interruption, continues, and does not run the tool twice", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer((_, number) =>
    number === 1
      ? { calls: [{ tool: "terminal", args: { command: "echo ran >> counter; sleep 30" } }] }
      : { text: "I looked: it had run once." },
  );
  user.connect("custom", server.url);
  const child = user.start(["chat", "-q", "count"]);
  const first = ended(child);
  const counter = join(user.folder, "counter");
  await waitFor(() => existsSync(counter));
  child.kill("SIGKILL");
  assert.equal((await first).signal, "SIGKILL");
  const { status, out, err } = await user.run(["--continue"]);
  assert.equal(status, 0, err);
  assert.match(err, /terminal.*interrupted/i);
  assert.match(out, /it had run once/);
  assert.equal(readFileSync(counter, "utf8"), "ran\n");
  assert.match(server.requests.at(-1)?.body ?? "", /outcome unknown/);
});

test("resumes a session by --continue, ID and title", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Noted: blue." }, { text: "Blue." }, { text: "Still blue." }]);
  user.connect("custom", server.url);
  await user.run(["chat", "-q", "my colour is blue"]);
  const second = await user.run(["chat", "--continue", "-q", "which colour?"]);
  assert.equal(second.status, 0, second.err);
  assert.match(server.requests[1]?.body ?? "", /my colour is blue.*Noted: blue\./);
  const [session] = JSON.parse((await user.run(["sessions", "list", "--json"])).out) as [{ id: string; turns: number }];
  assert.equal(session.turns, 2);
  await user.run(["sessions", "rename", session.id, "colours", "I", "like"]);
  const third = await user.run(["chat", "--resume", "colours I like", "-q", "sure?"]);
  assert.equal(third.status, 0, third.err);
  assert.match(third.out, /Still blue/);
  const prefixes = server.requests.map(({ body }) => {
    const { messages, tools } = JSON.parse(body) as { messages: readonly unknown[]; tools: unknown };
    return JSON.stringify([messages[0], tools]);
  });
  assert.equal(new Set(prefixes).size, 1, "the prefix is byte-identical over resumes");
});

// req: R-01
test("fifty simultaneous one-shots in one home all succeed and are stored", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(() => ({ text: "ok" }));
  user.connect("custom", server.url);
  await user.run(["chat", "-q", "warm"]);
  const runs = await Promise.all(
    Array.from({ length: 50 }, (_, index) => user.run(["chat", "-q", `question ${index}`])),
  );
  assert.deepEqual(
    runs.filter(({ status }) => status !== 0).map(({ err }) => err),
    [],
  );
  const sessions = JSON.parse(
    (await user.run(["sessions", "list", "--json", "--limit", "100"])).out,
  ) as readonly unknown[];
  assert.equal(sessions.length, 51);
});

test("Ctrl-C while an interrupted turn resumes stops that turn, and the next question is not sent", async () => {
  using user = new NewUser();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using server = await startOpenAiServer((_, number) => {
    begun[number - 1]?.resolve();
    return { headAfterMs: 60_000, text: "never" };
  });
  user.connect("custom", server.url);
  const first = user.start(["chat", "-q", "count"]);
  await begun[0]!.promise;
  const gone = ended(first);
  first.kill("SIGKILL");
  await gone;
  const second = user.start(["chat", "--continue", "-q", "delete the rest"]);
  const over = ended(second);
  await begun[1]!.promise;
  second.kill("SIGINT");
  assert.equal((await over).status, 130);
  assert.equal(server.requests.length, 2);
  assert.doesNotMatch(JSON.stringify(server.requests), /delete the rest/);
});
