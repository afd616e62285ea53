import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

/** The texts of the user's messages in a request. */
function asked({ body }: { readonly body: string }): readonly string[] {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { role: string; content: unknown }[] };
  return messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)).slice(-12));
}

// field: C12
test("in a chat /undo takes back an exchange; /retry answers once, also after kill -9 during the new turn", async () => {
  await using scene = await chatScene((_, number) =>
    number === 4 ? { text: "never whole", stallAfterBytes: 1 } : { text: `Answer ${number}.` },
  );
  const { chat, model } = scene;
  const first = await scene.serve();
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  assert.equal(await message("/undo"), "There is no exchange to take back.");
  assert.equal(await message("/retry"), "There is no message to send again.");
  assert.equal(await message("one"), "Answer 1.");
  assert.equal(await message("two"), "Answer 2.");
  assert.equal(await message("/undo many"), "Usage: /undo, or /undo N for the last N exchanges.");
  assert.equal(await message("/undo"), "Took back 1 exchange, from “two” on.");
  assert.equal(await message("three"), "Answer 3.");
  const [, second, third] = model.requests.map(({ body }) => JSON.parse(body) as { messages: readonly unknown[] });
  assert.equal(third!.messages.length, second!.messages.length);
  assert.deepEqual(third!.messages.slice(0, -1), second!.messages.slice(0, -1));

  assert.equal(await message("/retry"), "Sending again: “three”");
  while (model.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill("SIGKILL");
  await gone(first);
  await scene.serve();
  // The kill may have come before the service confirmed the notice.
  let answer = (await chat.arrived()).text;
  if (/do not know whether it arrived/.test(answer)) answer = (await chat.arrived()).text;
  assert.equal(answer, "Answer 5.");
  assert.equal(await message("four"), "Answer 6.");
  const last = asked(model.requests.at(-1)!);
  assert.deepEqual(
    last.map((text) => /(one|two|three|four)$/.exec(text)?.[1]),
    ["one", "three", "four"],
  );
});

for (const mode of [[], ["--tui"]])
  // field: C12
  test(
    `on the screen ${mode.join("")} /undo removes the exchange and puts its text into the editor`,
    { skip: NO_TMUX },
    async () => {
      using user = new NewUser();
      await using server = await startOpenAiServer(
        obliging({
          keep: { text: "Kept." },
          please: { calls: [{ tool: "write_file", args: { path: "made.txt", content: "x" } }] },
        }),
      );
      user.connect("custom", server.url);
      {
        await using terminal = await UserTerminal.open(user, mode);
        await terminal.until(READY);
        await terminal.say("keep this");
        await terminal.until(/Kept\./);
        await terminal.say("write it please");
        await terminal.until(() => existsSync(join(user.folder, "made.txt")));
        await terminal.until(/I have seen the result\./);
        await terminal.say("/undo");
        const screen = await terminal.until(/Files that were changed stay changed: \S*made\.txt\./);
        assert.match(screen, /Took back 1 exchange, from “write it please” on\./);
        assert.match(screen, /^ write it please/m, "the editor has the text");
        assert.match(screen, /› keep this/);
        assert.doesNotMatch(screen, /› write it please/);
        process.kill(await terminal.pid(), "SIGKILL");
      }
      const shown = await user.run(["chat", "--continue", "-Q", "-q", "/history"]);
      assert.match(shown.out, /› keep this\nKept\./);
      assert.doesNotMatch(shown.out, /write it/);
      assert.doesNotMatch((await user.run(["sessions", "search", "please"])).out, /write it please/);
    },
  );
