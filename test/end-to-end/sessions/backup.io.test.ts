import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ZipReader } from "../../../src/host/archive/zip-reader.ts";
import { ZipWriter } from "../../../src/host/archive/zip-writer.ts";
import { finishRestore } from "../../../src/host/backup/finish-restore.ts";
import type { BackupReport, RestoreReport } from "../../../src/contract/services/backup-service.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { ended, NewUser } from "../support/test-user.ts";

const KEY = "sk-abcdefghijklmnopqrstuvwxyz012345";

const sessionsOf = async (user: NewUser): Promise<readonly string[]> => {
  const { out, err } = await user.run(["sessions", "list", "--json"]);
  assert.notEqual(out, "", err);
  return (JSON.parse(out) as readonly { readonly id: string; readonly preview: string }[]).map(
    ({ id, preview }) => `${id} ${preview}`,
  );
};

// field: C12
test("a backup made while a gateway runs restores the same sessions in another home, without keys", async () => {
  await using scene = await chatScene([{ text: "Noted." }, { text: "Done." }]);
  const { prompter, chat } = scene;
  prompter.write("~/.hermes/SOUL.md", "Be brief.\n");
  prompter.write("~/.hermes/scripts/report.sh", `curl -H "x: ${KEY}" x\n`);
  prompter.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nLAB_API_KEY=${KEY}\n`);
  const gateway = await scene.serve();
  await chat.write("room", "ada", "remember the milk");
  assert.equal((await chat.arrived()).text, "Noted.");
  const file = join(prompter.folder, "b.zip");
  const made = await prompter.run(["backup", "-o", file, "--json"]);
  assert.equal(made.status, 0, made.err);
  const report = JSON.parse(made.out) as BackupReport;
  assert.deepEqual(
    report.leftOut.map(({ path }) => path).filter((path) => !path.startsWith("platforms")),
    [".env", "scripts/report.sh"],
  );
  const before = await sessionsOf(prompter);
  assert.equal(before.length, 1);
  // The gateway still answers.
  await chat.write("room", "ada", "and the bread");
  assert.equal((await chat.arrived()).text, "Done.");

  using other = new NewUser();
  const restored = await other.run(["import", file]);
  assert.match(restored.out, /^Restored \d+ files into /, restored.err);
  assert.match(restored.err, /contains no keys/);
  assert.deepEqual(await sessionsOf(other), before);
  assert.equal(readFileSync(join(other.agentHome, "SOUL.md"), "utf8"), "Be brief.\n");
  assert.equal(existsSync(join(other.agentHome, ".env")), false);

  // The gateway's own home refuses while it runs.
  const busy = await prompter.run(["import", file, "--force"]);
  assert.deepEqual([busy.status, busy.out], [1, ""]);
  assert.match(busy.err, /A gateway is running in this home\. Nothing was changed\./);
  gateway.kill("SIGTERM");
  await gone(gateway);
});

test("an import replaces files only with --force, keeps the replaced ones, and takes keys only from a backup with them", async () => {
  using user = new NewUser();
  user.write("~/.hermes/SOUL.md", "First.\n");
  user.write("~/.hermes/.env", `LAB_API_KEY=${KEY}\n`);
  await user.run(["chat", "-q", "hello"]);
  const file = join(user.folder, "b.zip");
  assert.equal((await user.run(["backup", "-o", file, "--with-secrets"])).status, 0);
  const again = await user.run(["backup", "-o", file]);
  assert.deepEqual([again.status, again.out], [2, ""]);
  assert.match(again.err, /already exists; nothing was written/);

  using other = new NewUser();
  other.write("~/.hermes/SOUL.md", "Mine.\n");
  other.write("~/.hermes/memories/USER.md", "The cat is called Tom.\n");
  await other.run(["chat", "-q", "my own"]);
  const own = await sessionsOf(other);
  const refused = await other.run(["import", file]);
  assert.deepEqual([refused.status, refused.out], [1, ""]);
  assert.match(refused.err, /already has other versions of SOUL\.md, state\.db\. Nothing was changed/);
  assert.equal(readFileSync(join(other.agentHome, "SOUL.md"), "utf8"), "Mine.\n");
  assert.deepEqual(await sessionsOf(other), own);

  const forced = await other.run(["import", "--force", "--json", file]);
  const { replacedIn = "" } = JSON.parse(forced.out) as RestoreReport;
  assert.deepEqual(await sessionsOf(other), await sessionsOf(user));
  assert.equal(readFileSync(join(replacedIn, "SOUL.md"), "utf8"), "Mine.\n");
  assert.ok(existsSync(join(replacedIn, "state.db")));
  assert.equal(readFileSync(join(other.agentHome, ".env"), "utf8"), `LAB_API_KEY=${KEY}\n`);
  // Not in the backup.
  assert.ok(existsSync(join(other.agentHome, "memories/USER.md")));
});

test("a changed or cut backup restores nothing", async () => {
  using user = new NewUser();
  user.write("~/.hermes/SOUL.md", "First.\n");
  const file = join(user.folder, "b.zip");
  await user.run(["backup", "-o", file]);
  // The same archive with another content under the old digest.
  const changed = join(user.folder, "c.zip");
  {
    await using from = await ZipReader.open(file);
    await using to = await ZipWriter.create(changed);
    for (const entry of from.entries) {
      const content = (await from.text(entry, 1 << 20)).replace(/^First\.$/m, "Thief!");
      await to.add(entry.name, { content }, { mode: 0o600, mtimeMs: 0 });
    }
    await to.finish();
  }
  writeFileSync(join(user.folder, "cut.zip"), readFileSync(file).subarray(0, -40));
  using other = new NewUser();
  for (const [bad, reason] of [
    [changed, /the digest of "SOUL\.md" is wrong/],
    [join(user.folder, "cut.zip"), /is not a ZIP archive that Hermes can read/],
    [join(user.folder, "gone.zip"), /Cannot read .*gone\.zip: there is no such file/],
  ] as const) {
    const { status, out, err } = await other.run(["import", bad]);
    assert.notEqual(status, 0);
    assert.equal(out, "");
    assert.match(err, reason);
    assert.equal(existsSync(join(other.agentHome, "SOUL.md")), false);
    assert.equal(existsSync(join(other.agentHome, ".import")), false);
  }
});

test("an import that is killed at any moment leaves the old home or completes the new one", async () => {
  using user = new NewUser();
  for (let count = 0; count < 60; count++)
    user.write(`~/.hermes/scripts/part-${count}.txt`, `new ${count}\n${"x".repeat(20_000)}`);
  await user.run(["chat", "-q", "new"]);
  const file = join(user.folder, "b.zip");
  await user.run(["backup", "-o", file]);
  const after = await sessionsOf(user);

  using other = new NewUser();
  for (let count = 0; count < 60; count++) other.write(`~/.hermes/scripts/part-${count}.txt`, "old\n");
  await other.run(["chat", "-q", "old"]);
  const before = await sessionsOf(other);
  const texts = (): ReadonlySet<string> =>
    new Set(
      readdirSync(join(other.agentHome, "scripts")).map((name) =>
        readFileSync(join(other.agentHome, "scripts", name), "utf8")
          .split(" ")[0]!
          .trim(),
      ),
    );
  const seen = new Set<string>();
  for (let delay = 150; delay < 4000 && !seen.has("new"); delay *= 1.35) {
    const child = other.start(["import", "--force", file]);
    const end = ended(child);
    await sleep(delay);
    child.kill("SIGKILL");
    await end;
    const sessions = await sessionsOf(other); // This start completes what was begun.
    const state = [...texts()].join(" and ");
    assert.ok(state === "old" || state === "new", state);
    assert.deepEqual(sessions, state === "old" ? before : after);
    seen.add(state);
  }
  assert.ok(seen.has("old"), "no import was killed early enough");
  const done = await other.run(["import", "--force", file]);
  assert.equal(done.status, 0, done.err);
  assert.deepEqual([await sessionsOf(other), [...texts()]], [after, ["new"]]);
});

test("a restore that was stopped between two moves is completed, at each of its steps", async () => {
  for (let moved = 0; moved <= 3; moved++) {
    using user = new NewUser();
    const path = (name: string): string => join(user.agentHome, name);
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      const at = ["a.txt", "b.txt", "c.txt"].indexOf(name);
      user.write(at < moved ? `~/.hermes/old/${name}` : `~/.hermes/${name}`, "old");
      user.write(at < moved ? `~/.hermes/${name}` : `~/.hermes/.import/files/${name}`, "new");
    }
    user.write("~/.hermes/c.txt-wal", moved < 3 ? "old" : "new");
    user.write(
      "~/.hermes/.import/plan.json",
      JSON.stringify({ replace: ["a.txt", "b.txt", "c.txt"], remove: ["c.txt-wal"], replacedIn: "old" }),
    );
    await finishRestore(user.agentHome);
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      assert.equal(readFileSync(path(name), "utf8"), "new");
      assert.equal(readFileSync(path(`old/${name}`), "utf8"), "old");
    }
    assert.equal(existsSync(path("c.txt-wal")), moved === 3);
    assert.equal(existsSync(path(".import")), false);
  }
});

test("hermes import restores a backup of the original, and keeps the sessions of both", async () => {
  using user = new NewUser();
  const database = join(user.folder, "state.db");
  {
    using original = new DatabaseSync(database);
    original.exec(
      "CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (11); CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, started_at REAL NOT NULL, title TEXT); CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL); INSERT INTO sessions VALUES ('20260101_080000_aaaaaa', 'cli', 'm', 1767254400, 'Drinks'); INSERT INTO messages (session_id, role, content, timestamp) VALUES ('20260101_080000_aaaaaa', 'user', 'what is in the pot?', 1767254401)",
    );
  }
  const file = join(user.folder, "hermes-backup.zip");
  {
    await using archive = await ZipWriter.create(file);
    const about = { mode: 0o644, mtimeMs: Date.UTC(2026, 0, 1) };
    await archive.add("state.db", { path: database }, about);
    await archive.add("SOUL.md", { content: "Be kind.\n" }, about);
    await archive.add("gateway.pid", { content: "1" }, about);
    await archive.finish();
  }
  await user.run(["chat", "-q", "my own"]);
  const own = await sessionsOf(user);
  const { status, err } = await user.run(["import", file]);
  assert.equal(status, 0, err);
  const store = join(user.agentHome, "state.original.db");
  assert.match(err, /Take them over with: hermes sessions import .*state\.original\.db/);
  assert.equal((await user.run(["sessions", "import", store])).out, "Imported 1 session.\n");
  assert.deepEqual(
    (await sessionsOf(user)).toSorted(),
    [...own, "20260101_080000_aaaaaa what is in the pot?"].toSorted(),
  );
  assert.equal(existsSync(join(user.agentHome, "gateway.pid")), false);

  const none = join(user.folder, "photos.zip");
  {
    await using archive = await ZipWriter.create(none);
    await archive.add("cat.jpg", { content: "x" }, { mode: 0o644, mtimeMs: 0 });
    await archive.finish();
  }
  assert.match((await user.run(["import", none])).err, /is not a backup of a Hermes home/);
});
