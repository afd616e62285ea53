import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { chatScene, gone } from "../support/chatting.ts";

// req: slash.footer
test("/footer adds model, context and folder to the platform's answers and removes them; status shows the state", async () => {
  await using scene = await chatScene((_, number) => ({ text: `Answer ${number}.` }));
  const { chat } = scene;
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  await scene.serve();
  assert.equal(await message("one"), "Answer 1.");
  assert.equal(await message("/footer status"), "The status line under answers on loopback-chat is off.");
  assert.match(await message("/footer on"), /^The status line under answers on loopback-chat is now on/);
  assert.match(await message("two"), /^Answer 2\.\n\nloopback · \d+ % of context · \S+$/);
  assert.equal(await message("/footer status"), "The status line under answers on loopback-chat is on.");
  assert.match(await message("/footer off"), /^The status line under answers on loopback-chat is now off/);
  assert.equal(await message("three"), "Answer 3.");
  assert.equal(await message("/footer sideways"), "Usage: /footer on|off|status");
  // This sets it for every platform; a platform's own setting still wins.
  assert.match(
    (await scene.prompter.run(["chat", "-Q", "-q", "/footer on"])).out,
    /^The status line under answers in chats is now on/,
  );
  assert.equal(await message("four"), "Answer 4.");
});

// req: cli.curator, slash.curator
test("shell, CLI and chat show the same curator state of an agent's skill, and can pin, archive and restore it", async () => {
  const content = "---\nname: brew-tea\ndescription: Brews tea.\n---\n\nBoil water first.\n";
  await using scene = await chatScene((_, number) =>
    number === 1
      ? { calls: [{ tool: "skill_manage", args: { action: "create", name: "brew-tea", content } }] }
      : { text: "Saved." },
  );
  const { chat, prompter: user } = scene;
  const skill = join(user.agentHome, "skills/brew-tea/SKILL.md");
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  const shell = async (...words: readonly string[]): Promise<string> =>
    (await user.run(["curator", ...words])).out.trimEnd();
  await scene.serve();
  assert.equal(await message("remember how to brew tea"), "Saved.");
  assert.match((await user.run(["--help"])).out, /^ {2}curator +Archive and restore skills that the agent created$/m);
  const status = await shell("status");
  assert.match(status, /^curator: on\n[\s\S]*\n {2}brew-tea {2}active, used 0 times, last \S+$/);
  assert.equal(await message("/curator status"), status);
  assert.equal((await user.run(["chat", "-Q", "-q", "/curator status"])).out.trimEnd(), status);

  assert.equal(await shell("pause"), "The curator does not run automatically until `hermes curator resume`.");
  assert.match(await message("/curator"), /^curator: paused/);
  assert.equal(await message("/curator resume"), "The curator runs automatically again.");
  // As if it had been made long ago.
  const usage = join(user.agentHome, "skills/.usage.json");
  writeFileSync(
    usage,
    readFileSync(usage, "utf8").replace(/"created_at": "[^"]+"/, '"created_at": "2020-01-01T00:00:00.000Z"'),
  );
  assert.equal(await shell("pin", "brew-tea"), "The curator keeps brew-tea, however long it is not used.");
  assert.equal(await shell("run"), "Nothing to do.");
  assert.equal(await message("/curator unpin brew-tea"), "The curator may archive brew-tea again.");
  assert.match(await shell("run", "--dry-run"), /^archive brew-tea: not used for \d+ days\n\nNothing was changed\.$/);
  assert.ok(existsSync(skill));
  assert.match(await shell("run"), /^archive brew-tea/);
  assert.ok(!existsSync(skill));
  assert.equal(await message("/curator restore brew-tea"), "Restored brew-tea.");
  assert.equal(readFileSync(skill, "utf8"), content);
  assert.match(
    (await user.run(["curator", "restore", "brew-tea"])).err,
    /There is no archived skill "brew-tea"\.\nNothing is archived\./,
  );
});

test("starts a new conversation in an idle chat with a notice; /resume continues the previous one", async () => {
  await using scene = await chatScene((_, number) => ({ text: `Answer ${number}.` }), {
    config: "session_reset:\n  mode: idle\n  idle_minutes: 60\n",
  });
  const { chat, model, prompter: user } = scene;
  const first = await scene.serve();
  await chat.write("room", "ada", "one");
  assert.equal((await chat.arrived()).text, "Answer 1.");
  await chat.write("room", "ada", "two");
  assert.equal((await chat.arrived()).text, "Answer 2.");
  first.kill("SIGTERM");
  await gone(first);
  // Make the message two hours old.
  const state = new DatabaseSync(join(user.agentHome, "state.db"));
  state.exec("UPDATE chat_sessions SET at = at - 7200000");
  state.close();
  await scene.serve();
  await chat.write("room", "ada", "three");
  assert.deepEqual([(await chat.arrived()).text, (await chat.arrived()).text].sort(), [
    "Answer 3.",
    "New conversation, because the chat was idle for 60 minutes (session_reset). /resume continues the previous one.",
  ]);
  const message = model.requests.map(
    ({ body }) =>
      (JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] }).messages.filter(
        ({ role }) => role === "user",
      ).length,
  );
  assert.deepEqual(message, [1, 2, 1]);
  await chat.write("room", "ada", "/resume");
  assert.match((await chat.arrived()).text, /^Resumed /);
  await chat.write("room", "ada", "four");
  assert.equal((await chat.arrived()).text, "Answer 4.");
  assert.match(model.requests.at(-1)!.body, /"two"/);
});

test("counts the idle time of session_reset from the end of the turn, not from the message that started it", async () => {
  let state = "";
  await using scene = await chatScene(
    (_, number) => {
      // As if the first turn took two hours.
      using database = new DatabaseSync(state, { timeout: 20_000 });
      if (number === 1) database.exec("UPDATE chat_sessions SET at = at - 7200000");
      return { text: `Answer ${number}.` };
    },
    { config: "session_reset:\n  mode: idle\n  idle_minutes: 60\n" },
  );
  const { chat, prompter: user } = scene;
  state = join(user.agentHome, "state.db");
  await scene.serve();
  for (const [at, words] of ["one", "two"].entries()) {
    await chat.write("room", "ada", words);
    assert.equal((await chat.arrived()).text, `Answer ${at + 1}.`);
  }
});

test("simultaneous messages in several chats start at most max_concurrent_sessions turns", async () => {
  await using scene = await chatScene(() => ({ stallAfterBytes: 1 }), { config: "max_concurrent_sessions: 1\n" });
  const { chat } = scene;
  await scene.serve();
  const rooms = ["a", "b", "c"];
  await Promise.all(rooms.map((room) => chat.write(room, "ada", "something long")));
  const refused = [await chat.arrived(), await chat.arrived()];
  assert.deepEqual(
    refused.map(({ text }) => text),
    Array(2).fill("I am busy with other chats (1 of at most 1). Try again later."),
  );
  assert.equal(new Set(refused.map(({ chat_id }) => chat_id)).size, 2);
});

test("asks other chats to retry later at max_concurrent_sessions, and still accepts messages in the busy chat", async () => {
  await using scene = await chatScene(
    (request) =>
      request.body.includes("something long") && !request.body.includes("never mind")
        ? { stallAfterBytes: 1 }
        : { text: "Here." },
    { config: "max_concurrent_sessions: 1\n" },
  );
  const { chat, model } = scene;
  await scene.serve();
  await chat.write("room", "ada", "something long");
  while (model.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
  await chat.write("elsewhere", "ada", "hello");
  assert.deepEqual(await chat.arrived(), {
    chat_id: "elsewhere",
    text: "I am busy with other chats (1 of at most 1). Try again later.",
  });
  await chat.write("room", "ada", "never mind");
  assert.deepEqual(await chat.arrived(), { chat_id: "room", text: "Here." });
  // Its turn has ended once its answer is there, give or take a moment.
  for (let text = ""; text !== "Here.";) {
    await chat.write("elsewhere", "ada", "hello again");
    ({ text } = await chat.arrived());
  }
});
