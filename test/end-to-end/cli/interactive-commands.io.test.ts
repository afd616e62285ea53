import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;

// req: slash.help
test("completes commands while the user types, accepts Tab or Enter, and finds them by prefix", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.type("/");
  await terminal.until(/→ help .*List the commands\n +new +Start a new session/);
  await terminal.type("tool");
  await terminal.until(/→ tools/);
  await terminal.press("Tab");
  await terminal.until(/^ \/tools $|^ \/tools/m);
  await terminal.press("C-c");
  await terminal.say("/vers");
  await terminal.until(/^ hermes-agent |^ \d+\.\d+\.\d+/m);
  await terminal.say("/hlep");
  await terminal.until(/Unknown command: \/hlep\. Did you mean \/help\?/);
  await terminal.type("/s");
  await terminal.until(/→ /);
  await terminal.press("Escape");
  await terminal.until((screen) => !screen.includes("→ "));
  await terminal.press("Enter");
  await terminal.until(/Ambiguous command: \/s could be .*\/save.*\/stop/);
  await terminal.say("/help");
  await terminal.until(/Ctrl-L +Repaint the screen/);
  const help = await terminal.screen({ scrollback: true });
  assert.match(help, /\/quit +Exit \(also \/exit\)/);
  assert.match(help, /Enter +Send; Shift-Enter, Alt-Enter/);
});

// req: slash.new-reset, slash.branch, plugins.slash-plugins
test("names, branches, switches and finds sessions", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({ blue: { text: "Noted: blue." }, green: { text: "Noted: green." } }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("my colour is blue");
  await terminal.until(/Noted: blue\./);
  const steps: readonly (readonly [string, RegExp])[] = [
    ["/title colours", /Titled “colours”\.[^]*· colours$/m],
    ["/status", /model +loopback \(custom\)\n session +\S+ “colours”/],
    ["/usage", /1 turn · 100 tokens in/],
    ["/plugins", /No plugins installed/],
    ["/tools list", /✓ 💻 terminal/],
    ["/branch aside", /Copied \S+ to \S+, which is\s+now\s+open\./],
  ];
  for (const [line, shown] of steps) {
    await terminal.say(line);
    await terminal.until(shown);
  }
  await terminal.say("now green");
  await terminal.until(/Noted: green\./);
  await terminal.say("/new");
  await terminal.until((screen) => /Started a new session\./.test(screen) && !/Noted: green/.test(screen));
  await terminal.say("/resume colours");
  const original = await terminal.until(/Resumed colours\./);
  assert.match(original, /› my colour is blue\n\n Noted: blue\./);
  assert.doesNotMatch(original, /green/, "the branch does not change the original");
  await terminal.say("/history");
  await terminal.until((screen) => screen.split("› my colour is blue").length >= 3);
  await terminal.say("/save talk.md");
  await terminal.until(/Saved to talk\.md\./);
  assert.match(readFileSync(join(user.folder, "talk.md"), "utf8"), /^# colours\n[^]*Noted: blue\./);
  await terminal.say("/clear");
  await terminal.until((screen) => !/Noted: blue/.test(screen) && /a new session/.test(screen));
  await terminal.say("/quit");
  await terminal.until(/\[ended 0\]/);
});

// req: slash.model
test("/model lists available models and changes the next request, but not config.yaml", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  const before = readFileSync(join(user.agentHome, "config.yaml"), "utf8");
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("/model");
  await terminal.until(/custom\/loopback-large[^]*custom\/loopback-small/);
  await terminal.type("small");
  await terminal.until(/→ custom\/loopback-small/);
  await terminal.press("Enter");
  await terminal.until(/now uses loopback-small by custom\./);
  await terminal.say("hello");
  await terminal.until(/Yes\?/);
  assert.equal((JSON.parse(server.requests.at(-1)?.body ?? "{}") as { model: string }).model, "loopback-small");
  assert.equal(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), before);
});

// req: approval.yolo
test("/yolo shows its state, stops the approval questions and restores them", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({ clean: { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] } }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  const build = join(user.folder, "build");
  mkdirSync(build);
  await terminal.say("/yolo");
  await terminal.until(/Approvals are off for this session[^]*\n approvals off · /);
  await terminal.say("clean");
  await terminal.until(/rm -rf build {2}\d[^]*I have seen the result/);
  assert.ok(!existsSync(build));
  mkdirSync(build);
  await terminal.say("/yolo");
  await terminal.until(/Approvals are on\./);
  await terminal.say("clean");
  await terminal.until(/Esc denies/);
  assert.ok(existsSync(build));
});

// req: slash.redraw
test("/redraw repaints the conversation", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("list the files here");
  await terminal.until(/There is nothing here/);
  await terminal.say("/redraw");
  const redrawn = await terminal.until(
    (screen) =>
      !screen.includes("/redraw") &&
      /\/help lists commands[^]*› list the files here[^]*There is nothing here/.test(screen),
  );
  assert.equal(redrawn.split("There is nothing here").length, 2, "once");
});

test("Up recalls earlier input, also in the next session", { skip }, async () => {
  using user = new NewUser();
  {
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("list the files here");
    await terminal.until(/💻 \$/);
    await terminal.say("show my to-dos");
    await terminal.until(/› show my to-dos/);
    await terminal.press("C-d");
    await terminal.until(/\[ended 0\]/);
  }
  await using again = await UserTerminal.open(user);
  await again.until(READY);
  await again.press("Up");
  await again.until(/─\n show my to-dos\n─/);
  await again.press("Up");
  const older = await again.until(/─\n list the files here\n─/);
  assert.doesNotMatch(older, /show my to-dos/);
});

test("sends several lines, wide characters and a large paste unchanged", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  // Keys one by one: what arrives in one burst counts as a paste, which keeps its backslash.
  await terminal.type("第一行 👩‍💻");
  await terminal.press("M-Enter");
  await terminal.type("second\\");
  await terminal.until(/─\n 第一行 👩‍💻\n second\\\n─/);
  await terminal.press("Enter");
  await terminal.until(/─\n 第一行 👩‍💻\n second\n.*\n─/);
  await terminal.type("third");
  await terminal.until(/─\n 第一行 👩‍💻\n second\n third\n─/);
  await terminal.press("Enter");
  await terminal.until(/› 第一行 👩‍💻\n {3}second\n {3}third/);
  await terminal.until(/Yes\?/);
  assert.match(server.requests.at(-1)?.body ?? "", /第一行 👩‍💻\\nsecond\\nthird/);
  const pasted = Array.from({ length: 300 }, (_, index) => `line ${index} 粘贴`).join("\n");
  await terminal.paste(pasted);
  await terminal.until(/\[paste #1 \+300 lines\]/);
  await terminal.press("Enter");
  await terminal.until((screen) => screen.split("Yes?").length === 3 || /line 299 粘贴[^]*Yes\?/.test(screen));
  assert.ok(
    (server.requests.at(-1)?.body ?? "").includes(JSON.stringify(pasted).slice(1, -1)),
    "every pasted line is in the request",
  );
});

test(
  "a one-shot shows a readable approval question at a terminal, Ctrl-C stops it, and piped output has no colours",
  { skip },
  async () => {
    using user = new NewUser();
    const refuse = { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] };
    await using server = await startOpenAiServer(obliging({ clean: refuse }));
    user.connect("custom", server.url);
    {
      await using terminal = await UserTerminal.open(user, ["chat", "-q", "clean up"], { columns: 60 });
      const screen = await terminal.until(/Enter denies, \d+ (?:s|min):/);
      assert.match(
        screen,
        /⚠ Approval needed: recursive delete\n {2}\$ +rm -rf build\n {2}in +\S+\n {2}on +this machine.*\n {2}why/,
      );
      assert.match(screen, /\[o\] +once\n {2}\[s\] +for this session/);
      await terminal.type("o");
      await terminal.press("Enter");
      await terminal.until(/rm -rf build {2}\d.*\n[^]*I have seen the result\.\n[^]*\[ended 0\]/);
      // oxlint-disable-next-line no-control-regex -- looking for colours is the purpose
      assert.match(await terminal.screen({ colours: true }), /\u001b\[(1;)?33m/);
    }
    await using stopped = await UserTerminal.open(user, ["chat", "-q", "clean up"], { env: { NO_COLOR: "1" } });
    await stopped.until(/Enter denies, \d+ (?:s|min):/);
    // oxlint-disable-next-line no-control-regex -- looking for colours is the purpose
    assert.doesNotMatch(await stopped.screen({ colours: true }), /\u001b\[(3[0-7]|9[0-7])m/);
    await stopped.press("C-c");
    await stopped.until(/\[ended 130\]\n.*icanon echo/);
    const piped = await user.run(["chat", "-q", "hello"]);
    assert.doesNotMatch(piped.out + piped.err, /\u001b/);
  },
);
