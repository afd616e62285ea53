import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { openSqliteStore } from "../facts/open-store.ts";
import { SessionIndex } from "./session-index.ts";
import { loadSqlite, type Database } from "../facts/sqlite.ts";
import { indexFile } from "../facts/store-files.ts";

const usage = { inputTokens: 1000, outputTokens: 20, cacheReadTokens: 700, cacheWriteTokens: 200, reasoningTokens: 5 };
const started: Fact = { type: "session.started", surface: "cli", cwd: "/work" };
const says = (text: string): Fact => ({
  type: "message.added",
  turnId: "t",
  origin: "person",
  parts: [{ type: "text", text }],
});
const answers = (text: string): Fact => ({
  type: "model.answered",
  turnId: "t",
  requestId: "r",
  parts: [{ type: "text", text }],
  finish: "filter",
  usage,
  costUsd: 0.5,
});
const calls = (callId: string, tool: string, args: JsonObject): Fact => ({
  type: "tool.called",
  turnId: "t",
  callId,
  tool,
  args,
  by: "model",
  effect: "write",
  repeatable: false,
});
const settles = (callId: string, text: string): Fact => ({
  type: "tool.settled",
  callId,
  outcome: { kind: "ok", shown: [{ type: "text", text }] },
  durationMs: 1,
});

async function openHome() {
  const home = mkdtempSync(join(tmpdir(), "hermes-rows-"));
  const store = await openSqliteStore({ home });
  const index = new SessionIndex({ path: indexFile(home), store });
  return {
    store,
    index,
    /** As another program sees the index. */
    async look<T>(work: (database: Database) => T): Promise<T> {
      await index.catchUp();
      const database = new (loadSqlite().DatabaseSync)(indexFile(home), { timeout: 1000 });
      try {
        return work(database);
      } finally {
        database.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

test("truncates texts in a call's long arguments to valid JSON, and indexes what remains", async () => {
  await using place = await openHome();
  const long = `harbour ${"x".repeat(5000)}`;
  await place.store.append("s", [
    started,
    calls("c1", "write_file", { path: "plan.txt", content: long, mode: "rw" }),
    calls("c2", "sum", { numbers: Array.from({ length: 5000 }, (_, n) => n), last: true }),
    calls("c3", "sum", {}),
  ]);
  const written = await place.look((database) =>
    database
      .prepare("SELECT tool_calls FROM messages ORDER BY id")
      .all()
      .map(
        (row) =>
          JSON.parse(String(row["tool_calls"])) as readonly [
            { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } },
          ],
      ),
  );
  assert.deepEqual(
    written.map(
      ([
        {
          id,
          function: { name },
        },
      ]) => [id, name],
    ),
    [
      ["c1", "write_file"],
      ["c2", "sum"],
      ["c3", "sum"],
    ],
  );
  const [first, second, third] = written.map((call) => JSON.parse(call[0].function.arguments) as JsonObject);
  assert.equal(first!["path"], "plan.txt");
  assert.match(String(first!["content"]), /^harbour x{900,1000}$/);
  assert.ok((second!["numbers"] as readonly number[]).length < 1000);
  assert.deepEqual(third, {});
  assert.deepEqual(
    (await place.index.search("harbour", { limit: 5 })).found.map(({ role, seq }) => [role, seq]),
    [["tool", 2]],
  );
});

test("a result gets the tool name of the newest call with its ID in its session", async () => {
  await using place = await openHome();
  await place.store.append("s", [
    started,
    calls("c1", "terminal", {}),
    calls("c2", "read_file", {}),
    settles("c1", "one"),
    settles("c2", "two"),
    calls("c1", "patch", {}),
    settles("c1", "three"),
    settles("c9", "nobody called"),
  ]);
  await place.store.append("other", [started, settles("c1", "four")]);
  const named = await place.look((database) =>
    database
      .prepare("SELECT content, tool_name, tool_call_id FROM messages WHERE role = 'tool' ORDER BY id")
      .all()
      .map((row) => Object.values(row)),
  );
  assert.deepEqual(named, [
    ["one", "terminal", "c1"],
    ["two", "read_file", "c2"],
    ["three", "patch", "c1"],
    ["nobody called", null, "c9"],
    ["four", null, "c1"],
  ]);
});

test("the full-text tables match the view without storing a copy, also after a session is removed", async () => {
  await using place = await openHome();
  for (const id of ["s1", "s2"])
    await place.store.append(id, [
      started,
      says("the harbour"),
      calls("c1", "terminal", { command: "ls" }),
      settles("c1", "plan.txt"),
      answers("opens at six"),
      { type: "session.titled", title: "Harbour" },
    ]);
  const check = (database: Database) => {
    for (const table of ["messages_fts", "messages_fts_trigram"])
      database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`);
    return database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'messages_fts%content'").get()?.[
      "n"
    ];
  };
  assert.equal(await place.look(check), 0);
  await place.store.remove(["s1"]);
  await place.index.list();
  assert.equal(await place.look(check), 0);
  assert.deepEqual(
    (await place.index.search("harbour", { limit: 5 })).found.map(({ session, role }) => [session.id, role]),
    [["s2", "title"]],
  );
});

test("a session row counts like the original: results are messages, and input excludes cached tokens", async () => {
  await using place = await openHome();
  await place.store.append("s", [
    started,
    says("go"),
    answers("looking"),
    calls("c1", "terminal", {}),
    settles("c1", "done"),
    answers("there"),
  ]);
  const row = await place.look((database) => ({
    ...database
      .prepare(
        "SELECT message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, estimated_cost_usd, actual_cost_usd FROM sessions",
      )
      .get(),
  }));
  assert.deepEqual(row, {
    message_count: 4,
    tool_call_count: 1,
    input_tokens: 200,
    output_tokens: 40,
    cache_read_tokens: 1400,
    cache_write_tokens: 400,
    reasoning_tokens: 10,
    estimated_cost_usd: 1,
    actual_cost_usd: null,
  });
  const finishes = await place.look((database) =>
    database
      .prepare("SELECT finish_reason FROM messages WHERE finish_reason IS NOT NULL")
      .all()
      .map((each) => each["finish_reason"]),
  );
  assert.deepEqual(finishes, ["content_filter", "content_filter"]);
  const [listed] = await place.index.list();
  assert.deepEqual([listed?.messages, listed?.inputTokens, listed?.outputTokens], [3, 2000, 40]);
});
