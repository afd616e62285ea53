import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { chatScene, gone, type ChatScene } from "../support/chatting.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

function left(home: string): readonly string[] {
  return existsSync(join(home, "background")) ? readdirSync(join(home, "background")) : [];
}

/** The next message; a kill may have come before the service confirmed the one before. */
async function certain(chat: ChatScene["chat"]): Promise<string> {
  const { text } = await chat.arrived();
  return /do not know whether it arrived/.test(text) ? certain(chat) : text;
}

// field: C12
test("a chat's background prompt survives kill -9 of the gateway: it is resumed, and its result arrives once", async () => {
  let stalls = true;
  await using scene = await chatScene(({ body }, number) =>
    body.includes("dig deep")
      ? stalls
        ? { text: "never whole", stallAfterBytes: 1 }
        : { text: "Found it." }
      : { text: `Answer ${number}.` },
  );
  const { chat, model, prompter } = scene;
  const first = await scene.serve();
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  assert.match(await message("/background"), /^Usage: \/background PROMPT/);
  const started = await message("/background dig deep");
  const id = /^Started (bg_\d{6}_[0-9a-f]{6}) in the background: “dig deep”\./.exec(started)?.[1];
  assert.ok(id, started);
  while (model.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
  // The chat stays usable meanwhile.
  assert.equal(await message("hello"), "Answer 2.");
  assert.match(await message("/agents"), new RegExp(`^${id} +background, working · \\d+ s · “dig deep”\n`));
  first.kill("SIGKILL");
  await gone(first);
  assert.deepEqual(left(prompter.agentHome), [`${id}.json`]);
  stalls = false;
  const second = await scene.serve();
  assert.equal(await certain(chat), `✓ ${id} is done: “dig deep”\n\nFound it.`);
  assert.match(await message("/agents"), /^No subagents and no background sessions\./);
  assert.deepEqual(left(prompter.agentHome), []);
  second.kill("SIGKILL");
  await gone(second);
  await scene.serve();
  await chat.write("room", "ada", "still there?");
  assert.match(await certain(chat), /^Answer \d\.$/, "no second announcement");
});

// field: C12
test("a guest chat neither sees nor stops another chat's background session; the starter stops it", async () => {
  await using scene = await chatScene(
    ({ body }) => (body.includes("dig deep") ? { text: "never whole", stallAfterBytes: 1 } : { text: "ok" }),
    { env: { LOOPBACK_CHAT_ALLOWED_USERS: "ada,eve" } },
  );
  const { chat } = scene;
  await scene.serve();
  const message = async (room: string, user: string, text: string): Promise<string> => {
    await chat.write(room, user, text);
    return (await chat.arrived()).text;
  };
  const id = /bg_\w+/.exec(await message("room", "ada", "/bg dig deep"))![0];
  assert.match(await message("den", "eve", "/agents"), /^No subagents/);
  assert.match(await message("den", "eve", `/agents stop ${id}`), /No agent has the id "bg_/);
  const ends = [await message("room", "ada", `/agents stop ${id}`), (await chat.arrived()).text].sort();
  assert.equal(ends[0], `Stopped ${id}.`);
  assert.match(ends[1]!, new RegExp(`^■ ${id} was stopped: “dig deep”`));
});

// field: C12
test(
  "on the screen a background session asks under its name and announces its result; after kill -9 the next start says it ended",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({
        remove: { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
        forever: { text: "never whole", stallAfterBytes: 1 },
        hello: { text: "Hi." },
      }),
    );
    user.connect("custom", server.url);
    let id = "";
    {
      await using terminal = await UserTerminal.open(user);
      await terminal.until(READY);
      await terminal.say("/background remove the build");
      await terminal.until(/Approval needed/);
      const asked = await terminal.until(/background session bg_\w+\s+“remove the build”/);
      assert.match(asked, /rm -rf build/);
      await terminal.until(/Esc denies/);
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // Keys that come at once are not meant for the dialog.
      await terminal.press("d");
      await terminal.until(/✓ bg_\w+ is done: “remove the build”\n\n +I have seen the result\./);
      await terminal.say("hello");
      await terminal.until(/Hi\./);
      await terminal.say("/background work forever");
      id = /Started (bg_\w+) in the background: “work/.exec(
        await terminal.until(/Started bg_\w+ in the background: “work/),
      )![1]!;
      await terminal.say("/agents");
      await terminal.until(new RegExp(`${id} +background, working`));
      process.kill(await terminal.pid(), "SIGKILL");
    }
    await using terminal = await UserTerminal.open(user);
    await terminal.until(new RegExp(`The background session ${id} ended with its process: “work\\s+forever”`));
    assert.deepEqual(left(user.agentHome), []);
    await terminal.say("/background work forever");
    await terminal.until(/Started bg_\w+/);
    await terminal.say("/quit");
    await terminal.until(
      /The background session bg_\w+ ends, too\. Resume it with: hermes --resume bg_\w+[^]*\[ended 0\]/,
    );
    assert.deepEqual(left(user.agentHome), []);
  },
);

// field: C12
test("/agents lists a live subagent with its goal and tokens, and stops it; the parent's turn continues", async () => {
  await using scene = await chatScene(({ body }) => {
    if (/"role":"tool"/.test(body)) return { text: "It was stopped, so I stop, too." };
    if (/please delegate/.test(body)) return { calls: [{ tool: "delegate_task", args: { goal: "count all sheep" } }] };
    return { text: "never whole", stallAfterBytes: 1 };
  });
  const { chat, model } = scene;
  await scene.serve();
  await chat.write("room", "ada", "please delegate");
  while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await chat.write("room", "ada", "/agents");
  const listed = (await chat.arrived()).text;
  const id = /^(\S+) +subagent, working · \d+ s · “count all sheep”\nStop one with: \/agents stop ID$/.exec(
    listed,
  )?.[1];
  assert.ok(id, listed);
  await chat.write("room", "ada", `/agents stop ${id}`);
  const texts = [(await chat.arrived()).text, (await chat.arrived()).text].sort();
  assert.deepEqual(texts, ["It was stopped, so I stop, too.", `Stopped ${id}.`]);
});
