import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { family, type Sent } from "../support/family.ts";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const works =
  (command: string, words: string) =>
  ({ results }: Sent): ScriptedReply =>
    results.length === 0 ? { calls: [{ tool: "terminal", args: { command } }] } : { text: words };
/** The slow one waits for a file, so that the test decides when it ends. */
const WAIT = "until [ -e go ]; do sleep 0.1; done";

// req: approval.cli-prompt
test(
  "shows one line for each subagent with its activity, duration and end; its question names it",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      family(
        { tasks: [{ goal: "wait for the word" }, { goal: "tidy up" }] },
        { "wait for the word": works(WAIT, "It came."), "tidy up": works("rm -rf old", "Tidied.") },
      ),
    );
    user.connect("custom", server.url);
    user.write("old/a", "");
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("do both");
    assert.match(await terminal.until(/Esc denies/), /\$ +rm -rf old\n[^]*by +a subagent: tidy up\n/);
    await terminal.press("o");
    await terminal.until(/wait for the word {2}(\d+s {2})?terminal until .*\n +└ ✓ tidy up {2}\d/);
    user.write("go", "");
    assert.match(
      await terminal.until(/All done\.[^]*of context/),
      /Delegate wait for the word and 1 more .*\n +├ ✓ wait for the word {2}\d.*s\n +└ ✓ tidy up {2}\d.*s\n/,
    );
  },
);

// req: plugins.dispatch-cli-mode
test("a one-shot or slash command prints a line for each subagent and one for the call", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    family(
      { tasks: [{ goal: "be first" }, { goal: "be second" }] },
      { "be first": works("echo a", "One."), "be second": works("echo b", "Two.") },
    ),
  );
  user.connect("custom", server.url, "plugins:\n  enabled: [deliverer]\n");
  user.write("~/.hermes/plugins/deliverer/plugin.yaml", "name: deliverer\nversion: 1.0.0\ndescription: Delivers\n");
  user.write(
    "~/.hermes/plugins/deliverer/index.mjs",
    'export default (ctx) => ctx.register_command("deliver", (goal) => ctx.dispatch_tool("delegate_task", { goal }), "Delegates");\n',
  );
  const { err } = await user.run(["chat", "-q", "do both"]);
  const lines = err.trim().split("\n").slice(-3);
  assert.deepEqual(lines.map((line) => line.trim().replace(/ {2}[\d.]+s$/, "  TIME")).toSorted(), [
    "↳ be first  TIME",
    "↳ be second  TIME",
    "🔀 Delegate be first and 1 more  TIME",
  ]);
  const slash = await user.run(["chat", "-q", "/deliver be first"]);
  assert.match(slash.err, /↳ be first {2}[\d.]+s\n🔀 Delegate be first {2}[\d.]+s/);
  assert.match(slash.out, /"summary":"One\."/);
  const events = (await user.run(["chat", "--json", "-q", "do both"])).out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string; readonly goal?: string; readonly reason?: string });
  assert.deepEqual(
    events.filter(({ type }) => type === "subagent.started").map(({ goal }) => goal),
    ["be first", "be second"],
  );
  assert.deepEqual(
    events.filter(({ type }) => type === "subagent.ended").map(({ reason }) => reason),
    ["done", "done"],
  );
  assert.ok(events.some(({ type }) => type === "subagent.progress"));
});
