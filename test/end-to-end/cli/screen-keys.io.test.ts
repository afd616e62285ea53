import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("Ctrl-V attaches the image on the clipboard, and dropped image files are attached", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  const shot = join(user.folder, "my shot.png");
  writeFileSync(shot, Buffer.from(PNG, "base64"));
  const fake = join(user.folder, "fake.png");
  writeFileSync(fake, "no image");
  const xclip = user.write("bin/xclip", `#!/bin/sh\necho ${PNG} | base64 -d\n`);
  chmodSync(xclip, 0o755);
  const env = { DISPLAY: ":7", PATH: `${dirname(xclip)}:${process.env["PATH"]}` };
  await using terminal = await UserTerminal.open(user, [], { env });
  await terminal.until(READY);
  await terminal.press("C-v");
  await terminal.until(/\[image 1: clipboard\]/);
  await terminal.paste(shot.replace(" ", "\\ "));
  await terminal.until(/\[image 1: clipboard\] \[image 2: my shot\.png\]\n─+\n\s*\n─/);
  await terminal.paste(fake);
  await terminal.until(/fake\.png" is not an image that models can read[^]*─\n \S*fake\.png\n─/);
});

test("Alt-Up takes the newest waiting message back into the editor", { skip }, async () => {
  using user = new NewUser();
  const wait = { calls: [{ tool: "terminal", args: { command: "until [ -e go ]; do sleep 0.1; done" } }] };
  await using server = await startOpenAiServer(obliging({ wait }));
  user.connect("custom", server.url, "display:\n  busy_input_mode: queue\n");
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("wait");
  await terminal.until(/until \[ -e go \]/);
  await terminal.say("first thing");
  await terminal.until(/queued: first thing/);
  await terminal.say("second thing");
  await terminal.until(/queued: second thing/);
  await terminal.press("M-Up");
  await terminal.until(/queued: first thing\n[^]*─\n second thing\n─/);
  await terminal.type(" changed");
  await terminal.press("M-Up");
  await terminal.until(
    (screen) => /─\n first thing\n second thing changed\n─/.test(screen) && !screen.includes("queued:"),
  );
  await terminal.send("\x15\x7f\x15");
  writeFileSync(join(user.folder, "go"), "");
  await terminal.until(/I have seen the result/);
  assert.doesNotMatch(JSON.stringify(server.requests.map(({ body }) => body)), /second thing/);
});

test("Ctrl-- undoes and Alt-- redoes, in the editor", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.type("one two");
  await terminal.press("C-w");
  await terminal.until(/─\n one\s*\n─/);
  await terminal.send("\x1f");
  await terminal.until(/─\n one two\n─/);
  await terminal.press("M--");
  await terminal.until(/─\n one\s*\n─/);
});

test(
  "keybindings.json changes keys, Hermes reports its mistakes, and /help shows the user's keys",
  { skip },
  async () => {
    using user = new NewUser();
    user.write(
      "~/.hermes/keybindings.json",
      JSON.stringify({ "app.searchHistory": "f2", "app.unknown": "f3", "editor.deleteToLineStart": "ctrl+r" }),
    );
    user.write("~/.hermes/.hermes_history", '"an earlier line"\n');
    await using terminal = await UserTerminal.open(user, [], { rows: 120, columns: 160 });
    await terminal.until(/keybindings\.json: there is no action "app\.unknown"/);
    await terminal.until(READY);
    await terminal.type("draft");
    await terminal.press("C-r");
    await terminal.until(/─\n\s*\n─/);
    await terminal.press("F2");
    await terminal.until(/an earlier line/);
    await terminal.press("Enter");
    await terminal.until(/─\n an earlier line\n─/);
    await terminal.press("C-c");
    await terminal.say("/help");
    await terminal.until(/F2 +Search the input/);
  },
);

test("Vim keys edit the message, and Escape in normal mode stops the turn", { skip }, async () => {
  using user = new NewUser();
  const wait = { calls: [{ tool: "terminal", args: { command: "sleep 60; touch late" } }] };
  await using server = await startOpenAiServer(obliging({ wait }));
  user.connect("custom", server.url, "display:\n  vim_keys: true\n");
  await using terminal = await UserTerminal.open(user);
  await terminal.until(/─ insert ──/);
  await terminal.type("please wait a moment");
  await terminal.press("Escape");
  await terminal.until(/─ normal ──/);
  await terminal.type("0dwA now");
  await terminal.until(/─ insert ──\n wait a moment now\n─/);
  await terminal.press("Enter");
  await terminal.until(/Esc stops/);
  await terminal.until(/sleep 60/);
  await terminal.press("Escape");
  await terminal.until(/─ normal ──/);
  await terminal.press("Escape");
  await terminal.until(/stopped by you/);
  assert.ok(!existsSync(join(user.folder, "late")));
});

test(
  "notifies the user when a long turn ends, and marks the title until the next key; display.notify disables both",
  { skip },
  async () => {
    using user = new NewUser();
    const nap = { calls: [{ tool: "terminal", args: { command: "sleep 1.5" } }] };
    await using server = await startOpenAiServer(
      obliging({ nap, clean: { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] } }),
    );
    user.connect("custom", server.url, "display:\n  notify_after: 1\n");
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    const written = await terminal.record();
    await terminal.say("take a nap");
    await terminal.until(/I have seen the result/);
    await waitFor(() => written().includes("\x07\x1b]9;Hermes: Done: "), { what: "the notification" });
    assert.match(written(), /\x1b\]777;notify;Hermes;Done: [^\x07]+\x07/);
    await waitFor(async () => (await terminal.title()).startsWith("⚠ Done: "), { what: "the title of the window" });
    await terminal.type("x");
    await waitFor(async () => !(await terminal.title()).includes("Done"), { what: "the title of before" });
    user.connect("custom", server.url, "display:\n  notify: off\n  notify_after: 1\n");
    await using quiet = await UserTerminal.open(user);
    await quiet.until(READY);
    const silent = await quiet.record();
    await quiet.say("take a nap");
    await quiet.until(/I have seen the result/);
    await quiet.say("clean up");
    await quiet.until(/Esc denies/);
    assert.doesNotMatch(silent(), /\x1b\]9;|\x1b\]777;/);
    await using plain = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
    await plain.until(/\/quit exits/);
    const plainOutput = await plain.record();
    await plain.say("clean up");
    await plain.until(/Enter denies/);
    assert.doesNotMatch(plainOutput(), /\x07/);
  },
);

test("`hermes doctor` checks keybindings.json", async () => {
  using user = new NewUser();
  const keys = async () => {
    const { out } = await user.run(["doctor", "--json"]);
    const checks = JSON.parse(out) as readonly {
      readonly name: string;
      readonly ok: boolean;
      readonly detail: string;
    }[];
    return checks.flatMap(({ name, ok, detail }) => (name === "keys" ? [{ ok, detail }] : []));
  };
  assert.deepEqual(await keys(), []);
  const file = user.write("~/.hermes/keybindings.json", '{"app.repaint": "f3"}');
  assert.deepEqual(await keys(), [{ ok: true, detail: "keybindings.json is valid" }]);
  writeFileSync(file, '{"app.repant": "f3", "app.suspend": "f4"}');
  const detail = `Cannot use a part of ${file}: there is no action "app.repant"; did you mean "app.repaint"?.`;
  assert.deepEqual(await keys(), [{ ok: false, detail }]);
});
