import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Job } from "../../../src/contract/services/job.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import { chatScene, type ChatScene } from "../support/chatting.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const HOME = { LOOPBACK_CHAT_HOME_CHANNEL: "home" };

function lastUser({ body }: RecordedRequest): { readonly text: string; readonly results: number } {
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const words = messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
  return { text: words.at(-1) ?? "", results: messages.filter(({ role }) => role === "tool").length };
}

async function cron<T>(scene: ChatScene, ...args: string[]): Promise<T> {
  const { out, err } = await scene.prompter.run(["cron", ...args, "--json"]);
  assert.notEqual(out, "", err);
  return JSON.parse(out) as T;
}

// req: cron.deliver, plugins.platform-cron-delivery
test("delivers a job's output to its chat or the platform's home channel; reports an unknown platform in the job", async () => {
  const script = (request: RecordedRequest): ScriptedReply => {
    const { text, results } = lastUser(request);
    if (text.includes("remind me"))
      return results === 0
        ? {
            calls: [
              { tool: "cronjob", args: { action: "create", schedule: "every 1h", prompt: "say tea", name: "tea" } },
            ],
          }
        : { text: "I will." };
    return { text: text.includes("say tea") ? "Time for tea." : "Good morning, home." };
  };
  await using scene = await chatScene(script, { env: HOME, config: "cron:\n  wrap_response: false\n" });
  const gateway = await scene.serve();
  await scene.chat.write("room", "ada", "remind me of tea");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "I will." });
  const [tea] = await cron<readonly Job[]>(scene, "list");
  assert.deepEqual([tea?.deliver, tea?.origin?.platform, tea?.origin?.chat_id], ["origin", "loopback-chat", "room"]);
  await cron(scene, "run", "tea");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "Time for tea." });

  const morning = await cron<Job>(scene, "create", "every 1d", "say good morning", "--deliver", "loopback-chat,nosuch");
  await cron(scene, "run", morning.id);
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "home", text: "Good morning, home." });
  await waitFor(async () =>
    (await cron<readonly Job[]>(scene, "list", "--all")).some(
      ({ id, last_delivery_error }) =>
        id === morning.id && last_delivery_error?.startsWith('There is no chat platform "nosuch".') === true,
    ),
  );
  gateway.kill("SIGTERM");
});

// req: cron.background-ticker
test("jobs and chat turns run concurrently", async () => {
  const script = (request: RecordedRequest): ScriptedReply => {
    const { text, results } = lastUser(request);
    if (!text.includes("think long")) return { text: "At once." };
    return results === 0
      ? { calls: [{ tool: "terminal", args: { command: "until [ -e release ]; do sleep 0.2; done" } }] }
      : { text: "Thought." };
  };
  await using scene = await chatScene(script, { env: HOME });
  const began = join(scene.prompter.folder, "began");
  const go = join(scene.prompter.folder, "go");
  scene.prompter.write(
    "~/.hermes/scripts/long.sh",
    `: > "${began}"; until [ -e "${go}" ]; do sleep 0.2; done; echo The long job is done.\n`,
  );
  const gateway = await scene.serve();
  await scene.chat.write("room", "ada", "think long");
  const job = await cron<Job>(
    scene,
    "create",
    "every 1d",
    "--script",
    "long.sh",
    "--no-agent",
    "--deliver",
    "loopback-chat",
  );
  await cron(scene, "run", job.id);
  await waitFor(() => existsSync(began));
  // The job runs, the first chat's turn runs: another chat is answered beside both.
  await scene.chat.write("other", "ada", "hello");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "other", text: "At once." });
  scene.prompter.write("go", "");
  const message = await scene.chat.arrived();
  assert.deepEqual([message.chat_id, message.text.includes("The long job is done.")], ["home", true]);
  scene.prompter.write("release", "");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "Thought." });
  gateway.kill("SIGTERM");
});
