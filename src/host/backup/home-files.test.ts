import assert from "node:assert/strict";
import { test } from "node:test";
import { isLasting, isSecretPath, withoutKeys } from "./home-files.ts";

test("excludes caches, logs, indexes and process state, also in profiles", () => {
  const out = ["cache/a", "logs/agent.log", "index.db", "index.ts.db-wal", "state.db-shm", "gateway.pid", ".import/x"];
  for (const path of [...out, ...out.map((one) => `profiles/lab/${one}`), "plugins/x/node_modules/y"])
    assert.equal(isLasting(path), false, path);
  for (const path of [
    "config.yaml",
    "state.db",
    "profiles/lab/state.ts.db",
    "skills/logs/SKILL.md",
    "memories/USER.md",
  ])
    assert.equal(isLasting(path), true, path);
});

test("recognizes files with keys and sign-ins, also in profiles", () => {
  for (const path of [".env", "auth/google.json", "profiles/lab/.env", "platforms/pairing/telegram.json", "auth.json"])
    assert.equal(isSecretPath(path), true, path);
  for (const path of ["config.yaml", "skills/x/tokens.json", "memories/USER.md", "state.db"])
    assert.equal(isSecretPath(path), false, path);
});

test("removes the keys from a config.yaml and leaves everything else unchanged", () => {
  const text = `model:
  default: gpt
  api_key: sk-one
  max_tokens: 4096
providers:
  lab:
    base_url: https://user:hunter2hunter2@lab.example
    key: 'quoted key'  # the lab's
    api_key: \${LAB_KEY}
mcp_servers:
  x:
    headers:
      Authorization: "Bearer abcdefgh12345"
    token:
`;
  assert.equal(
    withoutKeys(text, ["hunter2hunter2", "Bearer abcdefgh12345"]),
    `model:
  default: gpt
  api_key: ""
  max_tokens: 4096
providers:
  lab:
    base_url: https://user:""@lab.example
    key: ""
    api_key: \${LAB_KEY}
mcp_servers:
  x:
    headers:
      Authorization: ""
    token:
`,
  );
});
