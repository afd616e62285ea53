import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";

const skip = NO_TMUX;
/** The longest wait for the user, including the time to read a screen on a busy machine. */
const STOPPED_MS = 500 + 400;

const call = (command: string) => ({ calls: [{ tool: "terminal", args: { command } }] });
/** A command that runs until the user's folder has this file, so the test decides when it ends. */
const until = (file: string) => call(`until [ -e ${file} ]; do sleep 0.1; done`);

async function started(
  replies: Parameters<typeof obliging>[0],
  config = "",
): Promise<
  {
    prompter: NewUser;
    server: Awaited<ReturnType<typeof startOpenAiServer>>;
    terminal: UserTerminal;
  } & AsyncDisposable
> {
  const user = new NewUser();
  const server = await startOpenAiServer(obliging(replies));
  user.connect("custom", server.url, config);
  const terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  return {
    prompter: user,
    server,
    terminal,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await server.close();
      user[Symbol.dispose]();
    },
  };
}

// req: approval.cli-prompt, approval.deny
test(
  "the approval question shows command, folder, backend, reason and effect; Escape denies, and the screen shows it",
  { skip },
  async () => {
    await using all = await started({ clean: call("rm -rf build") });
    const { prompter: user, terminal } = all;
    mkdirSync(join(user.folder, "build"));
    await terminal.say("clean up");
    const screen = await terminal.until(/Esc denies · 30 min left/);
    assert.match(
      screen,
      /Approval needed: recursive delete\n \$ +rm -rf build\n in +\S+\n on +this machine, with your rights and no sandbox\n why +Deletes .*build.*\n does +delete .*build \(recursive\)\n +\S+build holds 0 files\n/,
    );
    assert.match(
      screen,
      /\[o\] once\n +\[s\] for this session \(every “recursive delete”\)\n +\[a\] always \(.*\)\n → \[d\] deny/,
    );
    await terminal.press("Escape");
    await terminal.until(/rm -rf build {2}✗ denied by you/);
    await terminal.until(/I have seen the result/);
    assert.ok(existsSync(join(user.folder, "build")));
  },
);

// req: approval.cli-prompt, approval.session-scope
test("an approval for the session does not apply in the next session", { skip }, async () => {
  await using all = await started({
    first: call("rm -rf one"),
    second: call("rm -rf two"),
    third: call("rm -rf three"),
  });
  const { prompter: user, terminal } = all;
  for (const name of ["one", "two", "three"]) mkdirSync(join(user.folder, name));
  await terminal.say("the first");
  await terminal.until(/Esc denies/);
  await terminal.press("s");
  await terminal.until(/rm -rf one {2}\d/);
  await terminal.say("the second");
  await terminal.until(/rm -rf two {2}\d/);
  assert.deepEqual(
    ["one", "two", "three"].map((name) => existsSync(join(user.folder, name))),
    [false, false, true],
  );
  await terminal.say("/new");
  await terminal.until(/Started a new session\./);
  await terminal.say("the third");
  await terminal.until(/Esc denies/);
  await terminal.press("Up", "Up", "Up", "Enter");
  await terminal.until(/rm -rf three {2}\d/);
  assert.ok(!existsSync(join(user.folder, "three")), "the arrows had chosen “once”");
});

// req: approval.cli-prompt, approval.permanent-allowlist
test('saves an approval "always" in config.yaml, and applies it in other processes', { skip }, async () => {
  await using all = await started({ wipe: call("rm -rf cache") });
  const { prompter: user, terminal } = all;
  mkdirSync(join(user.folder, "cache"));
  await terminal.say("wipe");
  await terminal.until(/Esc denies/);
  await terminal.press("a");
  await terminal.until(/rm -rf cache {2}\d/);
  assert.match(
    readFileSync(join(user.agentHome, "config.yaml"), "utf8"),
    /command_allowlist:\s*\n\s*- .*recursive delete/,
  );
  mkdirSync(join(user.folder, "cache"));
  await using again = await UserTerminal.open(user);
  await again.until(READY);
  await again.say("wipe");
  await again.until(/rm -rf cache {2}\d/);
  assert.ok(!existsSync(join(user.folder, "cache")));
});

test(
  "a letter of a sentence that the user is typing does not answer a question that just appeared",
  { skip },
  async (t) => {
    // If the machine stalls, the letter follows a pause, and after a pause it counts as an answer.
    for (let tries = 0; tries < 6; tries++) if (await typedInto()) return;
    t.skip("this machine never let a sentence be typed without a pause");
  },
);

/** Whether it was typed without a pause; only then does the assertion apply. */
async function typedInto(): Promise<boolean> {
  await using all = await started({ purge: { ...call("rm -rf data"), headAfterMs: 1200 } });
  const { prompter: user, terminal } = all;
  const data = join(user.folder, "data");
  mkdirSync(data);
  await terminal.say("purge");
  const sentence = "also as soon as possible and so on ";
  let typed = "";
  let at = performance.now();
  let pauseMs = 0;
  const type = async (letter: string): Promise<void> => {
    await terminal.type(letter);
    typed += letter;
    pauseMs = Math.max(pauseMs, performance.now() - at);
    at = performance.now();
  };
  while (!/Approval needed/.test(await terminal.screen())) await type(sentence[typed.length % sentence.length] ?? "");
  await type("a");
  if (pauseMs > 600) return false;
  assert.ok(existsSync(data));
  await terminal.until(/Esc denies/);
  await terminal.press("d");
  await terminal.until(
    (screen) => /denied by you/.test(screen) && screen.replaceAll(/\s/g, "").includes(typed.replaceAll(/\s/g, "")),
  );
  assert.ok(existsSync(data));
  return true;
}

test(
  "a letter typed before the question accepts keys does not answer it, even if Hermes reads the letter later",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging({ purge: call("rm -rf data") }));
    user.connect("custom", server.url);
    mkdirSync(join(user.folder, "data"));
    await using terminal = await UserTerminal.open(user, [], {
      main: "test/end-to-end/support/standing-wrapper.ts",
    });
    await terminal.until(READY);
    await terminal.say("purge");
    await terminal.until(/Approval needed/);
    await sleep(500); // The question accepts keys before the letter can be read.
    await terminal.type("a");
    user.write("go", "");
    await terminal.until(/Esc denies/);
    await terminal.press("d");
    await terminal.until(/denied by you/);
    assert.ok(existsSync(join(user.folder, "data")));
  },
);

// req: tool-clarify.ask
test("a clarifying question accepts a choice or free text", { skip }, async () => {
  await using all = await started({
    colour: { calls: [{ tool: "clarify", args: { question: "Which colour?", choices: ["red", "green"] } }] },
  });
  const { server, terminal } = all;
  await terminal.say("a colour please");
  const screen = await terminal.until(/Esc skips/);
  assert.match(screen, /\? Which colour\?\n → \[1\] red\n {3}\[2\] green\n {3}\[3\] Other \(type your answer\)/);
  await terminal.press("2");
  await terminal.until(/I have seen the result/);
  assert.match(server.requests.at(-1)?.body ?? "", /Which colour\?.*green/);
  await terminal.say("another colour");
  await terminal.until(/Esc skips/);
  await terminal.press("3");
  await terminal.until(/Enter answers/);
  await terminal.type("teal, 青绿");
  await terminal.press("Enter");
  await terminal.until((now) => now.split("I have seen the result").length === 3);
  assert.match(server.requests.at(-1)?.body ?? "", /teal, 青绿/);
});

for (const [what, reply, running] of [
  ["while a command runs", call("sleep 60"), /sleep 60 {2}\d+s/],
  ["while the model is silent", { headAfterMs: 60_000, text: "never" }, /thinking… \d+s/],
  ["while the model stalls in the middle", { text: "Half of an answer.", stallAfterBytes: 900 }, /Half/],
  ["while a question is open", call("rm -rf everything"), /Esc denies/],
] as const) {
  test(`Ctrl-C stops the turn at once ${what}, and the next prompt gets an answer`, { skip }, async () => {
    await using all = await started({ begin: reply });
    const { terminal } = all;
    await terminal.say("begin");
    await terminal.until(running);
    const watch = new Stopwatch();
    await terminal.press("C-c");
    await terminal.until(/■ stopped by you/);
    watch.assertWithin(STOPPED_MS, "stopping");
    const screen = await terminal.until(/■ stopped by you[^]*Ctrl-C again exits/);
    if (what.includes("middle")) assert.match(screen, /Half/, "what was read stays on the screen");
    await terminal.say("hello");
    await terminal.until(/Yes\?/);
  });
}

test("a resumed session shows a stopped turn as the live one did", { skip }, async () => {
  await using all = await started({ begin: { text: "Half of an answer.", stallAfterBytes: 900 } });
  const { prompter: user, terminal } = all;
  const conversation = (screen: string): string => /› begin\n[^]*Yes\?/.exec(screen)![0];
  await terminal.say("begin");
  await terminal.until(/Half/);
  await terminal.press("Escape");
  await terminal.until(/■ stopped by you/);
  await terminal.say("hello");
  const live = conversation(await terminal.until(/Yes\?/));
  await terminal.say("/quit");
  await terminal.until(/\[ended 0\]/);
  await using again = await UserTerminal.open(user, ["--continue"]);
  assert.equal(conversation(await again.until(/Yes\?/)), live);
});

// row 50 of the fault matrix
test("Escape stops a turn, a second Ctrl-C exits, and the terminal is restored", { skip }, async () => {
  await using all = await started({ begin: { headAfterMs: 60_000, text: "never" } });
  const { terminal } = all;
  const before = await terminal.modes();
  await terminal.say("begin");
  await terminal.until(/thinking…/);
  const watch = new Stopwatch();
  await terminal.press("Escape");
  await terminal.until(/■ stopped by you/);
  watch.assertWithin(STOPPED_MS, "stopping");
  await terminal.type("a draft");
  await terminal.until(/a draft/);
  await terminal.press("C-c");
  await terminal.until((screen) => !screen.includes("a draft"));
  await terminal.press("C-c");
  await terminal.until(/Ctrl-C again exits/);
  await terminal.press("C-c");
  const screen = await terminal.until(/\[ended 0\]\n.*icanon/);
  assert.match(screen, /^hermes --resume \d+_\d+_\w+\n\[ended 0\]\nicanon echo/m);
  assert.notEqual(before, "");
  assert.equal(await terminal.modes(), "cursor=1 mouse=0 alternate=0 keypad=0");
});

test("Ctrl-D exits, also during a turn", { skip }, async () => {
  await using all = await started({ begin: call("sleep 60") });
  const { server, terminal } = all;
  await terminal.say("begin");
  await terminal.until(/sleep 60 {2}\d+s/);
  await terminal.press("C-d");
  await terminal.until(/hermes --resume .*\n\[ended 0\]/);
  assert.equal(server.requests.length, 1);
});

// req: slash.busy, slash.q-is-queue, slash.steer
test("during a turn, Enter queues, steers or interrupts, and the queue is visible", { skip }, async () => {
  await using all = await started(
    {
      begin: until("go"),
      again: until("never"),
      later: { text: "That was later." },
      hint: { text: "A hint." },
      urgent: { text: "At once." },
    },
    "display:\n  busy_input_mode: queue\n",
  );
  const { prompter: user, server, terminal } = all;
  await terminal.say("begin");
  await terminal.until(/Esc stops · Enter queues/);
  await terminal.say("later");
  await terminal.until(/⏎ queued: later/);
  await terminal.say("/q later too");
  await terminal.until(/⏎ queued: later too/);
  await terminal.say("/steer look at the hint");
  await terminal.until(/⏎ after the next tool call: look at the hint/);
  user.write("go", "");
  const steered = await terminal.until(/I have seen the result|A hint\./);
  assert.doesNotMatch(steered, /⏎ after the next tool call/);
  const done = await terminal.until((screen) => screen.split("That was later.").length === 3);
  assert.doesNotMatch(done, /⏎/);
  const { messages } = JSON.parse(server.requests[1]?.body ?? "{}") as {
    messages: readonly { role: string; content: unknown }[];
  };
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["system", "user", "assistant", "tool"],
  );
  assert.match(JSON.stringify(messages.at(-1)!.content), /look at the hint/, "it came with the tool's result");
  await terminal.say("/busy interrupt");
  await terminal.until(/Enter during a turn: interrupt\./);
  await terminal.say("again");
  await terminal.until(/never .* \d+s$/m);
  await terminal.say("urgent");
  await terminal.until(/At once\./);
  await terminal.say("/busy");
  await terminal.until((screen) => screen.split("Enter during a turn: interrupt.").length === 3);
});

test("/stop stops the running turn", { skip }, async () => {
  await using all = await started({ begin: call("sleep 60") });
  const { server, terminal } = all;
  await terminal.say("begin");
  await terminal.until(/sleep 60 {2}\d+s/);
  await terminal.say("/stop");
  await terminal.until(/Stopped\./);
  await terminal.say("/stop");
  await terminal.until(/Nothing is running\./);
  assert.equal(server.requests.length, 1, "a stopped turn asks the model nothing more");
});
