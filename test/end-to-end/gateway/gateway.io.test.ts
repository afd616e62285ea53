import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { chatScene, gone, type ChatScene } from "../support/chatting.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

// req: plugins.platform-register, plugins.platform-hint, gateway.run-and-start
test("answers a message in its chat from a separate session with the platform's hint in the system prompt", async () => {
  await using scene = await chatScene([{ text: "Hello, Ada." }, { text: "Hello again." }, { text: "still there" }]);
  const start = await scene.prompter.run(["gateway", "start"]);
  assert.equal(start.status, 1);
  assert.match(start.err, /No gateway service is installed\.\n.*`hermes gateway`/);
  const gateway = await scene.serve();
  // field: S18
  for (const verb of ["restart", "start"]) {
    const refused = await scene.prompter.run(["gateway", verb]);
    assert.equal(refused.status, 1);
    assert.match(
      refused.err,
      new RegExp(`in the foreground \\(process ${gateway.pid}\\)[^]*hermes gateway stop`),
      verb,
    );
  }
  await scene.chat.write("room", "ada", "hello");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "Hello, Ada." });
  await scene.chat.write("room", "ada", "and again");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "Hello again." });
  const [first, second] = scene.model.requests.map(
    ({ body }) =>
      JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: string }[] },
  );
  assert.match(String(first!.messages[0]!.content), /You are chatting over a plain line\. Keep answers short\./);
  assert.equal(second!.messages[0]!.content, first!.messages[0]!.content);
  assert.equal(await answeredAfter(gateway.pid!, scene), "still there");
  assert.equal((await scene.prompter.run(["gateway", "stop"])).out, `Stopped (process ${gateway.pid}).\n`);
  assert.equal(await gone(gateway), 0);
  assert.equal((await scene.prompter.run(["gateway", "stop"])).out, "The gateway is not running.\n");
});

// req: plugins.platform-python
test("serves a platform written in Python like one written in TypeScript", withPython, async () => {
  await using scene = await chatScene(
    [{ text: "Hello from Python's side." }, { stallAfterBytes: 1 }, { text: "The short answer." }],
    { plugin: "loopback-chat-python" },
  );
  await scene.serve();
  await scene.chat.write("room", "ada", "hello");
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "Hello from Python's side." });
  // A message during a turn interrupts it, and only that message is answered.
  await scene.chat.write("room", "ada", "something long");
  while (scene.model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await scene.chat.write("room", "ada", "no, something short");
  assert.equal((await scene.chat.arrived()).text, "The short answer.");
});

/** Kills the plugins' processes, and returns the answer that arrives after their channels have reconnected. */
async function answeredAfter(gateway: number, { chat }: ChatScene): Promise<string> {
  const children = `/proc/${gateway}/task/${gateway}/children`;
  // This file exists only on Linux; elsewhere the test kills nothing and the answer still arrives.
  for (const child of existsSync(children) ? readFileSync(children, "utf8").trim().split(" ") : [])
    process.kill(Number(child), "SIGKILL");
  let answer = chat.arrived();
  for (;;) {
    await chat.write("room", "ada", "still there?", "once");
    const received = await Promise.race([
      answer,
      new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), 200)),
    ]);
    // It may have been killed before it could say that the last answer had gone out.
    if (/do not know whether it arrived/.test(received?.text ?? "")) answer = chat.arrived();
    else if (received !== undefined) return received.text;
  }
}
