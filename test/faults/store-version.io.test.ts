import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import { openApp } from "../../src/host/app/open-app.ts";
import { SessionIndex } from "../../src/host/store/index/session-index.ts";
import { loadSqlite } from "../../src/host/store/facts/sqlite.ts";
import { APPLICATION_ID, indexFile } from "../../src/host/store/facts/store-files.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { faultHome, integrity, text, textsOf } from "./store-home.ts";

test("row 12: refuses a store of a newer format with a clear message, and leaves it unchanged", async () => {
  using user = new NewUser();
  assert.equal((await user.run(["chat", "-q", "keep this"])).status, 0);
  const file = join(user.agentHome, "state.db");
  change(file, "PRAGMA user_version = 99");
  const before = readFileSync(file);
  const { status, err } = await user.run(["chat", "-q", "and this"]);
  assert.equal(status, 78);
  assert.match(
    err,
    /newer version of Hermes wrote the session store \(format 99; this version reads up to \d+\)\.\nUpdate Hermes\. Nothing was changed\./,
  );
  const doctor = await user.run(["doctor"]);
  assert.match(doctor.out, /✗ store +A newer version of Hermes wrote the session store[^]*Update Hermes/);
  assert.ok(readFileSync(file).equals(before), "byte for byte");
});

test("row 12: completes a store whose creation was killed between two steps", async () => {
  const steps = [
    (file: string) => writeFileSync(file, ""),
    (file: string) => change(file, `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = ${APPLICATION_ID}`),
    (file: string) => change(file, `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA journal_mode = WAL`),
  ];
  for (const step of steps) {
    await using place = faultHome();
    mkdirSync(place.home);
    step(place.path);
    const store = await place.open();
    await store.append("s", [text("kept")]);
    assert.deepEqual(textsOf(await Array.fromAsync(store.read("s"))), ["kept"]);
    await store[Symbol.asyncDispose]();
    assert.equal(integrity(place.path), "ok");
  }
});

test("row 12: rebuilds an index of another format completely", async () => {
  await using place = faultHome();
  const store = await place.open();
  await store.append("s", [{ type: "session.started", surface: "cli", cwd: "/" }, text("words to be found")]);
  const listed = async () => {
    await using index = new SessionIndex({ path: indexFile(place.home), store });
    return [(await index.list()).map(({ id }) => id), (await index.search("found", { limit: 5 })).found.length];
  };
  assert.deepEqual(await listed(), [["s"], 1]);
  change(indexFile(place.home), "DELETE FROM messages; PRAGMA user_version = 99");
  assert.deepEqual(await listed(), [["s"], 1]);
});

test("row 12: leaves facts of kinds from a newer version in place, and the session continues", async () => {
  using user = new NewUser();
  const open = () =>
    openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
  let sessionId = "";
  {
    await using app = await open();
    await using session = await app.openSession({ surface: "cli", cwd: user.folder });
    sessionId = session.id;
    assert.equal((await session.send("list the files here")).reason, "done");
  }
  await using place = faultHome();
  const newer = { type: "dream.dreamt", about: "sheep" } as unknown as Fact;
  {
    const store = await place.open({ home: user.agentHome });
    await store.append(sessionId, [newer]);
    await store[Symbol.asyncDispose]();
  }
  {
    await using app = await open();
    await using session = await app.openSession({ surface: "cli", cwd: user.folder, sessionId });
    assert.equal((await session.send("list the files here")).reason, "done");
    assert.equal(session.view().turns, 2);
  }
  const store = await place.open({ home: user.agentHome });
  assert.deepEqual(
    (await Array.fromAsync(store.read(sessionId))).map(({ fact }) => fact).filter(({ type }) => type === newer.type),
    [newer],
  );
});

/** The file as another version, or a killed process, left it. */
function change(file: string, sql: string): void {
  const database = new (loadSqlite().DatabaseSync)(file);
  database.exec(sql);
  database.close();
}
