import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";
import { signature } from "../../../src/platform/signature.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { chatScene, gone, type ChatScene } from "../support/chatting.ts";

const SECRET = "a-signing-secret";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

function config(routes: readonly string[], extra = ""): string {
  const lines = routes.map(
    (name) =>
      `        ${name}: { secret: ${SECRET}, prompt: "Say {word}", deliver: loopback-chat, deliver_extra: { chat_id: room } }`,
  );
  return `platforms:\n  webhook:\n    enabled: true\n    extra:\n      rate_limit: 0\n${extra}      routes:\n${lines.join("\n")}\n`;
}

function poster(port: number) {
  return async (route: string, id: string, word = id): Promise<number> => {
    const body = JSON.stringify({ word });
    const headers = { "x-request-id": id, "x-hub-signature-256": signature({ key: SECRET, signed: [body] }) };
    const reply = await fetch(`http://127.0.0.1:${port}/webhooks/${route}`, { method: "POST", body, headers });
    await reply.arrayBuffer();
    return reply.status;
  };
}

// row 41 of the fault matrix
test("answers an accepted webhook once, even if the gateway is killed and the sender repeats the webhook", async () => {
  const port = await freePort();
  await using scene = await chatScene([{ text: "kettle" }, { text: "pot" }], {
    config: config(["git"]),
    env: { WEBHOOK_PORT: String(port) },
  });
  const post = poster(port);
  const first = await scene.serve();
  assert.equal(await post("git", "one"), 202);
  first.kill("SIGKILL");
  await gone(first);
  await scene.serve();
  assert.equal(await post("git", "one"), 200);
  await scene.chat.until(() => scene.chat.shown("room").length === 1);
  assert.equal(await post("git", "two"), 202);
  await scene.chat.until(() => scene.chat.shown("room").length === 2);
  assert.deepEqual(scene.chat.shown("room"), ["kettle", "pot"]);
  assert.equal(scene.model.requests.length, 2);
});

// row 43 of the fault matrix
test("refuses most of a flood of 10,000 messages, accepts all of other senders, and answers all it accepted", async () => {
  const port = await freePort();
  const answer = { text: "done" };
  await using scene = await chatScene(() => answer, {
    config: config(["flood", "ada", "bob"], "      max_waiting_per_sender: 60\n"),
    env: { WEBHOOK_PORT: String(port) },
  });
  const post = poster(port);
  await scene.serve();
  const statuses = new Map<number, number>();
  const accepted: string[] = [];
  const send = async (route: string, id: string): Promise<void> => {
    const status = await post(route, id);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 202) accepted.push(id);
  };
  const queue = Array.from({ length: 10_000 }, (_, at) => ({
    route: at % 1_000 === 500 ? (at % 2_000 === 500 ? "ada" : "bob") : "flood",
    id: `m${at}`,
  }));
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await send(next.route, next.id);
    }),
  );
  assert.deepEqual([...statuses.keys()].toSorted(), [202, 429]);
  const refused = statuses.get(429) ?? 0;
  assert.ok(refused > 5_000, `refused ${refused}`);
  // The gateway never refused a sender of few messages.
  for (let at = 500; at < 10_000; at += 1_000) assert.ok(accepted.includes(`m${at}`), `m${at}`);
  await waitFor(() => scene.chat.shown("room").length === accepted.length, { timeoutMs: 120_000 });
  assert.equal(unfinished(scene), 0);
  assert.equal(scene.model.requests.length, accepted.length);
});

/** Messages in the inbox that were not answered. */
function unfinished({ prompter }: ChatScene): number {
  using file = new DatabaseSync(join(prompter.agentHome, "state.db"), { readOnly: true });
  return Number(file.prepare("SELECT count(*) AS open FROM chat_inbox WHERE state <> 'done'").get()?.["open"]);
}
