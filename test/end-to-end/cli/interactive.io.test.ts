import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;

// req: cli.interactive, plugins.banner
test(
  "the first screen lists tools by toolset, including plugins' tools, and Hermes answers a prompt",
  { skip },
  async () => {
    using user = new NewUser();
    user.write("notes.txt", "hello");
    user.write(
      "~/.hermes/plugins/calculator/plugin.yaml",
      "name: calculator\nversion: 1.0.0\ndescription: Sums\nprovides_tools: [calculate, unit_convert]\n",
    );
    const tool = (name: string): string =>
      `ctx.tool({ name: "${name}", toolset: "calculator", description: "Does it.", input: { type: "object", properties: {} }, effect: "none", execute: async () => ({ ok: true }) });`;
    user.write(
      "~/.hermes/plugins/calculator/index.ts",
      `export default (ctx) => { ${tool("calculate")} ${tool("unit_convert")} };\n`,
    );
    const enabled = await user.run(["plugins", "enable", "calculator"]);
    assert.equal(enabled.status, 0, enabled.err);
    await using terminal = await UserTerminal.open(user);
    const first = await terminal.until(READY);
    assert.match(first, /^ calculator: calculate, unit_convert$/m);
    assert.match(first, /^ tools {2}browser, clarify, .* and \d+ more \(\/tools lists them\)$/m);
    assert.match(first, /No model is configured/);
    await terminal.resize(40, 32);
    await terminal.until(
      /^ ☤ Hermes .*\n folder .*\n tools .*\(\/tools\)\n calculator: calculate, unit_convert\n \/help .* Ctrl-D exits$/m,
    );
    await terminal.resize(100, 32);
    await terminal.say("list the files here");
    assert.match(await terminal.until(/notes\.txt/), /💻 \$ ls -Ap/);
  },
);

// req: registry.emoji
test(
  "shows a spinner and the time of a running call, and keeps the time and any failure when it ends",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({
        wait: { calls: [{ tool: "terminal", args: { command: "until [ -e go ]; do sleep 0.1; done; exit 3" } }] },
      }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("wait a little");
    await terminal.until(/^ [⠁-⣿] 💻 \$ until .*; exit 3 {2}\d+s$/m);
    user.write("go", "");
    await terminal.until(/^ 💻 \$ until .*; exit 3 {2}(?:\d+\.|\d+m)\d+s {2}exit 3$/m);
    await terminal.until(/I have seen the result\./);
    assert.equal(server.requests.length, 2);
  },
);

test("renders an answer as Markdown while it streams, without delaying the user's typing", { skip }, async () => {
  using user = new NewUser();
  const long = Array.from({ length: 400 }, (_, index) => `Paragraph **${index}** with \`code\`.\n\n`).join("");
  let typed = false;
  // Slow enough to type meanwhile, even on a busy machine; the rest then arrives at once.
  const stream = {
    text: `# A title\n\n- one\n- two\n\n${long}The end.`,
    deltaChars: 6,
    get betweenMs() {
      return typed ? 0 : 40;
    },
  };
  await using server = await startOpenAiServer(obliging({ stream }));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("stream");
  await terminal.until(/Paragraph \d+ with code\./);
  for (let letters = 1; letters <= "responsive".length; letters++) {
    await terminal.type("responsive"[letters - 1]!);
    const screen = await terminal.until((now) => now.includes("responsive".slice(0, letters)));
    assert.doesNotMatch(screen, /The end\./, "each letter is seen while the answer still comes");
  }
  typed = true;
  await terminal.until(/The end\./);
  const all = await terminal.screen({ scrollback: true });
  assert.match(all, /^ A title$/m);
  assert.match(all, /^ • one\n • two$/m);
  for (const index of [0, 200, 399]) assert.match(all, new RegExp(`^ Paragraph ${index} with code\\.$`, "m"));
});

test("reports a failed request with a hint, and the session continues", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ status: 401, message: "bad key" }, { text: "Yes?" }]);
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("broken");
  const screen = await terminal.until(/✗ .*401/);
  assert.equal(screen.match(/bad key/g)?.length, 1, "reported once");
  await terminal.say("again");
  await terminal.until(/Yes\?/);
});

test("a model's text cannot control the terminal", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({
      evil: {
        text: "before\u001b[2J\u001b]0;owned\u0007after",
        calls: [{ tool: "terminal", args: { command: "true '\u001b[2J'" } }],
      },
    }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.say("evil");
  const screen = await terminal.until(/Esc denies/);
  assert.match(screen, /before␛\[2J␛\]0;owned␇after/);
  assert.match(screen, /\$ true '␛\[2J'/);
  assert.match(screen, /\$ {5}true '\\u\{1b\}\[2J'/);
});

test("narrow, plain and resized screens stay readable", { skip }, async () => {
  using user = new NewUser({ NO_COLOR: "1" });
  await using server = await startOpenAiServer(
    obliging({ wide: { text: "汉字和 emoji 👩‍💻 wrap where they should, without tearing a character." } }),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], { columns: 40, rows: 15, env: { NO_COLOR: "1" } });
  await terminal.until(/Ctrl-D/);
  await terminal.say("wide 汉字 👍");
  const narrow = await terminal.until(/tearing/);
  assert.match(narrow, /› wide 汉字 👍/);
  // oxlint-disable-next-line no-control-regex -- looking for colours is the purpose
  assert.doesNotMatch(await terminal.screen({ colours: true }), /\u001b\[(3[0-7]|9[0-7])m/);
  await terminal.resize(100, 30);
  await terminal.until(/汉字和 emoji .* wrap where they should, without tearing a character\./);
  await terminal.resize(40, 15);
  await terminal.until(/wrap where they\n should, without tearing a character\.$/m);
});

test("a terminal without cursor control prints lines", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({ hello: { text: "Good day." } }));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
  await terminal.until(/\/quit exits/);
  await terminal.say("hello");
  await terminal.until(/^Good day\.$/m);
  await terminal.say("/quit");
  await terminal.until(/^hermes --resume \S+\n\[ended 0\]$/m);
  assert.equal(server.requests.length, 1);
});

// req: R-12
test(
  "after a kill during a command, --continue shows the conversation and the interruption, and continues",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({ count: { calls: [{ tool: "terminal", args: { command: "echo ran >> counter; sleep 60" } }] } }),
    );
    user.connect("custom", server.url);
    {
      await using terminal = await UserTerminal.open(user);
      await terminal.until(READY);
      await terminal.say("count");
      await terminal.until(/sleep 60 {2}\d+s/);
      process.kill(await terminal.pid(), "SIGKILL");
      await terminal.until(/\[ended 137\]/);
    }
    await using again = await UserTerminal.open(user, ["--continue"]);
    const screen = await again.until(/I have seen the result/);
    assert.match(screen, /› count/);
    assert.match(screen, /terminal .*was interrupted\. It may or may not have\s+happened; it is not run again\./);
    assert.equal(
      (
        await user.run(["tools", "call", "read_file", JSON.stringify({ path: join(user.folder, "counter") })])
      ).out.match(/ran/g)?.length,
      1,
    );
  },
);
