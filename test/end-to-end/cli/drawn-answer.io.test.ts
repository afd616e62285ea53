import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { NO_TMUX, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const ANSWER =
  "# Title\n\nText **bold** words.\n\n| a | b |\n|--|--:|\n| x | 1 |\n| y | 100 |\n\n```ts\nconst a = 1;\n```\n\n- one";
const DRAWN =
  /Title\n\n *Text bold words\.\n\n *a │ {3}b\n *──┼────\n *x │ {3}1\n *y │ 100\n\n *── ts\n +const a = 1;\n\n *• one\n/;

async function setUp(replies: readonly ScriptedReply[], config = "") {
  const user = new NewUser();
  let next = 0;
  const server = await startOpenAiServer(() => replies[next++] ?? { text: "Done." });
  user.connect("custom", server.url, config);
  return {
    user,
    async [Symbol.asyncDispose]() {
      await server.close();
      user[Symbol.dispose]();
    },
  };
}

test(
  "a one-shot on a terminal draws its answer like an interactive session, below its tool calls",
  { skip },
  async () => {
    const call: ScriptedReply = {
      text: "I **look**.",
      calls: [{ tool: "terminal", args: { command: "rm -rf build" } }],
    };
    await using one = await setUp([call, { text: ANSWER, deltaChars: 7, betweenMs: 15 }, { text: ANSWER }]);
    one.user.write("build/a", "");
    {
      await using terminal = await UserTerminal.open(one.user, ["chat", "-q", "clean"], { columns: 70, rows: 40 });
      assert.match(await terminal.until(/Enter denies/), /^I look\.\n\n⚠ Approval needed/);
      await terminal.type("o");
      await terminal.press("Enter");
      assert.match(await terminal.until(/\[ended 0\]/), DRAWN);
    }
    await using two = await setUp([{ text: ANSWER }]);
    {
      await using interactive = await UserTerminal.open(two.user, [], { columns: 70, rows: 40 });
      await interactive.until(READY);
      await interactive.say("clean");
      await interactive.until(DRAWN);
    }
    assert.equal((await one.user.run(["chat", "-q", "again"])).out, `${ANSWER}\n`, "a pipe gets the Markdown");
  },
);

test("draws all lines of an answer that is taller than the terminal", { skip }, async () => {
  const text = Array.from({ length: 60 }, (_, at) => `- item **${at}**`).join("\n");
  await using one = await setUp([{ text, deltaChars: 40, betweenMs: 5 }]);
  await using terminal = await UserTerminal.open(one.user, ["chat", "-q", "list"], { columns: 70, rows: 15 });
  await terminal.until(/\[ended 0\]/);
  const all = await terminal.screen({ scrollback: true });
  assert.deepEqual(
    [...all.matchAll(/^• item (\d+)$/gm)].map(([, number]) => Number(number)),
    Array.from({ length: 60 }, (_, at) => at),
  );
});

test("a plain session never moves the cursor or erases text", { skip }, async () => {
  await using one = await setUp([{ text: ANSWER }], "display:\n  interface: plain\n");
  await using terminal = await UserTerminal.open(one.user, [], { columns: 70, rows: 40 });
  await terminal.until(/\/quit exits\n>/);
  const written = await terminal.record();
  await terminal.say("show");
  await terminal.until(/- one\n>/);
  // oxlint-disable-next-line no-control-regex -- sequences that move the cursor or erase
  assert.doesNotMatch(written(), /\x1b\[\d*[A-HJK]/);
});
