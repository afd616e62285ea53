import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const WIDE = { columns: 110, rows: 36 };

test(
  "/resume lists sessions with age, folder and messages, branches below, and resumes the picked one",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({ blue: { text: "Noted: blue." }, green: { text: "Green it is." } }),
    );
    user.connect("custom", server.url);
    await using terminal = await UserTerminal.open(user, [], WIDE);
    await terminal.until(READY);
    await terminal.say("my colour is blue");
    await terminal.until(/Noted: blue\./);
    await terminal.say("/branch other colours");
    await terminal.until(/which is now open/);
    await terminal.say("now green");
    await terminal.until(/Green it is\./);
    await terminal.say("/new");
    await terminal.until(/Started a new session/);
    await terminal.say("/resume");
    await terminal.until(
      /Resume which session\?[^]*→ my colour is blue +now · 2 msg · her[^]*└ other colours +now · [^]*1 of 2 · Enter resumes · Esc leaves · type to filter/,
    );
    await terminal.until(/│ › my colour is blue\n[^]*│ {3}Noted: blue\./);
    await terminal.type("other");
    await terminal.until(/→ other colours[^]*1 of 1/);
    await terminal.press("Enter");
    await terminal.until(/Resumed other colours\./);
    await terminal.until(/› now green\n\n Green it is\./);
  },
);

test("hermes --resume without an id opens the list, and Escape leaves a new session", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({ blue: { text: "Noted: blue." } }));
  user.connect("custom", server.url);
  await user.run(["chat", "-q", "my colour is blue"]);
  await using terminal = await UserTerminal.open(user, ["--resume"], WIDE);
  await terminal.until(/→ my colour is blue/);
  await terminal.press("Enter");
  await terminal.until(/Resumed [^]*› my colour is blue|› my colour is blue[^]*Resumed /);
  await using other = await UserTerminal.open(user, ["--resume"], WIDE);
  await other.until(/→ my colour is blue/);
  await other.press("Escape");
  await other.until((screen) => !screen.includes("Resume which session?") && READY.test(screen));
  const piped = await user.run(["--resume"], "hello");
  assert.equal(piped.status, 2);
  assert.match(piped.err, /--resume needs the id of a session/);
});

test("/model lists the models of all providers, the current one first, with window and price", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], WIDE);
  await terminal.until(READY);
  await terminal.say("/model");
  await terminal.until(
    /→ custom\/loopback +current · \S+ [^]*custom\/loopback-large[^]*custom\/loopback-small[^]*Enter chooses/,
  );
  await terminal.until(/│ window +\S+ tokens\n[^]*│ price +unknown/);
  await terminal.type("small");
  await terminal.press("Enter");
  await terminal.until(/now uses loopback-small by custom\./);
});

test("/skin previews each skin, applies it on Enter and restores the previous one on Escape", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, [], { ...WIDE, env: { COLORTERM: "truecolor" } });
  await terminal.until(READY);
  const colours = async (): Promise<string> => terminal.screen({ colours: true });
  const titleOf = (screen: string): string | undefined => /\x1b\[[\d;:]*m☤/.exec(screen)?.[0];
  const before = titleOf(await colours());
  await terminal.say("/skin");
  await terminal.until(/→ default +current/);
  await terminal.type("charizard");
  await terminal.until(/→ charizard/);
  const ember = /\x1b\[38[;:]2[;:]+255[;:]154[;:]60m→ charizard|\x1b\[38[;:]5[;:]\d+m→ charizard/;
  await waitFor(async () => ember.test(await colours()), { what: "the screen has the colours of the skin" });
  await terminal.press("Escape");
  await terminal.until((screen) => !screen.includes("Which skin?"));
  await waitFor(async () => titleOf(await colours()) === before, { what: "the colours of before return" });
  await terminal.say("/skin");
  await terminal.until(/Which skin\?/);
  await terminal.type("charizard");
  await terminal.until(/→ charizard/);
  await terminal.press("Enter");
  await terminal.until(/The skin is charizard\. To save it: hermes config set display\.skin charizard/);
});

test("/tools and /toolsets switch tools, and report what changed", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, [], WIDE);
  await terminal.until(READY);
  await terminal.say("/tools");
  await terminal.until(/Tools; changes apply[^]*Enter switches/);
  await terminal.type("read_file");
  await terminal.until(/→ ✓ read_file +file [^]*│ plugin +tool-file/);
  await terminal.press("Enter");
  await terminal.until(/→ ○ read_file/);
  await terminal.press("Escape");
  await terminal.until(/Off: read_file\. This applies starting with the next session \(\/new\)\./);
  assert.match(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /search_files(?![^]*read_file)/);
  await terminal.say("/toolsets");
  await terminal.until(/Toolsets; changes apply[^]*│ browser_back/);
  await terminal.type("memory");
  await terminal.until(/→ ✓ memory/);
  await terminal.press("Escape");
  await terminal.until((screen) => !screen.includes("Enter switches"));
});

test("/ completes commands, skills, and the arguments of commands", { skip }, async () => {
  using user = new NewUser();
  user.write("~/.hermes/skills/shipping/SKILL.md", "---\nname: shipping\ndescription: Ship a release\n---\nShip it.\n");
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], WIDE);
  await terminal.until(READY);
  await terminal.type("/ship");
  await terminal.until(/→ shipping +skill — Ship a release/);
  await terminal.press("C-c");
  await terminal.type("/model smal");
  await terminal.until(/→ custom\/loopback-small/);
  await terminal.press("Tab");
  await terminal.until(/─\n \/model custom\/loopback-small\n─/);
  await terminal.press("C-c");
  await terminal.type("/tools disable mem");
  await terminal.until(/→ disable memory +toolset/);
  await terminal.press("C-c");
  await terminal.type("/skin ember");
  await terminal.until(/→ charizard +embers/);
});

test("/skills and /mcp list skills and MCP servers, and enable or disable them", { skip }, async () => {
  using user = new NewUser();
  user.write("~/.hermes/skills/shipping/SKILL.md", "---\nname: shipping\ndescription: Ship a release\n---\nTag it.\n");
  user.write("~/.hermes/config.yaml", "mcp_servers:\n  weather:\n    command: nowhere-at-all\n    enabled: false\n");
  await using terminal = await UserTerminal.open(user, [], WIDE);
  await terminal.until(READY);
  await terminal.say("/skills");
  await terminal.until(/Skills; changes apply/);
  await terminal.type("shipping");
  await terminal.until(/→ ✓ shipping[^]*│ Tag it\./);
  await terminal.press("Enter");
  await terminal.until(/→ ○ shipping/);
  await terminal.press("Escape");
  await terminal.until(/shipping is off, starting with the next session\./);
  await terminal.say("/mcp");
  await terminal.until(/→ ○ weather +off │ Off: mcp_servers/);
  await terminal.press("Enter");
  await terminal.until(/→ ! weather +never connected │ nowhere-at-all/);
  await terminal.press("Escape");
  await terminal.until(/weather is on\. \/reload-mcp connects now/);
  assert.doesNotMatch(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /enabled: false/);
});
