import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const EVIL = "evil \u001b[8mhidden\u001b[2J\u001b]0;owned\u0007 words";
const SHOWN = /evil ␛\[8mhidden␛\[2J␛\]0;owned␇ words/;

// row 35 of the fault matrix
test(
  "untrusted text cannot control a plain terminal: not in a conversation, its history or search results",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging({ bad: { text: EVIL } }));
    user.connect("custom", server.url);
    {
      await using terminal = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
      await terminal.until(/\/quit exits/);
      await terminal.say("something bad");
      await terminal.until(SHOWN);
      await terminal.say("/history");
      await terminal.until((screen) => screen.split(SHOWN).length === 3);
      await terminal.say("/quit");
      await terminal.until(/\[ended 0\]/);
      assert.equal(server.requests.length, 1);
    }
    await using found = await UserTerminal.open(user, ["sessions", "search", "hidden"]);
    const screen = await found.until(/\[ended 0\]/);
    assert.match(screen, SHOWN);
  },
);

// row 50 of the fault matrix
test(
  "SIGTERM on a plain terminal denies the pending approval and prints how to resume the session",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({ begin: { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] } }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
    await terminal.until(/\/quit exits/);
    await terminal.say("begin");
    await terminal.until(/Enter denies/);
    process.kill(await terminal.pid(), "SIGTERM");
    const screen = await terminal.until(/^hermes --resume \S+\n\[ended 130\]\nicanon echo/m);
    assert.match(screen, /The question was withdrawn: denied\./);
    assert.doesNotMatch(screen, /in time/);
  },
);

test("Ctrl-C on a plain terminal clears the input, or exits if the input is empty", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({ second: { text: "Heard the second." } }));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
  await terminal.until(/\/quit exits\n>/);
  await terminal.type("the first");
  await terminal.until(/> the first/);
  await terminal.press("C-c");
  await terminal.until(/> the first\S*\n>/);
  await terminal.say("the second");
  await terminal.until(/Heard the second\.[^]*\n>$/m);
  assert.doesNotMatch(server.requests.map(({ body }) => body).join(), /the first/);
  await terminal.press("C-c");
  await terminal.until(/^hermes --resume \S+\n\[ended 0\]/m);
});

test("text typed before a question does not answer it", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "until [ -e go ]; do sleep 0.1; done" } }] },
    { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
    { text: "I have seen the result." },
  ]);
  user.connect("custom", server.url);
  user.write("build/a", "");
  await using terminal = await UserTerminal.open(user, ["chat", "-q", "clean up"]);
  await terminal.until(/until \[ -e go \]/);
  await terminal.type("o");
  await terminal.press("Enter");
  await terminal.until(/^.*…\s*o$/m);
  user.write("go", "");
  await terminal.until(/Enter denies, \d+ (?:s|min):/);
  await terminal.type("d");
  await terminal.press("Enter");
  await terminal.until(/denied by you[^]*I have seen the result[^]*\[ended 0\]/);
  assert.ok(existsSync(join(user.folder, "build/a")));
});

test("Ctrl-C or Ctrl-D at the confirmation of sessions delete deletes nothing", { skip }, async () => {
  using user = new NewUser();
  await user.run(["chat", "-q", "list the files here"]);
  const list = async () =>
    JSON.parse((await user.run(["sessions", "list", "--json"])).out) as readonly { readonly id: string }[];
  const [session] = await list();
  for (const key of ["C-c", "C-d"]) {
    await using terminal = await UserTerminal.open(user, ["sessions", "delete", session!.id]);
    await terminal.until(/\[y\/N\]/);
    await terminal.press(key);
    const screen = await terminal.until(/\[ended \d+\]\nicanon echo/);
    assert.match(screen, /\[y\/N\]\s+Nothing was deleted\.\n\[ended 1\]/);
  }
  assert.equal((await list()).length, 1);
});

for (const args of [[], ["--tui"]]) {
  test(
    `a wrapper that throws ${args.length === 0 ? "in a session" : "on a full screen"} reports why, and the terminal is restored`,
    { skip },
    async () => {
      using user = new NewUser();
      await using terminal = await UserTerminal.open(user, args, {
        main: "test/end-to-end/support/breaking-wrapper.ts",
      });
      await terminal.until(/Error: broken[^]*\[ended 1\]\nicanon echo/);
      assert.equal(await terminal.modes(), "cursor=1 mouse=0 alternate=0 keypad=0");
    },
  );
}
