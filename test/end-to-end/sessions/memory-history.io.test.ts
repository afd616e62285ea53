import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

const add = (content: string) => ({ calls: [{ tool: "memory", args: { action: "add", content } }] });

// field: C12
test("hermes memory shows where a note came from, edits it and undoes changes", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([add("The harbour code is Zanzibar-77."), { text: "noted" }]);
  user.connect("custom", server.url);
  const shell = async (...words: readonly string[]) => (await user.run(["memory", ...words])).out.trimEnd();
  assert.equal((await user.run(["chat", "-q", "remember the harbour code"])).status, 0);
  const [, id, session] = /^ {2}(\w{6}) {3}\S+ \S+ the agent in (\S+) {2}The harbour code is Zanzibar-77\.$/m.exec(
    await shell("list"),
  )!;
  assert.match(
    await shell("why", id!),
    new RegExp(
      `\\nsession ${session}, turn 1\\nasked {3}remember the harbour code\\nundo {4}hermes memory revert ${id}$`,
    ),
  );
  assert.equal(await shell("edit", id!, "The", "code", "is", "blue."), `Changed ${id}. New sessions read it.`);
  const [last = "", first = ""] = (await shell("log")).split("\n");
  assert.match(last, / you {2}memory: “The harbour code is Zanzibar-77\.” → “The code is blue\.”$/);
  await shell("revert", last.slice(0, 6));
  await shell("revert", first.slice(0, 6));
  assert.equal(readFileSync(join(user.agentHome, "memories/MEMORY.md"), "utf8").trim(), "");
  const wrong = await user.run(["memory", "revert", "nothing"]);
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.err, /There is no change "nothing"\.\n.*memory log/);
});

// field: C12
test("a write that needs approval waits if no user is connected, and the user approves it later", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([add("Likes tea."), { text: "It waits." }, { text: "hello" }]);
  user.connect("custom", server.url, "memory:\n  write_approval: true\n");
  await user.run(["chat", "-Q", "-q", "remember tea"]);
  assert.match(server.requests[1]!.body, /\\"staged\\":true,\\"pending_id\\":\\"\w{6}\\"/);
  const pending = (await user.run(["memory", "pending"])).out;
  assert.match(pending, /the agent in \S+ {2}memory: add “Likes tea\.”/);
  assert.match((await user.run(["memory", "approve", "all"])).out, /^Saved: \w{6}\. New sessions read it\.\n$/);
  await user.run(["chat", "-Q", "-q", "hi"]);
  assert.match(server.requests[2]!.body, /Likes tea\./);
});

// field: C12
test("/memory in a chat is available only to the owner, and the log survives kill -9 right after a change", async () => {
  await using scene = await chatScene(
    (_, number) =>
      number === 1 ? add("Tea at four.") : { text: "noted", stallAfterBytes: number === 2 ? 1 : undefined },
    {
      config:
        "platforms:\n  loopback-chat:\n    extra:\n      allow_admin_from: [ada]\n      user_allowed_commands: [memory, insights]\n",
      env: { LOOPBACK_CHAT_ALLOWED_USERS: "ada,eve" },
    },
  );
  const { chat, model } = scene;
  const first = await scene.serve();
  await chat.write("room", "ada", "remember tea");
  while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill("SIGKILL");
  await gone(first);
  await scene.serve();
  const answer = (await chat.arrived()).text;
  assert.match(answer, /noted|do not know/);
  const message = async (user: string, text: string): Promise<string> => {
    await chat.write(user === "ada" ? "room" : "den", user, text);
    for (;;) {
      const { text: shown } = await chat.arrived();
      if (!/^noted$|do not know whether/.test(shown)) return shown;
    }
  };
  assert.match(await message("ada", "/memory"), /the agent in \S+ {2}Tea at four\./);
  assert.equal(await message("eve", "/memory"), "/memory works only in a direct chat with my owner.");
  assert.equal(await message("eve", "/insights"), "Only a direct chat with my owner shows the usage of all sessions.");
});
