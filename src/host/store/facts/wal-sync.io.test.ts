import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import fs, { mkdtempSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncBuiltinESMExports } from "node:module";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { openSqliteStore } from "./open-store.ts";
import { loadSqlite } from "./sqlite.ts";
import { stateFile } from "./store-files.ts";
import { WalSync } from "./wal-sync.ts";

type Ended = (error: Error | null) => void;

/** Syncs that end when the test releases them. */
function heldSyncs(t: { after(work: () => void): void }): Ended[] {
  const { fsync } = fs;
  const held: Ended[] = [];
  fs.fsync = ((_descriptor: number, ended: Ended) => void held.push(ended)) as typeof fs.fsync;
  syncBuiltinESMExports();
  t.after(() => {
    fs.fsync = fsync;
    syncBuiltinESMExports();
  });
  return held;
}

function wal(): string {
  const file = join(mkdtempSync(join(tmpdir(), "hermes-wal-")), "state.db-wal");
  writeFileSync(file, "frames");
  return file;
}

const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("commits during a running sync share the next sync, and count as durable only after it", async (t) => {
  const held = heldSyncs(t);
  const sync = new WalSync(wal());
  const done: string[] = [];
  void sync.onDisk().then(() => done.push("first"));
  void sync.onDisk().then(() => done.push("second"));
  void sync.onDisk().then(() => done.push("third"));
  await turns();
  deepEqual([held.length, done], [1, []]);
  held[0]!(null);
  await turns();
  deepEqual([held.length, done], [2, ["first"]]);
  held[1]!(null);
  await turns();
  deepEqual([held.length, done], [2, ["first", "second", "third"]]);
  sync.close();
});

test("reports nothing as durable after a sync failed", async (t) => {
  const held = heldSyncs(t);
  const sync = new WalSync(wal());
  const first = sync.onDisk();
  const second = sync.onDisk();
  held[0]!(new Error("EIO"));
  await rejects(first, /EIO/);
  await rejects(second, /EIO/);
  await rejects(sync.onDisk(), /EIO/);
  equal(held.length, 1);
  sync.close();
});

test(
  "closes a file's descriptor when its last sync has ended",
  { skip: process.platform === "linux" ? false : "open files are read from /proc" },
  async (t) => {
    const held = heldSyncs(t);
    const file = wal();
    const open = () =>
      readdirSync("/proc/self/fd").some((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === file;
        } catch {
          return false; // The descriptor of this very look.
        }
      });
    const sync = new WalSync(file);
    const [first, second] = [sync.onDisk(), sync.onDisk()];
    sync.close();
    held[0]!(null);
    await first;
    await turns();
    ok(open());
    held[1]!(null);
    await second;
    equal(open(), false);
  },
);

test("after a failed sync, reports nothing as durable until the WAL is in the main file", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-wal-"));
  const text = (words: string): Fact => ({
    type: "message.added",
    turnId: "t",
    origin: "person",
    parts: [{ type: "text", text: words }],
  });
  const store = await openSqliteStore({ home });
  const { DatabaseSync } = loadSqlite();
  // Another process has it open, so that nothing is moved by our closing it.
  const other = new DatabaseSync(stateFile(home), { readOnly: true });
  other.prepare("SELECT count(*) FROM facts").get();
  await store.append("one", [text("first")]);
  const { fsync } = fs;
  fs.fsync = ((_descriptor: number, ended: Ended) => void setImmediate(ended, new Error("EIO"))) as typeof fs.fsync;
  syncBuiltinESMExports();
  t.after(() => {
    fs.fsync = fsync;
    syncBuiltinESMExports();
  });
  await rejects(store.append("one", [text("second")]), /EIO/);
  fs.fsync = fsync;
  syncBuiltinESMExports();
  await store.append("two", [text("third")]);
  const alone = join(home, "alone.db");
  execFileSync("cp", [stateFile(home), alone]); // In this process closing a copy's source would give up the store's locks.
  const left = new DatabaseSync(alone);
  equal(left.prepare("SELECT count(*) AS facts FROM facts WHERE session_id = 'one'").get()?.["facts"], 2);
  left.close();
  // A reader keeps the WAL from being emptied, so nothing is written after content that may be lost.
  fs.fsync = ((_descriptor: number, ended: Ended) => void setImmediate(ended, new Error("EIO"))) as typeof fs.fsync;
  syncBuiltinESMExports();
  await rejects(store.append("two", [text("fourth")]), /EIO/);
  fs.fsync = fsync;
  syncBuiltinESMExports();
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM facts").get();
  await rejects(store.append("three", [text("fifth")]), /could not be written/);
  other.exec("COMMIT");
  await store.append("three", [text("fifth")]);
  other.close();
  await store[Symbol.asyncDispose]();
});
