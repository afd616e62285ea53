import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;

type Options = Parameters<typeof UserTerminal.open>[2];

async function started(options: Options & { readonly args?: readonly string[] } = {}) {
  const user = new NewUser();
  let answer: ScriptedReply | undefined;
  const usual = obliging({ two: { text: "Both lines came." } });
  const server = await startOpenAiServer((request) => answer ?? usual(request));
  user.connect("custom", server.url);
  const terminal = await UserTerminal.open(user, options.args, options);
  if (options.shell !== true) await terminal.until(READY);
  return {
    user,
    server,
    terminal,
    /** Sets the answer to all that follows. */
    answer: (reply: ScriptedReply) => (answer = reply),
    /** The texts of the user that the model received. */
    sent: (): readonly string[] =>
      server.requests.map(({ body }) => {
        const { messages } = JSON.parse(body) as { messages: readonly { role: string; content: unknown }[] };
        return JSON.stringify(messages.findLast(({ role }) => role === "user")?.content).replace(
          /<environment>.*?<.environment>\\n\\n/,
          "",
        );
      }),
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await server.close();
      user[Symbol.dispose]();
    },
  };
}

for (const screen of [[], ["--tui"]] as const) {
  const where = screen.length === 0 ? "" : " on a full screen";
  // field: T01
  test(`still reads keys after a paste whose end marker never arrives${where}`, { skip }, async () => {
    await using all = await started({ args: screen });
    const { terminal } = all;
    await terminal.send("\x1b[200~ab");
    await terminal.until(/^ ab$/m);
    await terminal.press("C-c");
    await terminal.until((text) => !/^ ab$/m.test(text));
    await terminal.send("\x1b[200~one", 20, "\x03", 200);
    await terminal.until((text) => !/^ one$/m.test(text));
    await terminal.send("\x1b[200~two");
    await terminal.until(/^ two$/m);
    await terminal.press("Enter");
    await terminal.until(/Both lines came/);
    await terminal.press("C-d");
    await terminal.until(/\[ended 0\]/);
  });
}

// field: T02
test("recognises a paste marker and an arrow key that arrive in several pieces", { skip }, async () => {
  await using all = await started();
  const { terminal } = all;
  await terminal.send("\x1b[200", 60, "~one\rtwo\x1b[201~");
  await terminal.until(/^ one\n two$/m);
  await terminal.send("\x1b", 15, "[D", "x", "\x1b", 40, "[C", "y");
  await terminal.until(/^ one\n twxoy$/m);
  assert.equal(all.server.requests.length, 0, "nothing was sent");
  await terminal.press("Enter");
  await terminal.until(/Both lines came|Yes\?/);
  assert.deepEqual(all.sent(), ['"one\\ntwxoy"']);
});

// field: T03
test("joins pasted lines into one message on a terminal without bracketed paste", { skip }, async () => {
  await using all = await started();
  const { terminal } = all;
  await terminal.send(Array.from({ length: 300 }, (_, index) => `line ${index}\r`).join(""));
  await terminal.until(/\[paste #1 \+30[01] lines\]/);
  await terminal.send(" and two");
  await terminal.until(/lines\] and two/);
  await terminal.press("Enter");
  await terminal.until(/Both lines came/);
  assert.equal(all.server.requests.length, 1);
  assert.match(all.sent()[0]!, /line 0\\n.*line 299\\n? and two/);
});

// field: T05
test("sends a line that the user types during start-up", { skip }, async () => {
  await using all = await started({ shell: true });
  const { terminal } = all;
  await terminal.until(/shell>/);
  // While the shell reads, it has the terminal in its own mode; while a program runs, the system ends the line.
  await terminal.press("sleep 1; $HERMES", "Enter");
  await waitFor(async () => (await terminal.pid().catch(() => 0)) > 0, { what: "a program runs" });
  await terminal.press("hello two", "Enter");
  await terminal.until(/Both lines came/);
  assert.deepEqual(all.sent(), ['"hello two"']);
});

// field: T05
test("keeps text typed during start-up in the input, and sends it with the rest of the line", { skip }, async () => {
  await using all = await started({ shell: true });
  const { terminal } = all;
  await terminal.until(/shell>/);
  await terminal.press("sleep 1; $HERMES", "Enter");
  await waitFor(async () => (await terminal.pid().catch(() => 0)) > 0, { what: "a program runs" });
  await terminal.press("hello");
  await terminal.until(READY);
  await terminal.until(/^ hello$/m);
  await terminal.press(" two", "Enter");
  await terminal.until(/Both lines came/);
  assert.deepEqual(all.sent(), ['"hello two"']);
});

// field: T04
test("Ctrl-Z suspends Hermes, and fg redraws the screen with the draft", { skip }, async () => {
  await using all = await started({ shell: true });
  const { terminal } = all;
  await terminal.until(/shell>/);
  await terminal.press("$HERMES", "Enter");
  await terminal.until(READY);
  await terminal.type("draft");
  await terminal.until(/^ draft$/m);
  await terminal.press("C-z");
  await terminal.until(/Stopped[^]*^shell>/m);
  await terminal.press("echo not in hermes", "Enter");
  await terminal.until(/^not in hermes$/m);
  await terminal.press("fg", "Enter");
  await terminal.until(/shell> fg[^]*^ draft$/m);
  await terminal.send(" two", 100, "\r");
  await terminal.until(/Both lines came/);
  assert.deepEqual(all.sent(), ['"draft two"']);
});

for (const screen of ["", " --tui"])
  // field: T04
  test(`fg restores the draft and bracketed paste after kill -STOP${screen}`, { skip }, async () => {
    await using all = await started({ shell: true });
    const { terminal } = all;
    await terminal.until(/shell>/);
    await terminal.press(`$HERMES${screen}`, "Enter");
    await terminal.until(READY);
    await terminal.type("draft");
    await terminal.until(/^ draft$/m);
    process.kill(await terminal.pid(), "SIGSTOP");
    await terminal.until(/Stopped[^]*^shell>/m);
    await terminal.press("fg", "Enter");
    await terminal.until((text) => !/Stopped/.test(text) || /fg[^]*^ draft$/m.test(text));
    await terminal.paste("\nand two");
    await terminal.until(/^ and two$/m);
    await terminal.press("Enter");
    await terminal.until(/Both lines came/);
    assert.deepEqual(all.sent(), ['"draft\\nand two"']);
  });

// field: T04
test("continues after Ctrl-Z in a terminal window without a shell", { skip }, async () => {
  await using all = await started();
  const { terminal } = all;
  await terminal.press("C-z");
  await terminal.say("two");
  await terminal.until(/Both lines came/);
});

for (const screen of [[], ["--tui"]] as const)
  for (const columns of [3, 2, 5])
    // field: T06
    test(
      `keeps the session and wide characters in a window of ${columns} columns ${screen.join("")}`,
      { skip },
      async () => {
        await using all = await started({ args: screen });
        const { terminal } = all;
        await terminal.type("漢字 two");
        await terminal.until(/漢字 two/);
        await terminal.resize(columns, 8);
        await terminal.until(new RegExp(`^${"too narrow".slice(0, columns)}$`, "m"));
        await terminal.send("鯨👩‍💻", 100, "\x1b[D", 100);
        await terminal.resize(100, 32);
        await terminal.until(/漢字 two鯨👩‍💻/);
        await terminal.press("Enter");
        await terminal.until(/Both lines came/);
      },
    );

// field: T09
test("draws the coloured screen if stderr is redirected to a file", { skip }, async () => {
  const user = new NewUser();
  const server = await startOpenAiServer(obliging({ two: { text: "Both lines came." } }));
  user.connect("custom", server.url);
  try {
    await using terminal = await UserTerminal.open(user, [], { errorsInto: "errors" });
    await terminal.until(READY);
    assert.match(await terminal.screen({ colours: true }), /\x1b\[\d/);
    await terminal.say("two");
    await terminal.until(/Both lines came/);
  } finally {
    await server.close();
    user[Symbol.dispose]();
  }
});

// field: T11
test("Escape stops the turn and returns queued messages to the input for editing", { skip }, async () => {
  const user = new NewUser();
  let asked = 0;
  const server = await startOpenAiServer(
    obliging({ slow: { text: "Slow.", headAfterMs: 60_000 }, second: { text: "Now the second." } }),
  );
  user.connect("custom", server.url, "display:\n  busy_input_mode: queue\n");
  try {
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("slow one");
    await waitFor(() => server.requests.length === 1, { what: "the model is asked" });
    await terminal.say("second one");
    await terminal.until(/queued: second one/);
    await terminal.say("third one");
    await terminal.until(/queued: third one/);
    await terminal.type("draft");
    await terminal.press("Escape");
    await terminal.until(/^ second one\n third one\n draft$/m);
    await terminal.until((screen) => !screen.includes("queued:"));
    asked = server.requests.length;
    await terminal.press("C-c");
    await terminal.until((screen) => !/^ third one$/m.test(screen));
    assert.equal(server.requests.length, asked, "nothing was sent");
    await terminal.say("second two");
    await terminal.until(/Now the second/);
    assert.equal(server.requests.length, asked + 1);
    assert.doesNotMatch(server.requests.at(-1)!.body, /third one/);
  } finally {
    await server.close();
    user[Symbol.dispose]();
  }
});

async function asked(config = "", options: Options & { readonly args?: readonly string[] } = {}) {
  const user = new NewUser();
  const server = await startOpenAiServer(
    obliging({ two: { calls: [{ tool: "terminal", args: { command: "sudo rm -rf /srv/build" } }] } }),
  );
  user.connect("custom", server.url, config);
  const terminal = await UserTerminal.open(user, options.args, options);
  const output = await terminal.record();
  return {
    terminal,
    server,
    output,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await server.close();
      user[Symbol.dispose]();
    },
  };
}

// field: T07, T08
test(
  "an approval names the sudo user, rings, notifies and sets the title; a denial can include a reason",
  { skip },
  async () => {
    await using all = await asked();
    const { terminal, server, output } = all;
    await terminal.until(READY);
    const before = await terminal.title();
    await terminal.say("two");
    const screen = await terminal.until(/Esc denies · 30 min left/);
    assert.match(screen, /on +this machine, as root and with no sandbox/);
    assert.match(
      output(),
      /\x07\x1b\]9;Hermes: Approval needed: [^\x07]+\x07\x1b\]777;notify;Hermes;Approval needed: [^\x07;]+\x07/,
    );
    assert.match(await terminal.title(), /^⚠ Approval needed: /);
    await terminal.send("t");
    await terminal.send("move it to the trash instead");
    await terminal.until(
      /Why not, or what to do instead\?[^]*> move it to the trash instead[^]*Enter denies and sends/,
    );
    assert.equal(output().split("\x1b]9;").length, 2, "a prompt that the user opens sends no notification");
    await terminal.press("Enter");
    await terminal.until(/denied by you[^]*I have seen the result/);
    assert.match(server.requests[1]!.body, /The user refused this call \(\W+move it to the trash instead/);
    assert.equal(await terminal.title(), before);
  },
);

// field: T07
test("denies an unanswered approval after approvals.terminal_timeout", { skip }, async () => {
  await using all = await asked("approvals:\n  timeout: 300\n  terminal_timeout: 2\n");
  const { terminal, server } = all;
  await terminal.until(READY);
  await terminal.say("two");
  await terminal.until(/I have seen the result/);
  assert.match(server.requests[1]!.body, /No one answered within 2 s/);
});

// field: T07
test(
  "a one-shot's approval question at a terminal notifies the user and accepts a denial with a reason",
  { skip },
  async () => {
    await using all = await asked("", { args: ["chat", "-q", "two"] });
    const { terminal, server, output } = all;
    await terminal.until(/Enter denies, 30 min:/);
    assert.match(output(), /\x07\x1b\]9;Hermes: Approval needed/);
    await terminal.say("d not on a Friday");
    await terminal.until(/\[ended 0\]/);
    assert.match(server.requests[1]!.body, /The user refused this call \(\W+not on a Friday/);
  },
);

test("never reads a late colour reply of the terminal as input, even in several pieces", { skip }, async () => {
  await using one = await started();
  await one.terminal.send("\x1b]11;rgb:ff", 150, "ff/ffff/ffff\x07", 50, "\x1b[?62;", 50, "4c");
  await one.terminal.type("only this");
  const screen = await one.terminal.until(/only this/);
  assert.match(screen, /^ only this$/m);
  assert.doesNotMatch(screen, /rgb|62;|4c/);
});

test("shows each line of a streaming answer once while the window changes its size", { skip }, async () => {
  await using one = await started({ columns: 80, rows: 24 });
  const count = 150;
  const text = Array.from({ length: count }, (_, at) => `Line **${at}** wraps in narrow windows of forty columns.`);
  one.answer({ text: text.join("\n\n"), deltaChars: 12, betweenMs: 8 });
  await one.terminal.say("go");
  await one.terminal.until(/Line 3 /);
  for (const [columns, rows] of [
    [40, 24],
    [200, 60],
    [60, 15],
    [80, 24],
  ] as const) {
    await one.terminal.resize(columns, rows);
    await one.terminal.until(/Line \d+ wraps/);
  }
  await one.terminal.until(new RegExp(`Line ${count - 1} `));
  const all = await one.terminal.screen({ scrollback: true });
  assert.deepEqual(
    [...all.matchAll(/Line (\d+) wraps/g)].map(([, at]) => Number(at)),
    Array.from({ length: count }, (_, at) => at),
  );
});
