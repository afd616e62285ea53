import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RecordedRequest } from "../../servers/script.ts";
import { chatScene } from "../support/chatting.ts";

const RM = "rm -rf old";

/** A model that makes the requested call and reports its result. */
function obeying({ body }: RecordedRequest) {
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  const last = messages.at(-1)!;
  if (last.role === "tool") return { text: `The tool said: ${last.content}` };
  const words = last.content.slice(last.content.lastIndexOf("\n") + 1);
  if (words.startsWith("wipe")) return { calls: [{ tool: "terminal", args: { command: RM } }] };
  if (words.startsWith("ask"))
    return { calls: [{ tool: "clarify", args: { question: "Which colour?", choices: ["red", "blue"] } }] };
  return { text: `You said: ${words}` };
}

// req: approval.gateway-callback
test("asks for an approval only in the turn's chat, accepts an answer only there, and serves other chats meanwhile", async () => {
  await using scene = await chatScene(obeying, {
    config: "approvals:\n  mode: manual\nplatforms:\n  loopback-chat:\n    extra:\n      allow_admin_from: ada\n",
    env: { LOOPBACK_CHAT_ALLOWED_USERS: "ada, eve" },
  });
  const { chat, prompter: user } = scene;
  const next = async (chat_id: string): Promise<string> => {
    const received = await chat.arrived();
    assert.equal(received.chat_id, chat_id, received.text);
    return received.text;
  };
  mkdirSync(join(user.folder, "old"));
  await scene.serve();
  await chat.write("room", "ada", "wipe it");
  const asked = await next("room");
  assert.match(asked, /^⚠ Approval needed: /);
  assert.ok(asked.includes(`$ ${RM}`) && asked.includes("/approve") && asked.includes("no answer is a denial"), asked);

  await chat.write("elsewhere", "ada", "/approve");
  assert.equal(await next("elsewhere"), "No approval is pending.");
  await chat.write("room", "eve", "/approve");
  assert.equal(
    await next("room"),
    "Only admins of this chat may run /approve. /whoami lists the commands you may run.",
  );
  await chat.write("elsewhere", "eve", "hello");
  assert.equal(await next("elsewhere"), "You said: hello");
  await chat.write("room", "mallory", "/approve");
  await chat.write("elsewhere", "eve", "still there?");
  assert.equal(await next("elsewhere"), "You said: still there?");
  assert.ok(existsSync(join(user.folder, "old")), "nothing has run");

  await chat.write("room", "ada", "/approve");
  const message = [await next("room"), await next("room")];
  assert.ok(message.includes("Approved."), String(message));
  assert.ok(
    message.some((text) => text.startsWith("The tool said:") && !text.includes("refused")),
    String(message),
  );
  assert.ok(!existsSync(join(user.folder, "old")));

  mkdirSync(join(user.folder, "old"));
  await chat.write("room", "ada", "wipe it again");
  assert.match(await next("room"), /^⚠ Approval needed/);
  await chat.write("room", "ada", "/deny I need it");
  const refused = [await next("room"), await next("room")];
  assert.ok(refused.includes("Denied."), String(refused));
  assert.ok(
    refused.some((text) => /The user refused this call.*I need it/.test(text)),
    String(refused),
  );
  assert.ok(existsSync(join(user.folder, "old")));

  await chat.write("room", "ada", "ask me");
  assert.equal(await next("room"), "Which colour?\n1. red\n2. blue\nAnswer with a number or your own text.");
  await chat.write("room", "ada", "2");
  assert.match(await next("room"), /The tool said:.*blue/s);
});

// row 49 of the fault matrix
test("denies an approval that no user answers in time: nothing runs, and the model receives the denial", async () => {
  await using scene = await chatScene(obeying, { config: "approvals:\n  mode: manual\n  timeout: 1\n" });
  mkdirSync(join(scene.prompter.folder, "old"));
  await scene.serve();
  await scene.chat.write("room", "ada", "wipe it");
  assert.match((await scene.chat.arrived()).text, /^⚠ Approval needed/);
  const message = [(await scene.chat.arrived()).text, (await scene.chat.arrived()).text].join("\n");
  assert.match(message, /No one answered in time, so this was not done\./);
  assert.match(message, /Silence is not consent/);
  assert.ok(existsSync(join(scene.prompter.folder, "old")));
});
