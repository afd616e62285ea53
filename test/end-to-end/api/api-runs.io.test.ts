import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ApiScene, until } from "../support/api-scene.ts";

interface RunObject {
  readonly object: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly output?: string;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
  readonly error?: unknown;
  readonly last_event: string | null;
}

interface RunEvent {
  readonly event: string;
  readonly run_id: string;
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

async function start(scene: ApiScene, body: object): Promise<string> {
  const started = await scene.ask("POST", "/v1/runs", { body });
  assert.deepEqual([started.status, started.json<RunObject>().status], [202, "started"], started.text);
  assert.match(started.json<RunObject>().run_id, /^run_[0-9a-f]{32}$/);
  return started.json<RunObject>().run_id;
}

const status = async (scene: ApiScene, id: string): Promise<RunObject> =>
  (await scene.ask("GET", `/v1/runs/${id}`)).json<RunObject>();
const over = (scene: ApiScene, id: string): Promise<RunObject> =>
  until(
    () => status(scene, id),
    ({ status: now }) => ["completed", "failed", "cancelled"].includes(now),
  );
const waiting = (scene: ApiScene, id: string): Promise<RunObject> =>
  until(
    () => status(scene, id),
    ({ status: now }) => now === "waiting_for_approval",
  );

async function events(scene: ApiScene, id: string, query = ""): Promise<readonly RunEvent[]> {
  const { status: code, text, headers } = await scene.ask("GET", `/v1/runs/${id}/events${query}`);
  assert.deepEqual([code, headers["x-content-type-options"]], [200, "nosniff"]);
  assert.match(text, /: stream closed\n\n$/);
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as RunEvent);
}

// req: api-server.adapter
test("starts, watches and polls a run, and replays its events", async () => {
  await using scene = await ApiScene.open([
    { thinking: "Hm.", text: "I look.", calls: [{ tool: "read_file", args: { path: "notes.txt" } }] },
    { text: "It sleeps." },
  ]);
  scene.prompter.write("notes.txt", "the weasel sleeps\n");
  const id = await start(scene, { input: "look", instructions: "Be brief." });
  const ended = await over(scene, id);
  assert.deepEqual(
    [ended.object, ended.run_id, ended.session_id, ended.status, ended.output, ended.usage, ended.last_event],
    [
      "hermes.run",
      id,
      id,
      "completed",
      "It sleeps.",
      { input_tokens: 200, output_tokens: 20, total_tokens: 220 },
      "run.completed",
    ],
  );
  const all = await events(scene, id);
  assert.equal(
    all.every(({ run_id, timestamp }) => run_id === id && Math.abs(timestamp - Date.now() / 1000) < 60),
    true,
  );
  assert.equal(
    all
      .filter(({ event }) => event === "message.delta")
      .map(({ delta }) => delta)
      .join(""),
    "I look.\n\nIt sleeps.",
  );
  assert.deepEqual(
    all.map(({ event }) => event).filter((event) => event !== "message.delta"),
    ["reasoning.available", "tool.started", "tool.completed", "run.completed"],
  );
  assert.deepEqual(
    all.filter(({ event }) => event.startsWith("tool.")).map(({ tool, preview, error }) => [tool, preview, error]),
    [
      ["read_file", "notes.txt", undefined],
      ["read_file", undefined, false],
    ],
  );
  assert.deepEqual(await events(scene, id), all);
  assert.deepEqual(await events(scene, id, `?after=${all.length - 1}`), all.slice(-1));
  assert.match(String(scene.sent[0]!.messages[0]!.content), /Be brief\./);
});

test("a run continues in the named session, in the order of requests", async () => {
  await using scene = await ApiScene.open(({ body }) => ({
    text: `to ${/say (\w+)/.exec(body.slice(body.lastIndexOf('"role":"user"')))?.[1]}`,
    firstAfterMs: 300,
  }));
  const first = await start(scene, { input: [{ role: "user", content: "say a" }], session_id: "work" });
  const second = await start(scene, { input: "say b", session_id: "work" });
  assert.deepEqual(
    [(await over(scene, first)).output, (await over(scene, second)).output, (await status(scene, second)).session_id],
    ["to a", "to b", "work"],
  );
  assert.deepEqual(
    scene.sent[1]!.messages.map(({ role }) => role),
    ["system", "user", "assistant", "user"],
  );
});

const RISKY = { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] };

test("asks a run's watcher for approval: an approved call runs, a denied one does not", async () => {
  await using scene = await ApiScene.open(({ body }) => (body.includes('"role":"tool"') ? { text: "Over." } : RISKY));
  for (const [choice, gone] of [
    ["deny", false],
    ["approve", true],
  ] as const) {
    scene.prompter.write("build/out.txt", "x");
    const id = await start(scene, { input: "clean up" });
    await waiting(scene, id);
    for (const wrong of [{}, { choice: "yes" }, { choice: "toString" }, { choice: 1 }]) {
      const refused = await scene.ask("POST", `/v1/runs/${id}/approval`, { body: wrong });
      assert.deepEqual(
        [refused.status, refused.json<{ readonly error: { readonly code: string } }>().error.code],
        [400, "invalid_approval_choice"],
      );
    }
    assert.equal(
      (await scene.ask("POST", `/v1/runs/${id}/approval`, { body: { choice: "once", approval_id: "another" } })).status,
      409,
    );
    assert.equal(
      (await scene.ask("POST", `/v1/runs/${id}/approval`, { body: { choice: "once" }, key: "wrong-wrong-wrong-wrong" }))
        .status,
      401,
    );
    assert.equal(existsSync(join(scene.prompter.folder, "build/out.txt")), true);
    const answered = await scene.ask("POST", `/v1/runs/${id}/approval`, { body: { choice } });
    assert.deepEqual(answered.json(), {
      object: "hermes.run.approval_response",
      run_id: id,
      choice: choice === "deny" ? "deny" : "once",
      resolved: 1,
    });
    assert.equal((await over(scene, id)).output, "Over.");
    assert.equal(existsSync(join(scene.prompter.folder, "build/out.txt")), !gone, choice);
    const all = await events(scene, id);
    const asked = all.find(({ event }) => event === "approval.request")!;
    assert.deepEqual(
      [asked["command"], asked["pattern_key"], asked["choices"], asked["allow_permanent"]],
      [
        "rm -rf build",
        "recursive delete",
        ["once", "session", "always", "deny"].filter((one) => one !== "always" || asked["allow_permanent"] === true),
        (asked["choices"] as readonly string[]).includes("always"),
      ],
    );
    assert.match(String(asked["description"]), /^Approval needed: recursive delete\n\$: rm -rf build\nin: /);
    assert.equal(
      all.find(({ event }) => event === "approval.responded")?.["choice"],
      choice === "deny" ? "deny" : "once",
    );
    const late = await scene.ask("POST", `/v1/runs/${id}/approval`, { body: { choice: "once" } });
    assert.deepEqual(
      [late.status, late.json<{ readonly error: { readonly code: string } }>().error.code],
      [409, "approval_not_active"],
    );
  }
});

test("a missing answer is a denial, and a chat completion cannot ask", async () => {
  await using scene = await ApiScene.open(({ body }) => (body.includes('"role":"tool"') ? { text: "Over." } : RISKY), {
    config: "approvals:\n  timeout: 1\n",
  });
  scene.prompter.write("build/out.txt", "x");
  const id = await start(scene, { input: "clean up" });
  assert.equal((await over(scene, id)).output, "Over.");
  assert.match(JSON.stringify(scene.sent.at(-1)!.messages.at(-1)), /No one answered within 1 s/);
  await scene.ask("POST", "/v1/chat/completions", { body: { messages: [{ role: "user", content: "clean up" }] } });
  assert.match(JSON.stringify(scene.sent.at(-1)!.messages.at(-1)), /no user is connected, so it was not run/);
  assert.equal(existsSync(join(scene.prompter.folder, "build/out.txt")), true);
});

test("stops a running run at once, and a queued one before it starts", async () => {
  await using scene = await ApiScene.open([
    { text: "a long answer that is never said to its end ".repeat(20), betweenMs: 200 },
  ]);
  const first = await start(scene, { input: "talk", session_id: "one" });
  await until(
    () => scene.model.requests.length,
    (count) => count === 1,
  );
  const second = await start(scene, { input: "talk more", session_id: "one" });
  assert.deepEqual([(await status(scene, first)).status, (await status(scene, second)).status], ["running", "queued"]);
  for (const id of [second, first])
    assert.deepEqual((await scene.ask("POST", `/v1/runs/${id}/stop`)).json(), { run_id: id, status: "stopping" });
  for (const id of [first, second]) assert.equal((await over(scene, id)).status, "cancelled");
  assert.equal((await events(scene, first)).at(-1)?.event, "run.cancelled");
  assert.deepEqual((await scene.ask("POST", `/v1/runs/${first}/stop`)).json(), { run_id: first, status: "cancelled" });
});

test("an accepted run survives kill -9: the next process resumes it, repeats no call, and reports its end", async () => {
  await using scene = await ApiScene.open([
    { calls: [{ tool: "terminal", args: { command: "echo ran >> ran.txt" } }] },
    { stallAfterBytes: 1 },
    { text: "Done." },
    { text: "The second." },
  ]);
  const first = await start(scene, { input: "do it", session_id: "work" });
  await until(
    () => scene.model.requests.length,
    (count) => count === 2,
  );
  const second = await start(scene, { input: "and this", session_id: "work" });
  await scene.end("SIGKILL");
  await scene.serve();
  assert.deepEqual([(await over(scene, first)).output, (await over(scene, second)).output], ["Done.", "The second."]);
  assert.equal(readFileSync(join(scene.prompter.folder, "ran.txt"), "utf8"), "ran\n");
  await scene.end("SIGKILL");
  await scene.serve();
  const message = await status(scene, first);
  assert.deepEqual([message.status, message.output, message.session_id], ["completed", "Done.", "work"]);
  assert.deepEqual(
    (await events(scene, first)).map(({ event, output }) => [event, output]),
    [["run.completed", "Done."]],
  );
  assert.equal(scene.model.requests.length, 4);
});

test("asks again for an approval that was pending at a kill", async () => {
  await using scene = await ApiScene.open(({ body }) => (body.includes('"role":"tool"') ? { text: "Over." } : RISKY));
  scene.prompter.write("build/out.txt", "x");
  const id = await start(scene, { input: "clean up" });
  await waiting(scene, id);
  await scene.end("SIGKILL");
  await scene.serve();
  await waiting(scene, id);
  await scene.ask("POST", `/v1/runs/${id}/approval`, { body: { choice: "once" } });
  assert.equal((await over(scene, id)).output, "Over.");
  assert.equal(existsSync(join(scene.prompter.folder, "build/out.txt")), false);
});

test("reports an unknown run and an invalid request", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }]);
  for (const [method, path] of [
    ["GET", "/v1/runs/run_x"],
    ["GET", "/v1/runs/run_x/events"],
    ["POST", "/v1/runs/run_x/approval"],
    ["POST", "/v1/runs/run_x/stop"],
  ] as const) {
    const refused = await scene.ask(method, path, method === "POST" ? { body: { choice: "once" } } : {});
    assert.deepEqual(
      [refused.status, refused.json<{ readonly error: { readonly code: string } }>().error.code],
      [404, "run_not_found"],
      path,
    );
  }
  for (const body of [
    {},
    { input: 7 },
    { input: "" },
    { input: "hi", instructions: 7 },
    { input: "hi", conversation_history: "x" },
    { input: "hi", session_id: "../x" },
    { input: "hi", previous_response_id: "resp_1" },
  ])
    assert.equal((await scene.ask("POST", "/v1/runs", { body })).status, 400, JSON.stringify(body));
  assert.equal(scene.model.requests.length, 0);
});
