import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { checkStore } from "../../src/host/store/repair/check-store.ts";
import { SessionIndex } from "../../src/host/store/index/session-index.ts";
import { metaOf } from "../../src/host/store/facts/state-schema.ts";
import { indexFile, networkFileSystem } from "../../src/host/store/facts/store-files.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { damage, faultHome, integrity, seeded, startLimitedWriter, startWriter, text, textsOf } from "./store-home.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

// req: R-02
test("row 14: whatever part of the WAL a power cut leaves, the store opens with a prefix of the writes", async () => {
  await using place = faultHome();
  const random = seeded(14);
  const store = await place.open();
  const written = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(index * 50)}`);
  for (const words of written) await store.append("s", [text(words)]);
  const cuts = mkdtempSync(join(tmpdir(), "hermes-cuts-"));
  try {
    // In another process: this one must not open the files outside SQLite.
    execFileSync("cp", ["-r", place.home, join(cuts, "whole")]);
    const size = statSync(join(cuts, "whole", "state.db-wal")).size;
    let longest = 0;
    for (let cut = 0; cut < 30; cut++) {
      const home = join(cuts, `cut-${cut}`);
      mkdirSync(home);
      for (const name of ["state.db", "state.db-wal"]) copyFileSync(join(cuts, "whole", name), join(home, name));
      const keep = cut === 0 ? size : Math.floor(random() * size);
      truncateSync(join(home, "state.db-wal"), keep);
      await using reopened = await place.open({ home });
      const words = textsOf(await Array.fromAsync(reopened.read("s")));
      assert.deepEqual(words, written.slice(0, words.length));
      if (cut === 0) assert.equal(words.length, written.length, "what was synced is there");
      await reopened.append("s", [text("after")]);
      assert.equal(integrity(join(home, "state.db")), "ok");
      longest = Math.max(longest, words.length);
    }
    assert.equal(longest, written.length);
  } finally {
    rmSync(cuts, { recursive: true, force: true });
  }
});

// req: R-04
test("row 15: on a full disk an append fails with one sentence, reads work, and space lets writes continue", async (t) => {
  using disk = smallDisk();
  if (disk === undefined) return t.skip("a small file system cannot be mounted here");
  const mount = disk.path;
  await using place = faultHome(mount);
  const store = await place.open();
  await store.append("s", [text("first")]);
  writeFileSync(join(mount, "ballast"), "x".repeat(300_000));
  let stored = 1;
  const failure = await (async () => {
    for (; stored < 1000; stored++) await store.append("s", [text("x".repeat(4000)), text("y")]);
  })().catch((error: unknown) => error as Error);
  assert.ok(failure instanceof Error);
  assert.equal((failure as { trouble?: string }).trouble, "full");
  assert.match(
    failure.message,
    /^The disk of ".*state\.db" is full, so this step was not stored\. Everything before it is safe\.$/,
  );
  assert.equal((await Array.fromAsync(store.read("s"))).length, 1 + (stored - 1) * 2, "no partial step is stored");
  rmSync(join(mount, "ballast"));
  await store.append("s", [text("last")]);
  assert.equal(await store.lastSeq("s"), 2 + (stored - 1) * 2);
  await store[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});

for (const [when, trouble, running] of [
  ["beside another process", "full", true],
  ["by the only process", "unwritable", false],
] as const) {
  // req: R-04
  test(`row 15: a store opened on a full disk ${when} is readable, and writable once there is space`, async (t) => {
    using disk = smallDisk();
    if (disk === undefined) return t.skip("a small file system cannot be mounted here");
    const mount = disk.path;
    await using place = faultHome(mount);
    const first = await place.open();
    await first.append("s", [text("first")]);
    if (!running) await first[Symbol.asyncDispose]();
    assert.throws(() => writeFileSync(join(mount, "ballast"), Buffer.alloc(2_000_000)), { code: "ENOSPC" });
    // A day later, opening the file checks it, and the check is recorded.
    const store = await place.open({ now: () => Date.now() + 25 * 60 * 60 * 1000 });
    assert.equal(store.refusal?.trouble, trouble);
    assert.match(
      store.notices.map(({ text: words }) => words).join(),
      /so this step was not stored\. Everything before it is safe\.$/,
    );
    await assert.rejects(store.append("s", [text("lost")]), { trouble });
    assert.deepEqual(textsOf(await Array.fromAsync(store.read("s"))), ["first"]);
    await using index = new SessionIndex({ path: indexFile(place.home), store });
    assert.deepEqual(
      (await index.list()).map(({ id }) => id),
      ["s"],
    );
    rmSync(join(mount, "ballast"));
    await store.append("s", [text("second")]);
    assert.equal(store.refusal, undefined);
    assert.deepEqual(textsOf(await Array.fromAsync(store.read("s"))), ["first", "second"]);
    await store[Symbol.asyncDispose]();
    assert.equal(integrity(place.path), "ok");
  });
}

// req: R-04
test("row 15: on a read-only disk sessions can be read and listed, and a write reports the cause", async (t) => {
  const mount = mkdtempSync(join(tmpdir(), "hermes-read-only-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", mount]).status !== 0) {
    rmSync(mount, { recursive: true });
    return t.skip("a file system cannot be mounted here");
  }
  try {
    await using place = faultHome(mount);
    const store = await place.open();
    await store.append("s", [{ type: "session.started", surface: "cli", cwd: "/" }, text("readable words")]);
    await store[Symbol.asyncDispose]();
    using disk = { [Symbol.dispose]: () => void spawnSync("mount", ["-o", "remount,rw", mount]) };
    assert.equal(spawnSync("mount", ["-o", "remount,ro", mount]).status, 0);
    const locked = await place.open();
    assert.match(
      locked.notices.map((notice) => notice.text).join(),
      /^".*state\.db" is not writable: the file or its disk is read-only\.$/,
    );
    assert.equal((await Array.fromAsync(locked.read("s"))).length, 2);
    await assert.rejects(locked.append("s", [text("more")]), { trouble: "read-only", message: /read-only/ });
    await using index = new SessionIndex({ path: indexFile(place.home), store: locked });
    assert.deepEqual(
      (await index.list()).map(({ id }) => id),
      ["s"],
    );
    assert.equal((await index.search("readable", { limit: 5 })).found.length, 1);
    assert.deepEqual(
      (await checkStore(place.home)).filter(({ ok }) => !ok),
      [],
    );
    await locked[Symbol.asyncDispose]();
    disk[Symbol.dispose]();
    const again = await place.open();
    await again.append("s", [text("more")]);
  } finally {
    spawnSync("umount", ["-l", mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

// req: R-04
test("row 15, quota: if the file cannot grow, stored data stays readable and the next process continues", async () => {
  await using place = faultHome();
  const writer = startLimitedWriter(400, "fill", place.home);
  const { code } = await writer.ended;
  const [stored, readable, ...words] = (writer.lines[0] ?? "").split(" ");
  assert.equal(code, 0);
  assert.ok(Number(stored) > 10, `${stored} appends went in`);
  assert.equal(readable, stored);
  assert.match(
    words.join(" "),
    /^(?:full|unwritable): .*so this step was not stored\. Everything before it is safe\.$/,
  );
  const store = await place.open();
  assert.equal(await store.lastSeq("s"), Number(stored));
  await store.append("s", [text("more")]);
  await store[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});

test("row 18: the next start finds a damaged page, moves readable data to a new file and saves the old one", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let session = 0; session < 40; session++)
    await store.append(`s-${session}`, [
      { type: "session.started", surface: "cli", cwd: "/" },
      ...Array.from({ length: 20 }, (_, index) => text(`${session}:${index} ${"x".repeat(300)}`)),
    ]);
  await store[Symbol.asyncDispose]();
  damage(place.path, 0.5);
  // The last check has just run; a day later the next one is due.
  const reopened = await place.open({ now: () => Date.now() + 25 * 60 * 60 * 1000 });
  assert.equal(reopened.refusal, undefined);
  const [notice] = reopened.notices;
  assert.match(notice?.text ?? "", /^The session store was damaged\. \d+ records were copied into a new one;/);
  const savedFile = /"(.*)"/.exec(notice?.hint ?? "")?.[1] ?? "";
  assert.ok(existsSync(savedFile), "the damaged file is kept");
  assert.equal((await reopened.sessionIds()).size, 40, "no session is gone");
  let readable = 0;
  for (let session = 0; session < 40; session++) {
    const records = await Array.fromAsync(reopened.read(`s-${session}`));
    assert.deepEqual(
      records.map(({ seq }) => seq),
      records.map((_, index) => index + 1),
    );
    readable += records.filter(({ fact }) => fact.type !== "state.set").length;
  }
  assert.ok(readable > 40 * 21 - 60 && readable < 40 * 21, `${readable} of ${40 * 21} records are left`);
  await reopened.append("s-3", [text("and on")]);
  await reopened[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});

test("row 18: moves the rest of a truncated file to a new one", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let session = 0; session < 40; session++)
    await store.append(`s-${session}`, [
      { type: "session.started", surface: "cli", cwd: "/" },
      ...Array.from({ length: 20 }, (_, index) => text(`${session}:${index} ${"x".repeat(300)}`)),
    ]);
  await store[Symbol.asyncDispose]();
  truncateSync(place.path, Math.floor(statSync(place.path).size * 0.7));
  const reopened = await place.open();
  assert.equal(reopened.refusal, undefined);
  const [copied = 0, lost = 0] = (
    /^The session store was damaged\. (\d+) records were copied into a new one; (\d+) could not be read/.exec(
      reopened.notices[0]?.text ?? "",
    ) ?? []
  )
    .slice(1)
    .map(Number);
  assert.ok(copied > 300 && copied < 40 * 21, `${copied} of ${40 * 21} records are left`);
  assert.equal(copied + lost, 40 * 21, "the loss is reported");
  assert.equal((await reopened.sessionIds()).size, 40, "no session disappeared silently");
  await reopened.append("s-3", [text("and on")]);
  await reopened[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});

test("row 18: the first caller learns that the store was damaged, and doctor names the saved file", async () => {
  using user = new NewUser();
  for (const word of ["one", "two", "three"]) assert.equal((await user.run(["chat", "-q", word])).status, 0);
  const file = join(user.agentHome, "state.db");
  // The first pages are those of empty tables.
  truncateSync(file, Math.floor(statSync(file).size * 0.85));
  const list = await user.run(["sessions", "list"]);
  assert.match(
    list.err,
    /^The session store was damaged\. \d+ records were copied into a new one; \d+ could not be read; a note replaces each\.\n +The damaged file is saved as ".*state\.db\.damaged-\d+"\.\n$/,
  );
  assert.equal((await user.run(["sessions", "list"])).err, "");
  assert.match(
    (await user.run(["doctor"])).out,
    /damaged stores +the readable records of state\.db\.damaged-\d+ are in the store/,
  );
});

// req: R-06
test("row 18: retains the newest three damaged files", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let at = 0; at < 40; at++) await store.append("s", [text("x".repeat(5000))]);
  await store[Symbol.asyncDispose]();
  for (const stamp of ["20200101000000", "20210101000000", "20220101000000", "20230101000000"])
    for (const suffix of ["", "-wal"]) writeFileSync(`${place.path}.damaged-${stamp}${suffix}`, "");
  damage(place.path, 0.5);
  const saved = await place.open({ now: () => Date.now() + 25 * 60 * 60 * 1000 });
  assert.match(saved.notices.map((notice) => notice.text).join(), /was damaged/);
  assert.deepEqual(
    readdirSync(place.home)
      .filter((name) => /\.damaged-20[0-3]/.test(name) && !/damaged-202[4-9]/.test(name))
      .sort(),
    ["20220101000000", "20230101000000"].flatMap((stamp) => [
      `state.db.damaged-${stamp}`,
      `state.db.damaged-${stamp}-wal`,
    ]),
  );
});

test("row 18: processes that start together on a damaged store save it once and all use the new one", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let session = 0; session < 40; session++)
    await store.append(
      `s-${session}`,
      Array.from({ length: 20 }, (_, index) => text(`${session}:${index} ${"x".repeat(300)}`)),
    );
  await store[Symbol.asyncDispose]();
  damage(place.path, 0.5);
  writeFileSync(`${place.path}.suspect`, "");
  const writers = Array.from({ length: 6 }, (_, name) => startWriter("crowd", place.home, String(name), "4"));
  for (const writer of writers) assert.deepEqual(await writer.ended, { code: 0, complaint: "" });
  const saved = await place.open();
  assert.equal(readdirSync(place.home).filter((name) => /\.damaged-\d+$/.test(name)).length, 1);
  assert.equal(await saved.lastSeq("shared"), 24);
  assert.equal((await saved.sessionIds()).size, 40 + 6 + 1);
  assert.equal(integrity(place.path), "ok");
});

test("row 18: checks a large store in the background; damage stops writes, success is recorded", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let index = 0; index < 18; index++)
    await store.append(
      "s",
      Array.from({ length: 10 }, (_, part) => text(`${index}:${part} ${"x".repeat(100_000)}`)),
    );
  await store[Symbol.asyncDispose]();
  const day = 25 * 60 * 60 * 1000;
  const begun = Date.now();
  const sound = await place.open({ now: () => Date.now() + day });
  await waitFor(
    async () => (await sound.withFile(async (file) => metaOf(file, "checked_at") ?? "")) >= String(begun + day),
  );
  await sound[Symbol.asyncDispose]();
  damage(place.path, 0.9999);
  const later = await place.open({ now: () => Date.now() + 2 * day });
  await waitFor(async () => later.refusal !== undefined);
  await assert.rejects(later.append("s", [text("no")]), { trouble: "damaged" });
});

test("row 18: refuses a record that changed on disk and stops writing until the next start saves the rest", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let index = 0; index < 30; index++) await store.append("s", [text(`the quick brown fox ${index}`)]);
  await store[Symbol.asyncDispose]();
  const bytes = readFileSync(place.path);
  // Everywhere: SQLite leaves old copies in the free part of its pages.
  for (let at = bytes.indexOf("quick brown fox 20"); at !== -1; at = bytes.indexOf("quick brown fox 20"))
    bytes.write("QUICK", at);
  writeFileSync(place.path, bytes);
  const wary = await place.open();
  await assert.rejects(Array.fromAsync(wary.read("s")), {
    trouble: "damaged",
    message: /fact 21 of session "s": its checksum does not match/,
  });
  await assert.rejects(wary.append("s", [text("no")]), { trouble: "damaged" });
  await wary[Symbol.asyncDispose]();
  const saved = await place.open({ now: () => Date.now() + 25 * 60 * 60 * 1000 });
  assert.match(saved.notices[0]?.text ?? "", /29 records were copied into a new one; 1 could not be read/);
  const records = await Array.fromAsync(saved.read("s"));
  assert.deepEqual(records[20]?.fact, { type: "state.set", key: "store.lost", value: { seq: 21 } });
  assert.deepEqual(
    textsOf(records).filter((words) => words !== ""),
    Array.from({ length: 30 }, (_, index) => `the quick brown fox ${index}`).filter((_, index) => index !== 20),
  );
});

test("row 18: never replaces an unreadable store with an empty one", async () => {
  await using place = faultHome();
  const store = await place.open();
  await store.append("s", [text("one")]);
  await store[Symbol.asyncDispose]();
  writeFileSync(place.path, "x".repeat(statSync(place.path).size));
  const before = readFileSync(place.path);
  await assert.rejects(place.open(), {
    name: "StoreUnavailable",
    message: /state\.db" is damaged/,
    hint: /move it away: Hermes then creates an empty one/,
  });
  assert.deepEqual(readFileSync(place.path), before);
  assert.deepEqual(
    readdirSync(place.home).filter((name) => name.includes("salvage")),
    [],
  );
});

// req: R-02
test("row 18: rebuilds a damaged, deleted or unknown index, and the list stays right", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (let session = 0; session < 30; session++)
    await store.append(`s-${session}`, [
      { type: "session.started", surface: "cli", cwd: "/" },
      text(`words of ${session} ${"x ".repeat(200)}`),
    ]);
  const path = indexFile(place.home);
  const look = async () => {
    await using index = new SessionIndex({ path, store });
    assert.equal((await index.list()).length, 30);
    assert.equal((await index.search("words", { limit: 100 })).found.length, 30);
  };
  await look();
  damage(path, 0.4);
  await look();
  writeFileSync(path, "no database at all");
  await look();
  rmSync(path);
  await look();
});

test("row 19: notices a deleted WAL before the next write, and copies what was only in it", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (const words of ["one", "two", "three"]) await store.append("s", [text(words)]);
  rmSync(`${place.path}-wal`);
  rmSync(`${place.path}-shm`);
  await store.append("s", [text("four")]);
  const visitor = startWriter("visit", place.home);
  assert.equal(await visitor.first, "4", "another process sees all of it");
  await visitor.ended;
  await store[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});

test("row 19: loses no write after another process deletes the WAL while our locks are gone", async () => {
  await using place = faultHome();
  const store = await place.open();
  for (const words of ["one", "two"]) await store.append("s", [text(words)]);
  for (const suffix of ["", "-shm", "-wal"]) readFileSync(place.path + suffix);
  await startWriter("visit", place.home).ended;
  assert.equal(existsSync(`${place.path}-wal`), false, "the other process took it for unused");
  await store.append("s", [text("three")]);
  const visitor = startWriter("visit", place.home);
  assert.equal(await visitor.first, "3");
  await visitor.ended;
  assert.deepEqual(textsOf(await Array.fromAsync(store.read("s"))), ["one", "two", "three"]);
});

test("row 19: when another process writes to a new WAL, the rows of both survive", async () => {
  await using place = faultHome();
  const store = await place.open();
  await store.append("s", [text("one")]);
  rmSync(`${place.path}-wal`);
  rmSync(`${place.path}-shm`);
  assert.deepEqual(await startWriter("crowd", place.home, "other", "3").ended, { code: 0, complaint: "" });
  await store.append("s", [text("two")]);
  const fresh = await place.open();
  assert.deepEqual(textsOf(await Array.fromAsync(fresh.read("s"))), ["one", "two"]);
  assert.equal((await Array.fromAsync(fresh.read("own-other"))).length, 3);
});

test("row 19: restores a store that a process renamed after losing its WAL and left behind when it was killed", async () => {
  await using place = faultHome();
  const store = await place.open();
  await store.append("s", [text("one")]);
  await store[Symbol.asyncDispose]();
  renameSync(place.path, `${place.path}.aside`);
  const next = await place.open();
  assert.deepEqual(textsOf(await Array.fromAsync(next.read("s"))), ["one"]);
});

test("row 19: reopens a store that was replaced by another file before the next write", async () => {
  await using place = faultHome();
  await using other = faultHome(dirname(place.home));
  const replacement = await other.open();
  await replacement.append("s", [text("from the backup")]);
  await replacement[Symbol.asyncDispose]();
  const store = await place.open();
  await store.append("gone", [text("one")]);
  for (const suffix of ["-wal", "-shm"]) rmSync(place.path + suffix);
  renameSync(other.path, place.path);
  await store.append("s", [text("two")]);
  const fresh = await place.open();
  assert.deepEqual(textsOf(await Array.fromAsync(fresh.read("s"))), ["from the backup", "two"]);
  assert.deepEqual(
    textsOf(await Array.fromAsync(fresh.read("gone"))),
    ["one"],
    "rows that the other file lacks are copied into it",
  );
});

// req: R-04
test("row 21: refuses a home on a network file system and suggests a solution", async () => {
  await using place = faultHome();
  for (const [type, name] of [
    [0x6969, "NFS"],
    [0xfe534d42, "SMB2"],
    [-11317950, "CIFS"],
    [0x01021997, "9p"],
  ] as const) {
    await assert.rejects(place.open({ fileSystemType: () => type }), {
      name: "UserError",
      exitCode: 78,
      message: new RegExp(`network file system \\(${name}\\)`),
      hint: /HERMES_HOME/,
    });
  }
  assert.equal(existsSync(place.home), false, "no folder was created");
  assert.equal(
    networkFileSystem(tmpdir(), () => 0xef53),
    undefined,
  );
});

/** A file system of one megabyte; `undefined` if none can be mounted. */
function smallDisk(): ({ readonly path: string } & Disposable) | undefined {
  const path = mkdtempSync(join(tmpdir(), "hermes-full-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]).status !== 0) {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    [Symbol.dispose]: () => {
      spawnSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
