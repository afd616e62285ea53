import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };
const KEY = "notes-key-4711";

/** A memory provider that is available only with the secret, which no manifest declares. */
const python = (read: string): string => `import os
from agent.memory_provider import MemoryProvider

class Notes(MemoryProvider):
    name = "notes"
    def is_available(self):
        return bool(${read})
    def initialize(self, session_id, **kwargs):
        pass
    def get_tool_schemas(self):
        return []

def register(ctx):
    ctx.register_memory_provider(Notes())
`;

function begin(code: string): NewUser {
  const user = new NewUser();
  user.write("~/.hermes/plugins/notes/plugin.yaml", "name: notes\nversion: 1.0.0\ndescription: N.\nkind: exclusive\n");
  user.write("~/.hermes/plugins/notes/__init__.py", code);
  user.write("~/.hermes/config.yaml", "memory: { provider: notes }\n");
  return user;
}

// field: P12
test(
  "hermes memory status names a secret that the provider reads, and the settings that grant it",
  withPython,
  async () => {
    using user = begin(python('os.environ.get("NOTES_API_KEY")'));
    const status = async () => (await user.run(["memory", "status"])).out.split("\n").slice(0, -1);
    const pass = `  To pass it: hermes config set plugins.entries.notes.env '["NOTES_API_KEY"]'`;
    assert.deepEqual(await status(), [
      "Memory provider: notes (not available: its code reads NOTES_API_KEY, which it does not get)",
      "Its code reads NOTES_API_KEY, which is not set, and its manifest does not declare it.",
      "  To set it: hermes config set NOTES_API_KEY VALUE",
      pass,
    ]);
    await user.run(["config", "set", "NOTES_API_KEY", KEY]);
    const withheld =
      "Its code reads NOTES_API_KEY, which is set but not passed to it, and its manifest does not declare it.";
    assert.deepEqual(await status(), [
      "Memory provider: notes (not available: its code reads NOTES_API_KEY, which it does not get)",
      withheld,
      pass,
    ]);
    const json = JSON.parse((await user.run(["memory", "status", "--json"])).out) as { readonly secrets: unknown };
    assert.deepEqual(json.secrets, { withheld: ["NOTES_API_KEY"], missing: [] });
    assert.match((await user.run(["plugins", "info", "notes"])).out, new RegExp(`${withheld}\\n`));
    await user.run(["config", "set", "plugins.entries.notes.env", '["NOTES_API_KEY"]']);
    assert.deepEqual(await status(), ["Memory provider: notes (available)"]);
  },
);

// field: P12
test(
  "hermes memory status names a secret also if the provider works without it, and keeps earlier grants",
  withPython,
  async () => {
    using user = begin(python('os.getenv("NOTES_TOKEN", "-")'));
    user.write(
      "~/.hermes/config.yaml",
      "memory: { provider: notes }\nplugins: { entries: { notes: { env: [OTHER_NAME] } } }\n",
    );
    user.write("~/.hermes/.env", `NOTES_TOKEN=${KEY}\n`);
    assert.equal(
      (await user.run(["memory", "status"])).out,
      `Memory provider: notes (available)
Its code reads NOTES_TOKEN, which is set but not passed to it, and its manifest does not declare it.
  To pass it: hermes config set plugins.entries.notes.env '["OTHER_NAME","NOTES_TOKEN"]'
`,
    );
  },
);

// field: P12
test(
  "hermes memory status does not name secrets that the manifest declares, nor ordinary variables",
  withPython,
  async () => {
    using user = begin(python('os.environ.get("NOTES_API_KEY") or os.environ.get("NOTES_REGION")'));
    user.write(
      "~/.hermes/plugins/notes/plugin.yaml",
      "name: notes\nversion: 1.0.0\ndescription: N.\nkind: exclusive\noptional_env: [NOTES_API_KEY]\n",
    );
    assert.equal(
      (await user.run(["memory", "status"])).out,
      "Memory provider: notes (not available: it does not start. `hermes logs` shows why)\n",
    );
  },
);
