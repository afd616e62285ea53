import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const examples = join(import.meta.dirname, "../../../examples/plugins");
type Body = {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
};

const textsOf = (body: string): readonly string[] =>
  (JSON.parse(body) as Body).messages.map(({ content }) =>
    typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n"),
  );

for (const [language, folder] of [
  ["TypeScript", "notes-memory"],
  ["Python", "notes-memory-python"],
] as const) {
  // req: memory.command, memory.manager-and-provider, plugins.memory-register, plugins.memory-cli-convention, plugins.memory-cli-gating
  test(
    `a memory provider in ${language} stores after the answer, recalls in the next session, and adds its tool and command`,
    { skip: language === "Python" && !python ? "there is no python3" : false },
    async () => {
      using user = new NewUser();
      await using server = await startOpenAiServer((_, number) =>
        number === 3 ? { calls: [{ tool: "notes_search", args: { query: "harbour" } }] } : { text: `Reply ${number}.` },
      );
      user.connect("custom", server.url, "");
      cpSync(join(examples, folder), join(user.agentHome, "plugins/notes-memory"), { recursive: true });
      const without = await user.run(["chat", "-q", "The harbour code is Zanzibar-77."]);
      assert.equal(without.status, 0, without.err);
      assert.equal((await user.run(["notes-memory", "status"])).status, 2);
      assert.doesNotMatch((await user.run(["--help"])).out, /notes-memory/);

      assert.equal((await user.run(["memory", "setup", "notes-memory"])).status, 0);
      assert.match((await user.run(["memory", "status"])).out, /notes-memory.*available/s);
      const setting = async () => (await user.run(["config", "get", "memory.provider"])).out.trim();
      assert.equal(await setting(), "notes-memory");
      const first = await user.run(["chat", "-q", "The harbour code is Zanzibar-77."]);
      assert.equal(first.status, 0, first.err);
      assert.deepEqual(
        readFileSync(join(user.agentHome, "notes-memory/notes.jsonl"), "utf8")
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { user: string }).user),
        ["The harbour code is Zanzibar-77."],
      );
      const second = await user.run(["chat", "-q", "Which harbour code?", "--yolo"]);
      assert.equal(second.status, 0, second.err);
      const [, stored, recalled, called] = server.requests.map(({ body }) => body);
      assert.ok(!textsOf(stored!).join("\n").includes("<memory-context>"));
      assert.match(
        textsOf(recalled!).at(-1)!,
        /Which harbour code\?\n.*<memory-context>\n\[Recalled by notes-memory .*Zanzibar-77.*<\/memory-context>/s,
      );
      assert.match(textsOf(recalled!)[0]!, /Notes of earlier conversations are stored\./);
      assert.ok((JSON.parse(recalled!) as Body).tools!.some((tool) => tool.function.name === "notes_search"));
      assert.match(textsOf(called!).at(-1)!, /Zanzibar-77/);
      // The prefix never changes, and no file of the store contains the recalled text.
      assert.equal(textsOf(recalled!)[0], textsOf(called!)[0]);
      for (const file of readdirSync(user.agentHome).filter((name) => name.startsWith("state.db")))
        assert.ok(!readFileSync(join(user.agentHome, file), "latin1").includes("<memory-context>"));

      const status = await user.run(["notes-memory", "status"]);
      assert.match(status.out, /^2 notes in .*notes\.jsonl/m, status.err);
      assert.match((await user.run(["--help"])).out, /notes-memory/);
      assert.equal((await user.run(["memory", "off"])).status, 0);
      assert.doesNotMatch(await setting(), /notes-memory/);
      assert.doesNotMatch((await user.run(["--help"])).out, /notes-memory/);
    },
  );
}

// req: plugins.memory-register
test("an installed TypeScript memory provider stores what its grants allow; failures are shown on the screen", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer((_, number) => ({ text: `Reply ${number}.` }));
  user.connect("custom", server.url, "");
  const installed = await user.run(["plugins", "install", join(examples, "notes-memory"), "--yes", "--enable"]);
  assert.match(installed.err, /writes to the folder ~\/\.hermes\/notes-memory/);
  assert.equal((await user.run(["memory", "setup", "notes-memory"])).status, 0);
  const first = await user.run(["chat", "-q", "The harbour code is Zanzibar-77."]);
  assert.doesNotMatch(first.err, /sync_turn/);
  await user.run(["chat", "-q", "Which harbour code?"]);
  assert.match(textsOf(server.requests.at(-1)!.body).at(-1)!, /<memory-context>.*Zanzibar-77/s);

  cpSync(join(examples, "notes-memory"), join(user.folder, "held"), { recursive: true });
  user.write(
    "held/plugin.yaml",
    "name: notes-memory\nversion: 1.0.1\ndescription: Without its grant.\nkind: exclusive\n",
  );
  assert.equal((await user.run(["plugins", "install", "./held", "--yes", "--enable", "--force"])).status, 0);
  const held = await user.run(["chat", "-q", "The gate code is Lima-12."]);
  assert.deepEqual([held.status, held.out.trim()], [0, "Reply 3."]);
  assert.match(
    held.err,
    /^sync_turn of the memory provider "notes-memory" failed: This plugin is not your own and may not write .*notes-memory: its manifest does not list that folder in grants\.write\.$/m,
  );

  await user.run(["config", "set", "memory.provider", "gone"]);
  assert.match(
    (await user.run(["chat", "-q", "hello"])).err,
    /There is no memory provider "gone" \(memory\.provider\), so none is used\.\n +hermes memory setup selects one/,
  );
});

/** A provider in need of a key, and of settings that it keeps itself. */
const KEYED = `import json, os
from agent.memory_provider import MemoryProvider

class Vault(MemoryProvider):
    @property
    def name(self):
        return "vault"

    def is_available(self):
        return bool(os.environ.get("VAULT_API_KEY"))

    def initialize(self, session_id, **kwargs): ...

    def get_tool_schemas(self):
        return []

    def get_config_schema(self):
        return [
            {"key": "mode", "description": "Where memories are", "choices": ["cloud", "local"], "default": "cloud"},
            {"key": "folder", "description": "Folder", "when": {"mode": "local"}},
            {"key": "project", "description": "Project", "default": "main"},
            {"key": "api_key", "description": "Key of the vault", "secret": True, "required": True, "env_var": "VAULT_API_KEY", "url": "https://vault.example/keys"},
        ]

    def save_config(self, values, hermes_home):
        with open(os.path.join(hermes_home, "vault.json"), "w") as file:
            json.dump(values, file)

def register(ctx):
    ctx.register_memory_provider(Vault())
`;

// req: memory.manager-and-provider
test(
  "memory setup asks for what a provider needs, and without a user lists what is missing",
  { skip: python ? NO_TMUX : "there is no python3", timeout: 120_000 },
  async () => {
    using user = new NewUser();
    user.write(
      "~/.hermes/plugins/vault/plugin.yaml",
      "name: vault\nversion: 1.0.0\ndescription: Remembers\nkind: exclusive\n",
    );
    user.write("~/.hermes/plugins/vault/__init__.py", KEYED);
    const alone = await user.run(["memory", "setup", "vault"]);
    assert.equal(alone.status, 0, alone.err);
    assert.match(
      alone.err,
      /^vault needs VAULT_API_KEY \(Key of the vault; https:\/\/vault\.example\/keys\): hermes config set VAULT_API_KEY VALUE$/m,
    );
    assert.match(
      (await user.run(["memory"])).out,
      /^Memory provider: vault \(not available: VAULT_API_KEY is missing\. `hermes memory setup vault` asks for it\)$/m,
    );

    await using terminal = await UserTerminal.open(user, ["memory", "setup", "vault"]);
    await terminal.until(/❯ Default: cloud\n +1\. cloud\n +2\. local\n/);
    await terminal.press("Enter");
    await terminal.until(/Project \[main\]:/);
    await terminal.type("harbour");
    await terminal.press("Enter");
    await terminal.until(
      /Get it at https:\/\/vault\.example\/keys\nKey of the vault \(VAULT_API_KEY; stored in \.env, input hidden\):/,
    );
    await terminal.type("vk-live-0123456789");
    await terminal.press("Enter");
    const end = await terminal.until(/\[ended 0\]/);
    assert.doesNotMatch(end, /vk-live|Folder/);
    assert.deepEqual(JSON.parse(readFileSync(join(user.agentHome, "vault.json"), "utf8")), {
      mode: "cloud",
      project: "harbour",
    });
    assert.match(readFileSync(join(user.agentHome, ".env"), "utf8"), /^VAULT_API_KEY=vk-live-0123456789$/m);
    assert.match((await user.run(["memory"])).out, /^Memory provider: vault \(available\)$/m);
  },
);

// req: memory.manager-and-provider
test(
  "passes an existing key to a memory provider only after consent, which setup and status mention",
  { skip: python ? false : "there is no python3" },
  async () => {
    using user = new NewUser({ VAULT_API_KEY: "vk-live-0123456789" });
    user.write(
      "~/.hermes/plugins/vault/plugin.yaml",
      "name: vault\nversion: 1.0.0\ndescription: Remembers\nkind: exclusive\n",
    );
    user.write("~/.hermes/plugins/vault/__init__.py", KEYED);
    const alone = await user.run(["memory", "setup", "vault"]);
    assert.match(
      alone.err,
      /^VAULT_API_KEY is set, but vault gets it only with your permission: hermes config set plugins\.entries\.vault\.env '\["VAULT_API_KEY"\]'$/m,
    );
    assert.match(
      (await user.run(["memory"])).out,
      /^Memory provider: vault \(not available: VAULT_API_KEY is set, but vault may not use it\. `hermes memory setup vault` asks for permission\)$/m,
    );
    await user.run(["config", "set", "plugins.entries.vault.env", '["VAULT_API_KEY"]']);
    assert.match((await user.run(["memory"])).out, /^Memory provider: vault \(available\)$/m);
  },
);
