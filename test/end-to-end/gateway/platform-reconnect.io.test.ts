import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { chatScene } from "../support/chatting.ts";
import { withTimeout } from "../../../src/testing/wait-for.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

for (const plugin of ["loopback-chat", "loopback-chat-python"] as const) {
  const needs = plugin === "loopback-chat" || hasPython ? {} : { skip: "there is no python3" };
  // req: plugins.platform-register, plugins.platform-python
  test(`the gateway reconnects and sends an answer that it finished while disconnected: ${plugin}`, needs, async () => {
    const asked = Promise.withResolvers<void>();
    const answers = ["Before.", "Meanwhile.", "After."];
    const script = (request: { readonly body: string }) => {
      const text =
        answers[
          (JSON.parse(request.body) as { readonly messages: readonly { readonly role: string }[] }).messages.filter(
            ({ role }) => role === "user",
          ).length - 1
        ] ?? "";
      if (text === "Meanwhile.") asked.resolve();
      return { text, headAfterMs: text === "Meanwhile." ? 500 : 0 };
    };
    await using scene = await chatScene(script, { plugin });
    await scene.serve();
    await scene.chat.write("room", "ada", "one");
    assert.equal((await scene.chat.arrived()).text, "Before.");
    await scene.chat.write("room", "ada", "two");
    await withTimeout(asked.promise, { what: "the question is asked" });
    await scene.chat.cut();
    assert.equal((await scene.chat.arrived()).text, "Meanwhile.");
    await scene.chat.write("room", "ada", "three");
    assert.equal((await scene.chat.arrived()).text, "After.");
    assert.match(scene.log(), /lost its connection: the chat server ended the connection/);
  });
}
