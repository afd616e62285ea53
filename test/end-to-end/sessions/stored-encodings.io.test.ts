import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

/** As `Out-File` and `>` of Windows PowerShell write a text. */
const powershell = (text: string): Buffer => Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`, "utf16le");
const latin = (text: string): Buffer => Buffer.from(text, "latin1");

function place(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

// field: F06
test("reads the user's texts in their stored encoding", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "done" }]);
  user.connect("custom", server.url);
  place(join(user.agentHome, "SOUL.md"), powershell("You are Größe the second.\n"));
  place(join(user.agentHome, "memories/MEMORY.md"), latin("The café opens at nine.\n"));
  place(
    join(user.agentHome, "skills/brew/SKILL.md"),
    powershell("---\nname: brew\ndescription: Brews thé.\n---\nBoil.\n"),
  );
  place(join(user.folder, "AGENTS.md"), powershell("Use tabs in rootländ.\n"));
  const { status, err } = await user.run(["chat", "-q", "look"]);
  assert.equal(status, 0, err);
  const body = server.requests[0]!.body;
  for (const words of ["Größe the second", "The café opens", "Brews thé", "rootländ"])
    assert.ok(body.includes(words), `${words}: ${body.slice(0, 6_000)}`);
  assert.doesNotMatch(body, /\\ufffd|\ufffd|\\u0000/);
});

// field: F06
test("config set keeps the encoding of config.yaml and of .env, or changes nothing", async () => {
  using user = new NewUser();
  const config = join(user.agentHome, "config.yaml");
  place(config, powershell("# Größe\nagent:\n  max_turns: 5\n"));
  assert.equal((await user.run(["config", "set", "agent.max_turns", "7"])).status, 0);
  assert.deepEqual(readFileSync(config), powershell("# Größe\nagent:\n  max_turns: 7\n"));
  place(config, latin("# café\nagent:\n  max_turns: 5\n"));
  assert.equal((await user.run(["config", "set", "agent.max_turns", "8"])).status, 0);
  assert.deepEqual(readFileSync(config), latin("# café\nagent:\n  max_turns: 8\n"));
  const refused = await user.run(["config", "set", "agent.environment_hint", "漢字"]);
  assert.notEqual(refused.status, 0);
  assert.match(refused.err, /stored as latin-1, which does not have the character "漢"/);
  assert.deepEqual(readFileSync(config), latin("# café\nagent:\n  max_turns: 8\n"));
  const env = join(user.agentHome, ".env");
  place(env, powershell("# clé\nOTHER_KEY=1\n"));
  assert.equal((await user.run(["config", "set", "TAVILY_API_KEY", "tvly-1234567890"])).status, 0);
  assert.equal(
    readFileSync(env).toString("utf16le").replaceAll("\r", ""),
    "\ufeff# clé\nOTHER_KEY=1\nTAVILY_API_KEY=tvly-1234567890\n",
  );
});

// field: F06
test("notes and skills keep their encoding when the agent changes them", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "memory", args: { action: "add", target: "memory", content: "The thé is green." } }] },
    {
      calls: [
        { tool: "skill_manage", args: { action: "patch", name: "brew", old_string: "Boil.", new_string: "Boil thé." } },
      ],
    },
    { text: "done" },
  ]);
  user.connect("custom", server.url);
  const notes = join(user.agentHome, "memories/MEMORY.md");
  const skill = join(user.agentHome, "skills/brew/SKILL.md");
  const text = "---\nname: brew\ndescription: Brews café.\n---\nBoil.\n";
  place(notes, latin("The café opens at nine.\n"));
  place(skill, latin(text));
  const { status, err } = await user.run(["chat", "-q", "note it", "--yolo"]);
  assert.equal(status, 0, err);
  assert.match(readFileSync(notes).toString("latin1"), /^The café opens at nine\.\n§\nThe thé is green\./);
  assert.deepEqual(readFileSync(skill), latin(text.replace("Boil.", "Boil thé.")));
});
