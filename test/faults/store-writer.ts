/**
 * A process that writes to a store, for the fault tests: `node store-writer.ts MODE HOME …`. It prints a line only
 * after the write is durable.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import { loadSqlite } from "../../src/host/store/facts/sqlite.ts";
import { stateFile } from "../../src/host/store/facts/store-files.ts";

const [mode = "", home = "", name = "", count = "0"] = process.argv.slice(2);

const say = (line: string) => void writeSync(1, `${line}\n`);
const text = (words: string): Fact => ({
  type: "message.added",
  turnId: "t",
  origin: "person",
  parts: [{ type: "text", text: words }],
});

/** Its own session and a shared one, in turn. */
async function crowd(): Promise<void> {
  await using store = await openSqliteStore({ home });
  for (let index = 0; index < Number(count); index++) {
    await store.append(`own-${name}`, [text(`${name}:${index}`)]);
    await store.append("shared", [text(`${name}:${index}`)]);
  }
}

/** Runs until it is killed; prints each text once it is durable. */
async function endless(): Promise<void> {
  const store = await openSqliteStore({ home });
  for (let index = 0; ; index++) {
    const token = `${name}:${index}`;
    await store.append(`session-${Number(name.split(".")[0]) % 3}`, [
      text(token),
      text(`${token}+${"x".repeat((index * 997) % 9000)}`),
    ]);
    say(token);
  }
}

/** Turns under a lease: three appends each, which no other process may interleave. */
async function turns(): Promise<void> {
  await using store = await openSqliteStore({ home });
  for (let index = 0; index < Number(count);) {
    const lease = await store.lease("shared", name);
    if ("heldBy" in lease) {
      await wait(2);
      continue;
    }
    for (const part of ["start", "middle", "end"])
      await store.append("shared", [text(`${name}:${index}:${part}`)], { fence: lease.fence });
    await lease[Symbol.asyncDispose]();
    index++;
  }
}

/** Holds the write lock for `name` milliseconds. */
async function hold(): Promise<void> {
  const database = new (loadSqlite().DatabaseSync)(stateFile(home));
  database.exec("BEGIN IMMEDIATE");
  say("held");
  await once(process.stdin.resume(), "end");
  database.exec("COMMIT");
  database.close();
}

/** Opens, reads and closes, as a short-lived command does. */
async function visit(): Promise<void> {
  const database = new (loadSqlite().DatabaseSync)(stateFile(home));
  say(String(database.prepare("SELECT count(*) AS n FROM facts").get()?.["n"]));
  database.close();
}

/** Appends until the file cannot grow; prints how many appends succeeded, then the error. */
async function fill(): Promise<void> {
  const store = await openSqliteStore({ home });
  let stored = 0;
  try {
    for (; stored < 5000; stored++) await store.append("s", [text("x".repeat(4000))]);
  } catch (error) {
    say(
      `${stored} ${(await Array.fromAsync(store.read("s"))).length} ${(error as { trouble?: string }).trouble}: ${(error as Error).message}`,
    );
  }
}

/** Takes a lease and is killed with it. */
async function die(): Promise<void> {
  const store = await openSqliteStore({ home });
  const lease = await store.lease(name, "the one that dies");
  if (!("fence" in lease)) throw new Error("the session is not free");
  await store.append(
    name,
    [
      { type: "session.started", surface: "cli", cwd: "/" },
      { type: "turn.started", turnId: "t" },
    ],
    { fence: lease.fence },
  );
  say("working");
  await wait(60_000);
}

const modes: { readonly [mode: string]: () => Promise<void> } = { crowd, endless, turns, hold, visit, fill, die };
await modes[mode]?.();
