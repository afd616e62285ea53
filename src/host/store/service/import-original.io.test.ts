import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { UserError } from "../../../contract/common/failure.ts";
import { importOriginal } from "./import-original.ts";
import { openSqliteStore } from "../facts/open-store.ts";
import { SessionIndex } from "../index/session-index.ts";
import { indexFile } from "../facts/store-files.ts";
import { Transcript } from "../../../engine/transcript/transcript.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

const OLD =
  "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, estimated_cost_usd REAL, title TEXT); CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, finish_reason TEXT, reasoning TEXT); CREATE TABLE schema_version (version INTEGER NOT NULL); CREATE VIRTUAL TABLE messages_fts USING fts5 (content, content = messages, content_rowid = id);";
const CALL = JSON.stringify([
  { id: "call_0", type: "function", function: { name: "weather_forecast", arguments: '{"city":"Kyoto"}' } },
]);

/** Files as three layouts of the original leave them. */
const LAYOUTS: { readonly [version: number]: string } = {
  9: OLD,
  10: `${OLD} CREATE VIRTUAL TABLE messages_fts_trigram USING fts5 (content, tokenize = 'trigram');`,
  22: `${OLD} CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT); ALTER TABLE sessions ADD COLUMN api_call_count INTEGER DEFAULT 0; ALTER TABLE sessions ADD COLUMN chat_type TEXT; ALTER TABLE sessions ADD COLUMN cwd TEXT; ALTER TABLE messages ADD COLUMN active INTEGER NOT NULL DEFAULT 1; ALTER TABLE messages ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;`,
};

class Place implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), "hermes-import-"));
  readonly file = join(this.home, "state.db");
  readonly #stack = new AsyncDisposableStack();

  original(version: number, fill: (database: DatabaseSync) => void): void {
    using database = new DatabaseSync(this.file);
    database.exec(`PRAGMA journal_mode = WAL; ${LAYOUTS[version]!} INSERT INTO schema_version VALUES (${version})`);
    fill(database);
  }

  async open() {
    const store = this.#stack.use(await openSqliteStore({ home: this.home }));
    const index = this.#stack.use(new SessionIndex({ path: indexFile(this.home), store }));
    return { store, index, import: (mask = (text: string) => text) => importOriginal(store, this.file, mask) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    rmSync(this.home, { recursive: true, force: true });
  }
}

function talk(database: DatabaseSync): void {
  database.exec(
    "INSERT INTO sessions (id, source, model, started_at, input_tokens, output_tokens, estimated_cost_usd, title) VALUES ('20260101_080000_aaaaaa', 'cli', 'm-1', 1767254400.5, 100, 20, 0.5, 'Kyoto')",
  );
  const add = database.prepare(
    "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp) VALUES ('20260101_080000_aaaaaa', ?, ?, ?, ?, ?, ?)",
  );
  add.run("user", "明天京都的天气怎么样？", null, null, null, 1767254401);
  add.run("assistant", null, null, CALL, null, 1767254402);
  add.run("tool", "Rain, and the key is sk-swordfish.", "call_0", null, "weather_forecast", 1767254403);
  add.run("assistant", "Take an umbrella.", null, null, null, 1767254404);
}

// req: session-search.migration-10
test("imports layout 9, which has no trigram index, and finds an old Chinese message by three of its characters", async () => {
  await using place = new Place();
  place.original(9, talk);
  const { index, import: take } = await place.open();
  assert.deepEqual(await take(), { layout: 9, imported: 1, known: 0, empty: 0 });
  assert.deepEqual(
    (await index.search("京都的", { limit: 5 })).found.map(({ session, role, snippet }) => [session.id, role, snippet]),
    [["20260101_080000_aaaaaa", "user", "明天>>>京都的<<<天气怎么样？"]],
  );
  assert.equal((await index.search("mbrell", { limit: 5 })).found[0]?.role, "assistant");
});

// req: session-search.migration-11
test("imports layout 10, whose indexes lack tools, and finds an old message by the name and text of a tool call", async () => {
  await using place = new Place();
  place.original(10, talk);
  const { index, import: take } = await place.open();
  await take();
  assert.deepEqual(
    (await index.search("weather_forecast", { limit: 5 })).found.map(({ role }) => role),
    ["tool"],
  );
  const called = await index.search("Kyoto", { limit: 5, roles: new Set(["tool"]) });
  assert.deepEqual(
    called.found.map(({ role }) => role),
    ["tool"],
  );
});

test("imports a session once, with its totals, masks stored secrets, and leaves the original's file unchanged", async () => {
  await using place = new Place();
  place.original(22, talk);
  const before = [readFileSync(place.file), statSync(place.file).mtimeMs, readdirSync(place.home).sort()];
  const { store, index, import: take } = await place.open();
  await take((text) => text.replaceAll("sk-swordfish", "***"));
  assert.deepEqual(await take(), { layout: 22, imported: 0, known: 1, empty: 0 });
  const summary = (await index.get("20260101_080000_aaaaaa"))!;
  assert.deepEqual(
    withoutUndefined(summary),
    withoutUndefined({
      id: "20260101_080000_aaaaaa",
      title: "Kyoto",
      surface: "cli",
      cwd: "/",
      startedAt: 1767254400500,
      lastAt: 1767254404000,
      turns: 1,
      messages: 3,
      toolCalls: 1,
      apiCalls: 2,
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.5,
      model: "m-1",
      preview: "明天京都的天气怎么样？",
      interrupted: false,
      parentId: undefined,
    }),
  );
  const facts = (await Array.fromAsync(store.read(summary.id))).map(({ fact }) => fact);
  assert.deepEqual(
    facts.map(({ type }) => type),
    [
      "session.started",
      "session.titled",
      "turn.started",
      "message.added",
      "model.asked",
      "model.answered",
      "tool.called",
      "tool.settled",
      "model.asked",
      "model.answered",
      "turn.ended",
    ],
  );
  const settled = facts[7];
  assert.deepEqual(withoutUndefined(settled?.type === "tool.settled" && settled.outcome), {
    kind: "ok",
    shown: [
      {
        type: "text",
        text: "Rain, and the key is ***.",
        from: {
          trust: "foreign",
          owner: "sessions",
          tool: "weather_forecast",
          source: "weather_forecast in a session of the original",
        },
      },
    ],
  });
  assert.deepEqual([readFileSync(place.file), statSync(place.file).mtimeMs], before.slice(0, 2));
});

// field: M10
test("the token totals of an imported session do not count as the size of its last request", async () => {
  await using place = new Place();
  place.original(22, (database) => {
    talk(database);
    database.exec("UPDATE sessions SET input_tokens = 900000, output_tokens = 40000");
  });
  const { store, index, import: take } = await place.open();
  await take();
  const recorded = await Array.fromAsync(store.read("20260101_080000_aaaaaa"));
  const transcript = new Transcript(recorded);
  assert.deepEqual([transcript.lastTokens, transcript.usage.inputTokens], [0, 900_000]);
  assert.equal((await index.get("20260101_080000_aaaaaa"))!.inputTokens, 900_000);
  // As earlier versions stored it.
  const before = recorded.map((one) =>
    one.fact.type === "model.answered" ? { ...one, fact: { ...one.fact, counts: undefined } } : one,
  );
  assert.equal(new Transcript(before).lastTokens, 0);
  // A request of ours counts as before.
  const usage = { inputTokens: 70, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  transcript.apply({
    seq: recorded.length + 1,
    at: 0,
    v: 1,
    fact: { type: "model.answered", turnId: "t", requestId: "request_1", parts: [], finish: "stop", usage },
  });
  assert.equal(transcript.lastTokens, 77);
});

test("an import skips rewound messages, keeps summarised ones searchable only, and ends unfinished turns", async () => {
  await using place = new Place();
  place.original(22, (database) => {
    database.exec(
      "INSERT INTO sessions (id, source, chat_type, started_at, parent_session_id) VALUES ('s1', 'telegram', 'group', 1, NULL), ('s2', 'cli', NULL, 2, 's1'), ('s3', 'cli', NULL, 3, 'gone')",
    );
    const add = database.prepare(
      "INSERT INTO messages (session_id, role, content, tool_calls, timestamp, active, compacted) VALUES (?, ?, ?, ?, 1, ?, ?)",
    );
    add.run("s1", "user", "long ago", null, 0, 1);
    add.run("s1", "user", "taken back", null, 0, 0);
    add.run(
      "s1",
      "user",
      '\0json:[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:x"}}]',
      null,
      1,
      0,
    );
    add.run(
      "s1",
      "assistant",
      "",
      JSON.stringify([
        { id: "a", function: { name: "one", arguments: "{broken" } },
        { id: "a", function: { name: "two", arguments: {} } },
        { id: "b" },
        "odd",
      ]),
      1,
      0,
    );
    add.run("s2", "assistant", "Hello first.", "no json", 1, 0);
    add.run("s3", "system", "only this", null, 1, 0);
  });
  const { store, import: take } = await place.open();
  assert.deepEqual(await take(), { layout: 22, imported: 2, known: 0, empty: 1 });
  const facts = (await Array.fromAsync(store.read("s1"))).map(({ fact }) => fact);
  assert.deepEqual(
    facts.map(({ type }) => type),
    [
      "session.started",
      "turn.started",
      "message.added",
      "turn.ended",
      "context.compacted",
      "turn.started",
      "message.added",
      "model.asked",
      "model.answered",
      "tool.called",
      "tool.called",
      "tool.settled",
      "tool.settled",
      "turn.ended",
    ],
  );
  const [, , , , compacted, , look, , answered] = facts;
  assert.equal(compacted?.type === "context.compacted" && compacted.keepFrom, 6);
  assert.deepEqual(
    look?.type === "message.added" && look.parts.map((part) => [part.type === "text" && part.text, part.from?.source]),
    [
      ["look", "a chat of telegram, as stored by the original"],
      ["[picture]", "a chat of telegram, as stored by the original"],
    ],
  );
  assert.deepEqual(answered?.type === "model.answered" && answered.parts, [
    { type: "tool-call", callId: "original-1", tool: "one", args: "{broken" },
    { type: "tool-call", callId: "original-2", tool: "two", args: "{}" },
  ]);
  assert.deepEqual(
    (await Array.fromAsync(store.read("s2")))
      .map(({ fact }) => fact.type === "session.started" && fact.parent)
      .slice(0, 1),
    [{ sessionId: "s1", seq: 1 }],
  );
});

test("rejects a file that is not a session store of the original and imports nothing", async () => {
  await using place = new Place();
  const { store, import: take } = await place.open();
  await assert.rejects(
    importOriginal(store, join(place.home, "none.db"), (text) => text),
    (error) => error instanceof UserError && /There is no file/.test(error.message),
  );
  await assert.rejects(
    importOriginal(store, store.path, (text) => text),
    /is not a session store of the Python Hermes/,
  );
  assert.equal(store.path, place.file);
  const other = join(place.home, "other.db");
  writeFileSync(other, "x".repeat(200));
  await assert.rejects(
    importOriginal(store, other, (text) => text),
    /is not a session store of the Python Hermes/,
  );
  using database = new DatabaseSync(join(place.home, "third.db"));
  database.exec("CREATE TABLE notes (a)");
  await assert.rejects(
    importOriginal(store, join(place.home, "third.db"), (text) => text),
    /contains no sessions of the Python Hermes/,
  );
  assert.equal((await store.sessionIds()).size, 0);
  void take;
});
