import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

const IN_FORCE = /"modle" is not a setting\.[^]*The last valid configuration stays in force until you fix the file\./;

// field: P03
test("the gateway reports each mistake in config.yaml to its owner once, at the start or when it appears", async () => {
  await using scene = await chatScene((_, number) => ({ text: `Answer ${number}.` }), {
    env: { LOOPBACK_CHAT_HOME_CHANNEL: "home" },
  });
  const { chat, prompter: user } = scene;
  assert.equal((await user.run(["config", "check"])).status, 0);
  const file = join(user.agentHome, "config.yaml");
  const good = readFileSync(file, "utf8");
  writeFileSync(file, `${good}modle: x\n`);
  const first = await scene.serve();
  assert.match(scene.notes(), IN_FORCE);
  const home = await chat.arrived();
  assert.equal(home.chat_id, "home");
  assert.match(home.text, IN_FORCE);
  assert.match((await user.run(["gateway", "status"])).out, IN_FORCE);
  await chat.write("room", "ada", "one");
  const texts = [(await chat.arrived()).text, (await chat.arrived()).text];
  assert.ok(texts.some((text) => IN_FORCE.test(text)) && texts.includes("Answer 1."), JSON.stringify(texts));
  await chat.write("room", "ada", "two");
  assert.equal((await chat.arrived()).text, "Answer 2.");
  await chat.write("room", "ada", "/status");
  assert.match((await chat.arrived()).text, /\nconfig {3}⚠ [^]*The last valid configuration stays in force/);
  writeFileSync(file, good);
  await chat.write("room", "ada", "/status");
  assert.doesNotMatch((await chat.arrived()).text, /⚠/);
  writeFileSync(file, `${good}modle: y\nagnt: {}\n`);
  await chat.write("room", "ada", "three");
  const later = [(await chat.arrived()).text, (await chat.arrived()).text];
  assert.ok(
    later.some((text) => /"agnt" is not a setting/.test(text)) && later.includes("Answer 3."),
    JSON.stringify(later),
  );
  first.kill("SIGTERM");
  await gone(first);
});

// field: P03
test("every command reports that the last valid configuration is in force, and doctor lists it", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "agent:\n  max_turns: 5\n");
  assert.equal((await user.run(["config", "check"])).status, 0);
  user.write("~/.hermes/config.yaml", "modle:\n  default: y\n");
  for (const line of [
    ["plugins", "list"],
    ["tools", "list"],
    ["cron", "status"],
    ["sessions", "list"],
    ["gateway", "status"],
    ["chat", "-q", "/status"],
    ["chat", "-Q", "-q", "hi"],
  ]) {
    const { err } = await user.run(line);
    assert.match(err, IN_FORCE, line.join(" "));
    assert.equal(err.split("The last valid configuration").length, 2, `${line.join(" ")}: ${err}`);
  }
  assert.match(
    (await user.run(["doctor"])).out.replaceAll(/\s+/g, " "),
    /✗ config The last valid configuration stays in force/,
  );
});

// field: P03
test("a plugin reads its settings under plugins.NAME; those under plugins.entries.NAME take precedence", async () => {
  using user = new NewUser();
  user.write("~/.hermes/plugins/notes/plugin.yaml", "name: notes\nversion: 1.0.0\ndescription: Notes.\n");
  user.write(
    "~/.hermes/plugins/notes/index.mjs",
    `export default (ctx) => ctx.tool({ name: "notes_where", toolset: "notes", description: "Says where.", effect: "none", input: { type: "object", properties: {} }, execute: async () => ({ ...ctx.config }) });`,
  );
  user.write(
    "~/.hermes/config.yaml",
    "plugins:\n  enabled: [notes]\n  hermes-memory-store:\n    db_path: x\n  notes:\n    db_path: a.db\n    auto: true\n  entries:\n    notes:\n      db_path: b.db\n",
  );
  assert.deepEqual((await user.run(["config", "check"])).status, 0);
  const { out, err } = await user.run(["tools", "call", "notes_where", "{}"]);
  assert.deepEqual([JSON.parse(out), err], [{ db_path: "b.db", auto: true }, ""]);
  assert.equal((await user.run(["config", "set", "plugins.notes.auto", "false"])).status, 0);
  assert.deepEqual(JSON.parse((await user.run(["tools", "call", "notes_where", "{}"])).out), {
    db_path: "b.db",
    auto: false,
  });
  // A misspelled key of Hermes is no section.
  user.write("~/.hermes/config.yaml", "plugins:\n  enabld: [notes]\n");
  assert.match(
    (await user.run(["config", "check"])).out,
    /"plugins\.enabld" is not a setting\. Did you mean "plugins\.enabled"\?/,
  );
});
