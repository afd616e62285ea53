import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { StoreConflict } from "../../../contract/conversation/store.ts";
import { storeContract, type StorePlace } from "../../../testing/store-contract.ts";
import { openSqliteStore } from "./open-store.ts";
import { loadSqlite, sqliteProblem } from "./sqlite.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { stateFile } from "./store-files.ts";
import { Stopwatch } from "../../../testing/stopwatch.ts";

/** A separate home with the stores opened on it, deleted at the end of the block. */
async function tempHome(): Promise<Omit<StorePlace, "open"> & { readonly home: string; open(): Promise<SqliteStore> }> {
  const root = mkdtempSync(join(tmpdir(), "hermes-store-"));
  const home = join(root, "home");
  const opened: SqliteStore[] = [];
  return {
    home,
    async open() {
      const store = await openSqliteStore({ home });
      opened.push(store);
      return store;
    },
    async expire(sessionId) {
      const database = new (loadSqlite().DatabaseSync)(stateFile(home), { timeout: 5000 });
      database.prepare("UPDATE leases SET until_at = 1 WHERE lane = ?").run(sessionId);
      database.close();
    },
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

storeContract("SQLite", tempHome);

const text = (words: string): Fact => ({
  type: "message.added",
  turnId: "t",
  origin: "person",
  parts: [{ type: "text", text: words }],
});

// req: session-search.state-db, R-02
test("stores all surfaces' facts in one state.db, readable only by its owner, that survives a restart", async () => {
  await using place = await tempHome();
  const first = await place.open();
  for (const surface of ["cli", "telegram", "acp"])
    await first.append(`s-${surface}`, [{ type: "session.started", surface, cwd: "/" }]);
  await first[Symbol.asyncDispose]();
  assert.equal(statSync(place.home).mode & 0o777, 0o700);
  assert.equal(statSync(stateFile(place.home)).mode & 0o777, 0o600);
  assert.equal(existsSync(`${stateFile(place.home)}-wal`), false, "everything is in the one file after a clean end");
  const second = await place.open();
  assert.deepEqual([...(await second.sessionIds())].sort(), ["s-acp", "s-cli", "s-telegram"]);
});

// req: R-05
test("while another process holds the lock, appends wait their turn without stopping the event loop", async () => {
  await using place = await tempHome();
  const store = await place.open();
  await store.append("a", [text("0")]);
  const holder = new (loadSqlite().DatabaseSync)(stateFile(place.home));
  holder.exec("BEGIN IMMEDIATE");
  const waiting = [1, 2, 3].map((number) => store.append("a", [text(`${number}`)]));
  // Waiting inside SQLite would hold this up for as long as the lock is held.
  const watch = new Stopwatch();
  for (let beat = 0; beat < 10; beat++) await wait(20);
  watch.assertWithin(500, "ten waits of 20 ms");
  assert.deepEqual((await Array.fromAsync(store.read("a"))).length, 1, "reading needs no lock");
  holder.exec("COMMIT");
  await Promise.all(waiting);
  holder.close();
  assert.deepEqual(
    (await Array.fromAsync(store.read("a"))).map(({ fact }) => fact),
    ["0", "1", "2", "3"].map(text),
  );
});

test("a lease renews itself before it expires, and is lost at once when another process takes it", async () => {
  await using place = await tempHome();
  await using one = await openSqliteStore({ home: place.home, leaseMs: 9_000 });
  const two = await place.open();
  const lease = await one.lease("a", "one");
  assert.ok("fence" in lease);
  const heldUntil = async () => {
    const asked = await two.lease("a", "two");
    assert.ok("heldBy" in asked, "it is held all the time");
    return asked.untilAt;
  };
  const first = await heldUntil();
  while ((await heldUntil()) === first) await wait(50);
  await place.expire("a");
  const taken = await two.lease("a", "two");
  assert.ok("fence" in taken && taken.fence === lease.fence + 1);
  if (!lease.lost.aborted)
    await new Promise((resolve) => lease.lost.addEventListener("abort", resolve, { once: true }));
  assert.match(String(lease.lost.reason), /session "a" was lost/);
  await taken[Symbol.asyncDispose]();
});

test("the fence of a removed session cannot write", async () => {
  await using place = await tempHome();
  const store = await place.open();
  const lease = await store.lease("a", "me");
  assert.ok("fence" in lease);
  await store.append("a", [text("one")], { fence: lease.fence });
  assert.deepEqual(await store.remove(["a"]), [], "a process holds the session's lease");
  await lease[Symbol.asyncDispose]();
  assert.deepEqual(await store.remove(["a", "unknown"]), ["a"]);
  await assert.rejects(store.append("a", [text("two")], { fence: lease.fence }), StoreConflict);
  assert.equal(await store.lastSeq("a"), 0);
});

// row 12 of the fault matrix
test("refuses to open a file of a newer version", async () => {
  await using place = await tempHome();
  const store = await place.open();
  await store[Symbol.asyncDispose]();
  const database = new (loadSqlite().DatabaseSync)(stateFile(place.home));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await assert.rejects(openSqliteStore({ home: place.home }), {
    name: "UserError",
    message: /newer version/,
    exitCode: 78,
  });
});

test("refuses a SQLite version with the WAL-reset bug", () => {
  assert.equal(sqliteProblem("3.51.3"), undefined);
  assert.equal(sqliteProblem("3.60.0"), undefined);
  assert.equal(sqliteProblem("4.0.0"), undefined);
  assert.match(sqliteProblem("3.51.2") ?? "", /3\.51\.3 or newer/);
  assert.match(sqliteProblem("3.9.9") ?? "", /3\.51\.3 or newer/);
  assert.throws(() => loadSqlite("3.46.1"), { name: "UserError", exitCode: 78 });
});

test("a closed store reports that it is closed", async () => {
  await using place = await tempHome();
  const store = await place.open();
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await assert.rejects(store.append("a", [text("one")]), /was already closed/);
});

test("joined work runs in the next write's transaction, before it, and survives if that write fails", async () => {
  await using place = await tempHome();
  const store = await place.open();
  const count = (): Promise<number> =>
    store.lookup((file) => Number(file.statement("SELECT count(*) AS n FROM beside").get()?.["n"]));
  await store.transaction((file) => file.database.exec("CREATE TABLE beside (n INTEGER)"));
  const add = (): Promise<void> => store.join((file) => void file.statement("INSERT INTO beside VALUES (1)").run());
  const joined = add();
  const seen = await store.transaction((file) => file.statement("SELECT count(*) AS n FROM beside").get()?.["n"]);
  assert.equal(seen, 1);
  await joined;

  const refused = add();
  await assert.rejects(
    store.transaction(() => {
      throw new Error("no");
    }),
    /^Error: no$/,
  );
  await refused;
  assert.equal(await count(), 2);

  void add();
  assert.equal(await count(), 3, "a read sees what joined before it");
  const last = add();
  await store[Symbol.asyncDispose]();
  await last;
  assert.equal(
    await (await place.open()).lookup((file) => file.statement("SELECT count(*) AS n FROM beside").get()?.["n"]),
    4,
  );
});
