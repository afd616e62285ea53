import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkStore } from "../../src/host/store/repair/check-store.ts";
import { openSessionService } from "../../src/host/store/service/session-service.ts";
import { SessionIndex } from "../../src/host/store/index/session-index.ts";
import { loadSqlite, type Database } from "../../src/host/store/facts/sqlite.ts";
import { indexFile, stateFile } from "../../src/host/store/facts/store-files.ts";
import { faultHome, startWriter, text } from "./store-home.ts";

/** The tables that matter, with the original's layout. */
const ORIGINAL = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (22);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, started_at REAL NOT NULL, title TEXT, message_count INTEGER DEFAULT 0);
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions (id), role TEXT NOT NULL, content TEXT, timestamp REAL NOT NULL);
  INSERT INTO sessions VALUES ('20260101_101010_abcdef', 'cli', 1767262210.5, 'theirs', 1);
  INSERT INTO messages (session_id, role, content, timestamp) VALUES ('20260101_101010_abcdef', 'user', 'hello', 1767262210.5);
`;

function otherDatabase(home: string, name: string): Database {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const database = new (loadSqlite().DatabaseSync)(join(home, name));
  database.exec(ORIGINAL);
  return database;
}

const digest = (home: string): readonly string[] =>
  ["", "-wal"].map((suffix) => hash("sha256", readFileSync(join(home, `state.db${suffix}`))));

// req: R-01
test("neither opens, locks nor changes the original's state.db; ours has another name and reports it once", async () => {
  await using place = faultHome();
  const theirs = otherDatabase(place.home, "state.db");
  const before = digest(place.home);
  theirs.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const store = await place.open({ waitMs: 100 });
  assert.equal(store.path, join(place.home, "state.ts.db"));
  assert.match(
    store.notices.map((notice) => notice.text).join(),
    /state\.db" belongs to another program .* stores its sessions in ".*state\.ts\.db"/,
  );
  await store.append("s", [{ type: "session.started", surface: "cli", cwd: "/" }, text("ours")]);
  await store[Symbol.asyncDispose]();
  theirs.exec("ROLLBACK");
  assert.deepEqual(digest(place.home), before);

  const again = await place.open();
  assert.deepEqual(again.notices, []);
  assert.equal(await again.lastSeq("s"), 2);
  await again[Symbol.asyncDispose]();
  const checks = await checkStore(place.home);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
  assert.match(checks.find(({ name }) => name === "store file")?.detail ?? "", /another program/);
  assert.equal(theirs.prepare("SELECT content FROM messages").get()?.["content"], "hello");
  theirs.close();
});

test("our store keeps its other name, even after the other program's file is deleted", async () => {
  await using place = faultHome();
  otherDatabase(place.home, "state.db").close();
  const store = await place.open();
  await store.append("s", [text("ours")]);
  await store[Symbol.asyncDispose]();
  rmSync(join(place.home, "state.db"));
  const again = await place.open();
  assert.equal(await again.lastSeq("s"), 1);
  assert.equal(existsSync(join(place.home, "state.db")), false);
});

test("leaves another program's index.db alone too, and lists work", async () => {
  await using place = faultHome();
  const theirs = otherDatabase(place.home, "index.db");
  const store = await place.open();
  assert.equal(store.path, join(place.home, "state.db"));
  await store.append("s", [{ type: "session.started", surface: "cli", cwd: "/" }, text("findable")]);
  assert.equal(indexFile(place.home), join(place.home, "index.ts.db"));
  await using index = new SessionIndex({ path: indexFile(place.home), store });
  const service = openSessionService({ store, index });
  assert.deepEqual(
    (await service.search("findable")).map(({ seq }) => seq),
    [2],
  );
  assert.equal(theirs.prepare("SELECT count(*) AS n FROM sessions").get()?.["n"], 1);
  theirs.close();
});

test("recognizes a store whose first process was killed while all data was in the WAL", async () => {
  await using place = faultHome();
  const writer = startWriter("endless", place.home, "1.0");
  await writer.first;
  writer.child.kill("SIGKILL");
  await writer.ended;
  assert.ok(existsSync(join(place.home, "state.db-wal")));
  assert.equal(stateFile(place.home), join(place.home, "state.db"));
  const store = await place.open();
  assert.equal(store.path, join(place.home, "state.db"));
});
