import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;

test(
  "! runs a command and adds its output to the next message; !! runs one whose output the model never sees",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging({}));
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("!echo for-both; exit 3");
    await terminal.until(/💻 \$ echo for-both; exit 3 .*exit 3\n {4}for-both/);
    await terminal.say("!! echo for-me");
    await terminal.until(/💻 \$ echo for-me .*\n {4}for-me/);
    assert.equal(server.requests.length, 0, "neither is a message");
    await terminal.say("what happened?");
    await terminal.until(/Yes\?/);
    const { messages } = JSON.parse(server.requests[0]!.body) as { messages: { role: string; content: unknown }[] };
    const sent = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
    assert.match(sent, /what happened\?[^]*I ran a command myself:\\n\$ echo for-both; exit 3/);
    assert.match(sent, /for-both[^]*exit_code[^]*3/);
    assert.doesNotMatch(JSON.stringify(messages), /for-me/);
    await terminal.say("and now?");
    await terminal.until((screen) => screen.split("Yes?").length === 3);
    const again = JSON.parse(server.requests[1]!.body) as { messages: { role: string; content: unknown }[] };
    assert.doesNotMatch(JSON.stringify(again.messages.at(-1)?.content), /for-both/, "it is sent once");
  },
);

test("@ offers the files whose names match the typed letters", { skip }, async () => {
  using user = new NewUser();
  user.write("src/call-card.ts", "");
  user.write("src/with space.md", "");
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.type("explain @clcrd");
  await terminal.until(/src\/call-card\.ts/);
  await terminal.press("Tab");
  await terminal.until(/─\n explain @src\/call-card\.ts\s*\n─/);
  await terminal.type("and @spac");
  await terminal.until(/with space\.md/);
  await terminal.press("Tab");
  await terminal.until(/and @"src\/with space\.md"/);
});

test("Ctrl-G opens the message in the user's editor and reads the saved text back", { skip }, async () => {
  using user = new NewUser();
  const editor = user.write(
    "edit.sh",
    '#!/bin/sh\nprintf "editing: "; cat "$1"; printf " and more\\nsecond line\\n" >> "$1"\n',
  );
  await using terminal = await UserTerminal.open(user, [], { env: { EDITOR: `sh ${editor}` } });
  await terminal.until(READY);
  await terminal.type("a draft");
  await terminal.press("C-g");
  await terminal.until(/─\n a draft and more\n second line\n─/);
  await using failing = await UserTerminal.open(user, [], { env: { EDITOR: "false" } });
  await failing.until(READY);
  await failing.type("a draft");
  await failing.press("C-g");
  await failing.until(/The editor "false" exited with status 1\.[^]*─\n a draft\n─/);
});

test("Ctrl-R searches the input of earlier sessions and puts the selected line into the editor", { skip }, async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/.hermes_history",
    ["fix the tests", "write the notes", "list files"].map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.press("C-r");
  await terminal.until(/→ list files[^]*1 of 3/);
  await terminal.press("Down");
  await terminal.press("Enter");
  await terminal.until(/─\n write the notes\n─/);
});

test("Ctrl-O shows all lines of an output, and folds them again", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({ count: { calls: [{ tool: "terminal", args: { command: "seq 101 120" } }] } }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], { rows: 50 });
  await terminal.until(READY);
  await terminal.say("count");
  await terminal.until(/… 16 more lines \(Ctrl-O shows all\)\n {4}117\n {4}118\n {4}119\n {4}120\n[^]*I have seen/);
  await terminal.press("C-o");
  await terminal.until(/ {4}101\n {4}102\n[^]* {4}120\n/);
  await terminal.press("C-o");
  await terminal.until(/… 16 more lines/);
});

test("Ctrl-T opens the outputs in a pager with search, q returns to the conversation", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({ count: { calls: [{ tool: "terminal", args: { command: "seq 101 900" } }] } }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], { rows: 24, columns: 80 });
  await terminal.until(READY);
  await terminal.say("count");
  await terminal.until(/I have seen/);
  await terminal.press("C-t");
  await terminal.until(/^ \$ seq 101 900|^ .*\$ seq 101 900[^]*1–22 of 800/);
  await terminal.type("/555");
  await terminal.press("Enter");
  await terminal.until(/\n 555\n[^]*455–476 of 800/);
  await terminal.resize(60, 20);
  await terminal.until(/\n 555\n[^]*455–472 of 800/);
  await terminal.type("G");
  await terminal.until(/ 900\n[^]*of 800/);
  await terminal.type("q");
  await terminal.until((screen) => /I have seen the result\./.test(screen) && !/of 800/.test(screen));
});
