import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const dangerous = { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] };
const LONG = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}.`).join("\n\n");

// req: cli.tui
test(
  "--tui has an input line and a status bar at the bottom, and the plain CLI can continue its session",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging({ blue: { text: "Noted: blue." }, much: { text: LONG } }));
    user.connect("custom", server.url);
    {
      await using terminal = await UserTerminal.open(user, ["--tui"], { rows: 20 });
      await terminal.until(READY);
      assert.match(await terminal.modes(), /alternate=1/);
      await terminal.say("my colour is blue");
      await terminal.until(/Noted: blue\.[^]*─\n\n─+\n loopback · [\d.]+ % of context · .*\n*$/);
      await terminal.say("tell much");
      await terminal.until(/Line 60\.\n\n─+\n\n─+\n loopback/);
      await terminal.press("PPage");
      // The conversation scrolls.
      await terminal.until((screen) => !screen.includes("Line 60.") && /─\n\n─+\n loopback/.test(screen));
      await terminal.say("/title colours");
      await terminal.until(/Titled “colours”\.[^]*· colours\n*$/);
      await terminal.press("C-d");
      await terminal.until(/Line 60\.[^]*\n\[ended 0\]\nicanon echo/);
      assert.equal(await terminal.modes(), "cursor=1 mouse=0 alternate=0 keypad=0");
    }
    await using plain = await UserTerminal.open(user, ["--resume", "colours"], { rows: 160 });
    const screen = await plain.until((each) => READY.test(each) && each.includes("Line 60."));
    assert.match(screen, /› my colour is blue\n\n Noted: blue\./);
    assert.match(await plain.modes(), /alternate=0/);
  },
);

test(
  "if a question is taller than the full screen, its answers stay visible and the rest scrolls",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging({ clean: dangerous }));
    user.connect("custom", server.url, "display:\n  interface: tui\n");
    await using terminal = await UserTerminal.open(user, [], { rows: 12, columns: 80 });
    await terminal.until(READY);
    await terminal.say("clean");
    await terminal.until(/\[o\] once[^]*→ \[d\] deny\n +\[t\] deny, and tell the model why\n\n Esc denies/);
    await terminal.press("PPage");
    await terminal.until(/⚠ Approval needed: recursive delete/);
    await terminal.press("d");
    await terminal.until(/✗ denied by you[^]*I have seen the result/);
    assert.equal(server.requests.length, 2);
  },
);

test("--no-tui uses the scrollback even if config.yaml selects the full screen", { skip }, async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "display:\n  interface: tui\n");
  await using terminal = await UserTerminal.open(user, ["--no-tui"]);
  await terminal.until(READY);
  assert.match(await terminal.modes(), /alternate=0/);
});

// req: cli.extend-layout
test("a wrapper of the command line can add a line above the status bar", { skip }, async () => {
  using user = new NewUser();
  user.write(".git/HEAD", "ref: refs/heads/dusk\n");
  await using terminal = await UserTerminal.open(user, [], { main: "examples/wrappers/with-branch.ts" });
  await terminal.until(/─\n\n─+\n on dusk\n rules · \S+ \(dusk\) · \d+_\d+_\w+\n*$/);
  await terminal.say("run rm -rf build");
  await terminal.until(/Esc denies .*\n\n on dusk\n/);
  await terminal.press("Escape");
  const refused = await terminal.until(/✗ denied by you/);
  assert.equal(refused.split(" on dusk\n").length, 2, "the line stays, once");
});
