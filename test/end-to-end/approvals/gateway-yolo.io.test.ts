import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene } from "../support/chatting.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";

const wiping = ({ body }: RecordedRequest): ScriptedReply =>
  (JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] }).messages.at(-1)!.role === "tool"
    ? { text: "Done." }
    : { calls: [{ tool: "terminal", args: { command: "rm -rf old" } }] };

test("/yolo disables approvals in that conversation until /new or /yolo, but deny rules still apply", async () => {
  await using scene = await chatScene(wiping, { config: "approvals:\n  mode: manual\n" });
  const { chat, prompter: user } = scene;
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  const old = join(user.folder, "old");
  mkdirSync(old);
  await scene.serve();
  assert.match(await message("wipe it"), /rm -rf old/);
  assert.ok(existsSync(old));
  // Also in mid-turn: it holds from the next one on.
  assert.match(await message("/yolo"), /^Approvals are off for this session/);
  const denied = [await message("/deny not yet"), (await chat.arrived()).text];
  assert.deepEqual(denied.sort(), ["Denied.", "Done."]);
  assert.equal(await message("wipe it now"), "Done.");
  assert.ok(!existsSync(old));
  assert.match(scene.model.requests.at(-1)!.body, /wipe it"/, "it is the same conversation");
  mkdirSync(old);
  await message("/new");
  assert.match(await message("wipe it again"), /rm -rf old/);
  assert.match(await message("/stop"), /./);
  assert.ok(existsSync(old));
});

test("only the owner and admins may use /yolo", async () => {
  await using scene = await chatScene(wiping, {
    config:
      "approvals:\n  mode: manual\nplatforms:\n  loopback-chat:\n    extra:\n      allow_admin_from: ada\n      user_allowed_commands: yolo\n",
    env: { LOOPBACK_CHAT_ALLOWED_USERS: "ada,bob" },
  });
  const { chat } = scene;
  await scene.serve();
  await chat.write("bobs", "bob", "/yolo");
  assert.equal(
    (await chat.arrived()).text,
    "Only admins of this chat may run /yolo. /whoami lists the commands you may run.",
  );
  await chat.write("adas", "ada", "/yolo");
  assert.match((await chat.arrived()).text, /^Approvals are off/);
});
