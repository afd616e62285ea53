import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScriptedReply } from "../../servers/script.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;

const call = (tool: string, args: { readonly [name: string]: unknown }): ScriptedReply => ({ calls: [{ tool, args }] });
const todo = (id: string, content: string, status: string) => ({ id, content, status });

// field: T10
test("cards show results, errors, to-dos and answers, and a resumed session shows the same", { skip }, async () => {
  const replies: readonly ScriptedReply[] = [
    call("todo", { todos: [todo("1", "Read it", "completed"), todo("2", "Fix it", "in_progress")] }),
    call("search_files", { pattern: "minus", path: "src" }),
    call("read_file", { path: "src/missing.ts" }),
    call("patch", { path: "src/add.ts", old_string: "minus", new_string: "plus" }),
    call("clarify", { question: "Which branch?", choices: ["main", "next"] }),
    { text: "All of it is done." },
  ];
  using user = new NewUser();
  user.write("src/add.ts", "// add\nconst sign = minus;\n");
  let next = 0;
  await using server = await startOpenAiServer(() => replies[next++]!);
  user.connect("custom", server.url);
  let session: string;
  const cards = [
    /📋 To-dos 1\/2 done {2}[\d.]+s\n {4}☑ Read it\n {4}◐ Fix it\n/,
    /🔎 Search minus in src 1 match {2}[\d.]+s\n {4}src\/add\.ts:2: const sign = minus;\n/,
    /📖 Read src\/missing\.ts {2}[\d.]+s[^]*✗ [^\n]*missing\.ts/,
    /🔧 Edit src\/add\.ts \+1 −1 {2}[\d.]+s\n {4}1 {3}\/\/ add\n {4}2 - const sign = minus;\n {4}2 \+ const sign = plus;\n/,
    /❓ Ask: Which branch\? {2}[\d.]+s\n {4}→ next\n/,
  ];
  {
    await using terminal = await UserTerminal.open(user, [], { rows: 60 });
    await terminal.until(READY);
    await terminal.say("do it");
    await terminal.until(/\? Which branch\?[^]*Esc skips/);
    await terminal.press("2");
    const screen = await terminal.until(/All of it is done\./);
    for (const card of cards) assert.match(screen, card);
    await terminal.press("C-d");
    session = /hermes --resume (\S+)/.exec(await terminal.until(/\[ended 0\]/))![1]!;
  }
  await using again = await UserTerminal.open(user, ["--resume", session], { rows: 60 });
  const resumed = await again.until(/All of it is done\./);
  for (const card of cards) assert.match(resumed, card);
});
