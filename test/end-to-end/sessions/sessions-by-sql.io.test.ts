import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const TRIGRAMS =
  "import sqlite3; sqlite3.connect(':memory:').execute(\"CREATE VIRTUAL TABLE t USING fts5 (a, tokenize = 'trigram')\").execute(\"SELECT json_array(1)\")";
const withPython =
  spawnSync("python3", ["-c", TRIGRAMS]).status === 0 ? {} : { skip: "there is no python3 whose SQLite has full text" };

/** As people write them for the original's database. */
const SCRIPT = `
import json, os, sqlite3, sys
database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
database.row_factory = sqlite3.Row
def rows(sql, *values):
    return [dict(row) for row in database.execute(sql, values)]
found = """SELECT m.role, s.source, snippet({0}, 0, '>>>', '<<<', '...', 40) AS snippet
    FROM {0} JOIN messages m ON m.id = {0}.rowid JOIN sessions s ON s.id = m.session_id WHERE {0} MATCH ? ORDER BY rank, m.timestamp DESC"""
session = rows("SELECT * FROM sessions ORDER BY started_at DESC LIMIT 1")[0]
try:
    database.execute("DELETE FROM messages")
    refused = None
except sqlite3.OperationalError as error:
    refused = str(error)
print(json.dumps({
    "version": rows("SELECT version FROM schema_version"),
    "sessions": rows("SELECT source, model, message_count, tool_call_count, api_call_count, input_tokens, output_tokens, estimated_cost_usd, ended_at, title FROM sessions WHERE parent_session_id IS NULL"),
    "started": session["started_at"],
    "messages": rows("SELECT role, content, tool_name, finish_reason FROM messages WHERE session_id = ? AND role IN ('user', 'assistant', 'tool') ORDER BY timestamp, id", session["id"]),
    "calls": [json.loads(row["tool_calls"]) for row in rows("SELECT tool_calls FROM messages WHERE role = 'assistant' AND tool_calls IS NOT NULL")],
    "results": rows("SELECT count(*) AS n FROM messages r JOIN messages c ON json_extract(c.tool_calls, '$[0].id') = r.tool_call_id AND c.session_id = r.session_id"),
    "tools": rows("SELECT m.tool_name, COUNT(*) AS count FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.started_at >= ? AND m.role = 'tool' AND m.tool_name IS NOT NULL GROUP BY m.tool_name", session["started_at"]),
    "words": rows(found.format("messages_fts"), "harbour AND opens"),
    "pieces": [rows(found.format("messages_fts_trigram"), text) for text in ('"arbou"', '"几点开"')],
    "refused": refused,
}))
`;

// req: session-search.schema-version
test(
  "a user's SQL script for the original's database reads index.db while it is not being written",
  withPython,
  async () => {
    await using server = await startOpenAiServer([
      { calls: [{ tool: "search_files", args: { pattern: "lighthouse" } }] },
      { text: "The harbour opens at six." },
    ]);
    using user = new NewUser();
    user.connect("custom", server.url);
    assert.equal((await user.run(["chat", "-q", "港口几点开门?"])).status, 0);
    // Queries return current data.
    assert.match((await user.run(["sessions", "search", "harbour"])).out, /The harbour opens/);
    const { stdout, stderr } = spawnSync("python3", [user.write("read.py", SCRIPT), join(user.agentHome, "index.db")], {
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    const read = JSON.parse(stdout) as { readonly [what: string]: unknown };
    const [session] = JSON.parse((await user.run(["sessions", "list", "--json"])).out) as readonly {
      readonly id: string;
      readonly startedAt: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
    }[];
    const { messages, ...rest } = read;
    assert.deepEqual(rest, {
      version: [{ version: 11 }],
      sessions: [
        {
          source: "cli",
          model: "loopback",
          message_count: 4,
          tool_call_count: 1,
          api_call_count: 2,
          input_tokens: session!.inputTokens,
          output_tokens: session!.outputTokens,
          estimated_cost_usd: null,
          ended_at: null,
          title: null,
        },
      ],
      started: session!.startedAt / 1000,
      calls: [
        [
          {
            id: (read["calls"] as readonly (readonly [{ readonly id: string }])[])[0]![0].id,
            type: "function",
            function: { name: "search_files", arguments: '{"pattern":"lighthouse"}' },
          },
        ],
      ],
      results: [{ n: 1 }],
      tools: [{ tool_name: "search_files", count: 1 }],
      words: [{ role: "assistant", source: "cli", snippet: "The >>>harbour<<< >>>opens<<< at six." }],
      pieces: [
        [{ role: "assistant", source: "cli", snippet: "The h>>>arbou<<<r opens at six." }],
        [{ role: "user", source: "cli", snippet: "港口>>>几点开<<<门?" }],
      ],
      refused: "attempt to write a readonly database",
    });
    assert.deepEqual(
      (messages as readonly { readonly content: string }[]).map((message) =>
        message.content.startsWith("{") ? { ...message, content: "{…" } : message,
      ),
      [
        { role: "user", content: "港口几点开门?", tool_name: null, finish_reason: null },
        { role: "assistant", content: "", tool_name: null, finish_reason: null },
        { role: "tool", content: "{…", tool_name: "search_files", finish_reason: null },
        { role: "assistant", content: "The harbour opens at six.", tool_name: null, finish_reason: "stop" },
      ],
    );
  },
);

// req: session-search.schema-version
test("a new index has the original's six tables and version, and state_meta survives a restart", async () => {
  await using server = await startOpenAiServer([{ text: "One." }, { text: "Two." }]);
  using user = new NewUser();
  user.connect("custom", server.url);
  const look = () => {
    using index = new DatabaseSync(join(user.agentHome, "index.db"), { readOnly: true });
    const wanted = ["messages", "messages_fts", "messages_fts_trigram", "schema_version", "sessions", "state_meta"];
    const tables = index
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
    assert.deepEqual(
      tables.filter((name) => wanted.includes(name)),
      wanted,
    );
    assert.deepEqual(
      index
        .prepare("SELECT version FROM schema_version")
        .all()
        .map(({ version }) => version),
      [11],
    );
    return new Map(
      index
        .prepare("SELECT key, value FROM state_meta")
        .all()
        .map(({ key, value }) => [String(key), String(value)]),
    );
  };
  assert.equal((await user.run(["chat", "-q", "first"])).status, 0);
  assert.equal((await user.run(["sessions", "list"])).status, 0);
  const before = look();
  assert.match(before.get("store_id") ?? "", /./);
  assert.equal((await user.run(["chat", "-q", "second"])).status, 0);
  assert.equal((await user.run(["sessions", "list"])).status, 0);
  const after = look();
  assert.equal(after.get("store_id"), before.get("store_id"));
  assert.ok(Number(after.get("listed")) > Number(before.get("listed")), "the index continues at its previous position");
});
