import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import { chatScene, gone, type ChatScene } from "../support/chatting.ts";
import { NO_TMUX, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

/** Answers as an agent that makes one egg a turn, and as a judge that wants `eggs` of them. */
function hen(eggs: number, stalls: (made: number) => boolean = () => false) {
  let made = 0;
  return ({ body }: Pick<RecordedRequest, "body">): ScriptedReply => {
    if (body.includes("You judge whether"))
      return { text: JSON.stringify({ done: made >= eggs, reason: `${made} of ${eggs} eggs` }) };
    if (/hello/.test(lastText(body))) return { text: "Hi." };
    if (stalls(made + 1)) return { text: "never whole", stallAfterBytes: 1 };
    made++;
    return { text: `Egg ${made}.` };
  };
}

function lastText(body: string): string {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: unknown }[] };
  return JSON.stringify(messages.at(-1)?.content);
}

/** The next messages, without reports of what a kill left in doubt. */
async function texts(chat: ChatScene["chat"], count: number): Promise<readonly string[]> {
  const all: string[] = [];
  while (all.length < count) {
    const { text } = await chat.arrived();
    if (!/do not know whether it arrived/.test(text)) all.push(text);
  }
  return all;
}

// field: C12
test("a chat pursues a goal over turns, also after kill -9 of the gateway during one of them", async () => {
  let stalled = true;
  await using scene = await chatScene(hen(3, (egg) => stalled && egg === 2));
  const { chat, model } = scene;
  const first = await scene.serve();
  await chat.write("room", "ada", "/goal");
  assert.deepEqual(await texts(chat, 1), ["No goal. Set one with: /goal TEXT"]);
  await chat.write("room", "ada", "/goal lay three eggs");
  assert.deepEqual((await texts(chat, 3)).toSorted(), [
    "Egg 1.",
    "Goal set, with a budget of 20 turns. /goal shows it; your messages come first.",
    "↻ Goal not reached yet (turn 1 of 20): 1 of 3 eggs",
  ]);
  while (model.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill("SIGKILL");
  await gone(first);
  stalled = false;
  await scene.serve();
  assert.deepEqual((await texts(chat, 4)).toSorted(), [
    "Egg 2.",
    "Egg 3.",
    "↻ Goal not reached yet (turn 2 of 20): 2 of 3 eggs",
    "✓ Goal reached: 3 of 3 eggs",
  ]);
  await chat.write("room", "ada", "/goal show");
  assert.deepEqual(await texts(chat, 1), ["✓ Goal (done, 2 of 20 turns): lay three eggs\n  3 of 3 eggs"]);
  await chat.write("room", "ada", "/goal clear");
  assert.deepEqual(await texts(chat, 1), ["Goal cleared."]);
});

// field: C12
test(
  "on the screen a goal stops at its budget, survives kill -9, and is resumed, paused and cleared",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(hen(100));
    user.connect("custom", server.url, "goals:\n  max_turns: 2\n");
    {
      await using terminal = await UserTerminal.open(user);
      await terminal.until(READY);
      await terminal.say("/goal lay a hundred eggs");
      await terminal.until(/Goal set, with a budget of 2 turns/);
      await terminal.until(/⏸ Goal paused: its budget of 2 turns is used\. Last verdict: 3 of 100 eggs/);
      await terminal.say("/goal budget 1");
      await terminal.until(/The budget is now 1 turns/);
      process.kill(await terminal.pid(), "SIGKILL");
    }
    await using terminal = await UserTerminal.open(user, ["--continue"]);
    await terminal.until(/Egg 3\./);
    await terminal.say("/goal");
    await terminal.until(/⏸ Goal \(paused, 2 of 1 turns\): lay a hundred eggs/);
    await terminal.say("/goal resume");
    await terminal.until(/Egg 4\.[^]*⏸ Goal paused: its budget of 1 turns is used\. Last verdict: 4 of 100/);
    await terminal.say("/goal pause");
    await terminal.until(/It is not active\./);
    await terminal.say("/goal clear");
    await terminal.until(/Goal cleared\./);
    await terminal.say("hello");
    await terminal.until(/Hi\./);
    await terminal.say("/insights 7");
    await terminal.until(/Usage in the last 7 days/);
  },
);
