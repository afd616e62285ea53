import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startChatServer } from "../../examples/plugins/loopback-chat/chat-server.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { withTimeout } from "../../src/testing/wait-for.ts";

const PLUGIN = join(import.meta.dirname, "../../examples/plugins/loopback-chat");

// req: R-03, tool-send-message.send
test(
  "kill -9 between storing and sending a send_message call: the next gateway sends it once",
  { timeout: 300_000 },
  async () => {
    await using model = await startOpenAiServer(({ body }) => {
      const words = [...body.matchAll(/message (\d+)/g)].at(-1)?.[1];
      return words === "1" && !body.includes('"role":"tool"')
        ? { calls: [{ tool: "send_message", args: { target: "loopback-chat", message: "Tea is ready." } }] }
        : { text: `answer ${words}` };
    });
    await using chat = await startChatServer();
    using user = new NewUser();
    cpSync(PLUGIN, join(user.agentHome, "plugins/loopback-chat"), { recursive: true });
    user.connect("custom", model.url, "plugins:\n  enabled: [loopback-chat]\n");
    const first = await start(chat.port, user, "before:sending");
    await chat.write("room", "ada", "message 1", "id1");
    if (first.exitCode === null && first.signalCode === null)
      await withTimeout(once(first, "exit"), { what: "the process exits" });
    assert.equal(first.signalCode, "SIGKILL");
    const second = await start(chat.port, user, "never");
    try {
      const received = [await chat.arrived(), await chat.arrived()];
      assert.deepEqual(
        received.toSorted((a, b) => (a.chat_id < b.chat_id ? -1 : 1)),
        [
          { chat_id: "home", text: "Tea is ready." },
          { chat_id: "room", text: "answer 1" },
        ],
      );
      // A duplicate would arrive before the answer to this message.
      await chat.write("room", "ada", "message 2", "id2");
      assert.deepEqual(await chat.arrived(), { chat_id: "room", text: "answer 2" });
    } finally {
      second.kill("SIGKILL");
    }
  },
);

async function start(port: number, { home, folder }: NewUser, point: string): Promise<ChildProcess> {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    LOOPBACK_CHAT_PORT: String(port),
    LOOPBACK_CHAT_ALLOWED_USERS: "ada",
    LOOPBACK_CHAT_HOME_CHANNEL: "home",
  };
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", join(import.meta.dirname, "chat-gateway.ts"), String(port), point, "message 1"],
    { env, cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = (await withTimeout(once(child.stdout, "data"), { what: "the process prints a line" })) as [Buffer];
  assert.equal(line.toString(), "serving\n");
  return child;
}
