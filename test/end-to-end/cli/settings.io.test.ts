import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { ended, NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const SLOW = { calls: [{ tool: "terminal", args: { command: "sleep 2; echo ready" } }] };

// req: config.removed-display-keys, R-55
test("hermes config check reports each mistake with its position, and known keys that have no effect", async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/config.yaml",
    "agent:\n  max_turns: 7\ndisplay:\n  theme_mode: dark\nhuman_delay:\n  mode: natural\n",
  );
  const wrong = await user.run(["config", "check"]);
  assert.equal(wrong.status, 78);
  assert.match(wrong.out, /✗ .*config\.yaml:4:3: "display\.theme_mode" is not a setting\./);
  assert.match(
    wrong.out,
    /○ human_delay \(.*config\.yaml:5\) is a setting of the original that this version does not use/,
  );
  assert.deepEqual(
    (await user.run(["config", "unset", "display.theme_mode"])).out,
    "display.theme_mode is no longer set.\n",
  );
  const idle = await user.run(["config", "set", "human_delay.mode", "natural"]);
  assert.deepEqual(
    [idle.status, idle.out, idle.err],
    [
      0,
      'human_delay.mode = "natural"\n',
      "human_delay.mode is a setting of the original that this version does not use.\n",
    ],
  );
  assert.equal((await user.run(["config", "set", "display.compact", "true"])).err, "");
  const right = await user.run(["config", "check"]);
  assert.deepEqual([right.status, /is valid\./.test(right.out)], [0, true]);
  const defaults = await user.run(["config", "show", "--all"]);
  assert.ok(!/theme_mode|background_process_notifications/.test(defaults.out));
});

// field: C02
test("keeps all digits of ids too long for a double, and refuses them where a number is required", async () => {
  using user = new NewUser();
  const id = "823475887319941131";
  user.write(
    "~/.hermes/config.yaml",
    `discord:\n  free_response_channels: [${id}, 9007199254740993]\nplugins:\n  entries:\n    own: { owner: -${id}, id: +${id} }\n`,
  );
  const get = async (path: string): Promise<string> => (await user.run(["config", "get", path])).out.trim();
  assert.deepEqual(JSON.parse(await get("discord.free_response_channels")), [id, "9007199254740993"]);
  assert.equal(await get("plugins.entries.own.owner"), `-${id}`);
  const one = await user.run(["config", "set", "discord.free_response_channels", id]);
  assert.deepEqual([one.status, one.err], [0, ""]);
  assert.equal(await get("discord.free_response_channels"), id);
  await user.run(["config", "set", "plugins.entries.own.list", `[${id}, 5]`]);
  assert.deepEqual(JSON.parse(await get("plugins.entries.own.list")), [id, 5]);
  assert.equal(await get("plugins.entries.own.owner"), `-${id}`, "an edit elsewhere leaves it alone");
  const refused = await user.run(["config", "set", "agent.max_turns", id]);
  assert.deepEqual([refused.status, /would lose digits/.test(refused.err)], [2, true]);
});

test("get, set and unset suggest a key for an unknown one, and report a known one that is not set", async () => {
  using user = new NewUser();
  for (const args of [
    ["set", "modle", "x"],
    ["get", "modle"],
    ["unset", "modle"],
    ["explain", "modle"],
  ]) {
    const { status, err } = await user.run(["config", ...args]);
    assert.deepEqual([status, err], [2, 'Error: "modle" is not a setting.\nDid you mean "model.default"?\n'], args[0]);
  }
  assert.match((await user.run(["config", "get", "foo.bar"])).err, /"foo\.bar" is not a setting/);
  const known = await user.run(["config", "get", "model.default"]);
  assert.deepEqual([known.status, known.err], [1, "model.default is not set (allowed: text).\n"]);
});

// req: config.display-platforms
test("a setting for the CLI overrides the one for all surfaces, in one-shots and in sessions", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(
    obliging({ count: { calls: [{ tool: "terminal", args: { command: "echo one" } }] } }),
  );
  user.connect(
    "custom",
    server.url,
    "display:\n  tool_progress: verbose\n  platforms:\n    cli:\n      tool_progress: off\n    telegram:\n      tool_progress: all\n",
  );
  const silent = await user.run(["chat", "-q", "count"]);
  assert.ok(!silent.err.includes("echo one"), silent.err);
  await user.run(["config", "unset", "display.platforms.cli"]);
  assert.match((await user.run(["chat", "-q", "count"])).err, /\$ echo one.*\n {2}\{\n {4}"command": "echo one"/);
});

// req: slash.indicator
test("/indicator chooses the spinner of running tools", { skip }, async () => {
  using user = new NewUser();
  const styles = ["ascii", "kaomoji", "emoji", "unicode"];
  await using server = await startOpenAiServer(
    obliging(
      Object.fromEntries(
        styles.map((style) => [
          style,
          { calls: [{ tool: "terminal", args: { command: `until [ -e ${style} ]; do sleep 0.1; done` } }] },
        ]),
      ),
    ),
  );
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  const signs: readonly (readonly [style: string, sign: RegExp])[] = [
    ["ascii", /^ [|/\\-] 💻 \$/m],
    ["kaomoji", /^ \([•-][_‿][•-]\) 💻 \$/m],
    ["emoji", /^ [🌑-🌘]+ ?💻 \$/mu],
    ["unicode", /^ [⠁-⣿] 💻 \$/m],
  ];
  for (const [style, sign] of signs) {
    await terminal.say(`/indicator ${style}`);
    await terminal.until(
      new RegExp(
        `The spinner style is ${style}\\.\\s+To\\s+save\\s+it:\\s+hermes\\s+config\\s+set\\s+display\\.tui_status_indicator\\s+${style}`,
      ),
    );
    await terminal.say(`slow ${style}`);
    await terminal.until(sign);
    user.write(style, "");
    await terminal.until(
      (screen) =>
        (screen.match(/I have seen the result/g)?.length ?? 0) > signs.findIndex(([each]) => each === style) ||
        /I have seen the result\.\s*─/.test(screen),
    );
  }
  assert.equal(server.requests.length, 2 * signs.length);
  await terminal.say("/indicator wobbly");
  await terminal.until(/Usage: \/indicator kaomoji\|emoji\|unicode\|ascii\. Current: unicode\./);
});

test(
  "/skin changes the session's colours, also to a user's file, and display.skin saves the choice",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer([{ text: "Here is `code`." }]);
    user.connect("custom", server.url);
    user.write("~/.hermes/skins/moss.yaml", 'description: Moss\ncolors:\n  ui_label: "#7a9a4f"\n');
    user.write("~/.hermes/skins/odd.yaml", "colors:\n  ui_label: green\n");
    const moss = "\x1b[38;2;122;154;79mcode";
    const env = { COLORTERM: "truecolor" };
    {
      await using terminal = await UserTerminal.open(user, [], { env });
      await terminal.until(READY);
      await terminal.say("hello");
      await terminal.until(/Here is code\./);
      assert.ok(!(await terminal.screen({ colours: true })).includes(moss));
      await terminal.say("/skin moss");
      await terminal.until(/The skin is moss\. To save it: hermes config set display\.skin moss/);
      assert.ok((await terminal.screen({ colours: true })).includes(moss), "the existing screen is redrawn");
      for (const [line, shown] of [
        ["/skin mos", /There is no skin "mos"\. Did you mean moss\?/],
        ["/skin odd", /^ \S+skins\/odd\.yaml: "colors\.ui_label"/m],
      ] as const) {
        await terminal.say(line);
        await terminal.until(shown);
      }
      await terminal.say("/skin");
      await terminal.until(/│ Moss[^]*→ moss +current/);
      await terminal.type("odd");
      await terminal.until(/→ odd +not usable │ \S+/);
      await terminal.press("Escape");
      await terminal.until((screen) => !screen.includes("Which skin?"));
    }
    assert.equal((await user.run(["config", "set", "display.skin", "moss"])).status, 0);
    await using again = await UserTerminal.open(user, ["--continue"], { env });
    await again.until(/Here is code\./);
    assert.ok((await again.screen({ colours: true })).includes(moss));
  },
);

// row 48 of the fault matrix
// req: R-55
test(
  "a running session applies an edit of config.yaml, and keeps the last good one while it is invalid",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({
        count: { calls: [{ tool: "terminal", args: { command: "echo one" } }] },
        hello: { text: "Good day." },
      }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    const good = `model:\n  provider: custom\n  default: loopback\n  base_url: ${server.url}\n`;
    user.write("~/.hermes/config.yaml", `${good}display:\n  timestamps: true\n  timestamp_format: at %Y\n`);
    await terminal.say("hello");
    await terminal.until(/Good day\.\n at 20\d\d/);
    user.write(
      "~/.hermes/config.yaml",
      `${good}display:\n  timestamps: true\n  timestamp_format: at %Y\n  timestmps: false\n`,
    );
    await terminal.say("hello again");
    await terminal.until(
      /Did you\s+mean "display\.timestamps"\?[^]*The last valid configuration stays in\s+force[^]*Good day\.\n at 20\d\d/,
    );
    user.write("~/.hermes/config.yaml", good);
    await terminal.say("hello anew");
    await terminal.until(/config\.yaml is valid again and in\s+force\./);
    assert.equal((await terminal.screen()).split("is valid again").length, 2, "reported once");
  },
);

test(
  "a terminal without cursor control has /new, /resume and /busy, and accepts input during a turn",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({ slow: SLOW, hello: { text: "Good day." }, later: { text: "Later it is." } }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user, [], { env: { TERM: "dumb" } });
    await terminal.until(/\/quit exits/);
    await terminal.say("hello one");
    await terminal.until(/^Good day\.\n>$/m);
    await terminal.say("/new");
    await terminal.until(/Started a new session\./);
    await terminal.say("/resume");
    await terminal.until(/Resumed /);
    await terminal.say("/busy queue");
    await terminal.until(/Enter during a turn: queue\./);
    await terminal.say("slow");
    await terminal.until(() => server.requests.length === 2);
    await terminal.type("later\n");
    await terminal.until(/\$ sleep 2[^]*I have seen the result\.[^]*Later it is\./);
    await terminal.say("/history");
    await terminal.until(/› hello one\nGood day\.\n› slow\n[^]*› later\nLater it is\./);
    await terminal.say("/quit");
    await terminal.until(/\[ended 0\]/);
    assert.equal(server.requests.length, 4);
  },
);

test("/snapshot saves settings and conversations, restores them at once, and shows a snapshot's content", async () => {
  using user = new NewUser();
  await user.run(["chat", "-q", "show my to-dos"]);
  await user.run(["config", "set", "agent.max_turns", "7"]);
  const made = await user.run(["chat", "-q", "/snapshot create before it"]);
  const [, id = "", path = ""] =
    /^Created snapshot (\d{8}-\d{6}-before-it) \(\d+ kB\) in (\S+)\. Restore it with: \/snapshot restore \1\n$/.exec(
      made.out,
    ) ?? [];
  assert.ok(path.endsWith(`.hermes/state-snapshots/${id}`), made.out + made.err);
  await user.run(["config", "set", "agent.max_turns", "9"]);
  assert.match((await user.run(["chat", "-q", "/snap"])).out, new RegExp(`^ 1 {2}${id} {2}20`));
  const back = await user.run(["chat", "-q", "/snapshot restore 1"]);
  assert.match(back.out, /^Restored config\.yaml from .*\. .*\nTo undo: \/snapshot restore \S+-before-restore\n/);
  assert.equal((await user.run(["config", "get", "agent.max_turns"])).out, "7\n");
  const refused = await user.run(["chat", "-q", "/snapshot restore nonsense"]);
  assert.deepEqual([refused.status, /There is no snapshot "nonsense"\.\nAvailable: /.test(refused.out)], [2, true]);
  await using then = await openApp({
    version: "0",
    env: { HOME: user.home, HERMES_HOME: path, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    (await then.sessions.list()).map(({ preview }) => preview),
    ["show my to-dos"],
  );
});

test("config edit reports mistakes in the file when the editor closes", async () => {
  using user = new NewUser();
  const edit = async (line: string) => {
    const child = spawn(
      process.execPath,
      ["--conditions=hermes-source", join(import.meta.dirname, "../../../src/main.ts"), "config", "edit"],
      {
        cwd: user.folder,
        env: { PATH: process.env["PATH"], HOME: user.home, TERM: "dumb", EDITOR: `printf '${line}' >` },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    return ended(child);
  };
  const wrong = await edit("display:\\n  compcat: true\\n");
  assert.equal(wrong.status, 78);
  assert.match(
    wrong.err,
    /^✗ .*config\.yaml:2:3: "display\.compcat" is not a setting\. Did you mean "display\.compact"\?\n$/,
  );
  const right = await edit("display:\\n  compact: true\\n");
  assert.deepEqual([right.status, right.err], [0, ""]);
});
