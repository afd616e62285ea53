import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { checkStore } from "../repair/check-store.ts";
import { openSqliteStore } from "../facts/open-store.ts";
import { openSessionService } from "./session-service.ts";
import { SessionIndex } from "../index/session-index.ts";
import { loadSqlite } from "../facts/sqlite.ts";
import { indexFile } from "../facts/store-files.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const started = (surface = "cli"): Fact => ({ type: "session.started", surface, cwd: "/work" });
const says = (text: string, turnId = "t1"): Fact => ({
  type: "message.added",
  turnId,
  origin: "person",
  parts: [{ type: "text", text }],
});
const answers = (text: string, costUsd?: number): Fact => ({
  type: "model.answered",
  turnId: "t1",
  requestId: "r",
  parts: [{ type: "text", text }],
  finish: "stop",
  usage,
  costUsd,
});
const turn = (...facts: readonly Fact[]): readonly Fact[] => [
  { type: "turn.started", turnId: "t1" },
  ...facts,
  { type: "turn.ended", turnId: "t1", reason: "done" },
];

async function openHome() {
  const root = mkdtempSync(join(tmpdir(), "hermes-desk-"));
  const home = join(root, "home");
  let now = Date.UTC(2026, 3, 7, 9, 0, 0);
  const tick = () => (now += 1000);
  const store = await openSqliteStore({ home, now: tick });
  const open = () => {
    const index = new SessionIndex({ path: indexFile(home), store });
    return { index, service: openSessionService({ store, index, now: tick }) };
  };
  const { index, service } = open();
  return {
    root,
    home,
    store,
    index,
    service,
    open,
    jump: (ms: number) => void (now += ms),
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

test("hides subagent sessions from lists and id prefixes, and removes them with their parent", async () => {
  await using place = await openHome();
  const child = (parent: string): Fact => ({
    type: "session.started",
    surface: "subagent",
    cwd: "/work",
    parent: { sessionId: parent, seq: 0 },
    subagent: { callId: "c", goal: "look", depth: 1 },
  });
  await place.store.append("20260407_090000_aaaaaa", [started(), ...turn(says("go"))]);
  await place.store.append("20260407_090000_bbbbbb", [child("20260407_090000_aaaaaa"), ...turn(says("look"))]);
  await place.store.append("20260407_090000_cccccc", [child("20260407_090000_bbbbbb"), ...turn(says("closer"))]);
  await place.store.append("20260407_090001_dddddd", [started(), ...turn(says("something else"))]);
  const ids = async (surface?: string) =>
    (await place.service.list(surface === undefined ? {} : { surface })).map(({ id }) => id.slice(-6));
  assert.deepEqual(
    [await ids(), await ids("subagent")],
    [
      ["dddddd", "aaaaaa"],
      ["cccccc", "bbbbbb"],
    ],
  );
  assert.equal((await place.service.find("20260407_090000")).id, "20260407_090000_aaaaaa");
  assert.equal((await place.service.find("20260407_090000_c")).id, "20260407_090000_cccccc");
  await place.service.remove("20260407_090000_aaaaaa");
  assert.deepEqual([await ids(), await ids("subagent")], [["dddddd"], []]);
});

// req: session-search.state-db
test("lists sessions of all surfaces, newest first, with their totals", async () => {
  await using place = await openHome();
  await place.store.append("20260407_090000_aaaaaa", [
    started(),
    { type: "model.chosen", provider: "p", model: "m-1", by: "person" },
    ...turn(says("  list\nmy files "), answers("here", 0.5), {
      type: "tool.called",
      turnId: "t1",
      callId: "c",
      tool: "terminal",
      args: {},
      by: "model",
      effect: "read",
      repeatable: true,
    }),
  ]);
  await place.store.append("20260407_090001_bbbbbb", [
    started("telegram"),
    { type: "turn.started", turnId: "t9" },
    says("and you?", "t9"),
  ]);
  const [second, first] = await place.service.list();
  const times = (await Array.fromAsync(place.service.facts("20260407_090000_aaaaaa"))).map(({ at }) => at);
  assert.deepEqual(
    withoutUndefined(first),
    withoutUndefined({
      id: "20260407_090000_aaaaaa",
      title: undefined,
      surface: "cli",
      cwd: "/work",
      startedAt: times[0],
      lastAt: times.at(-1),
      turns: 1,
      messages: 2,
      toolCalls: 1,
      apiCalls: 0,
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.5,
      model: "m-1",
      preview: "list my files",
      interrupted: false,
      parentId: undefined,
    }),
  );
  assert.deepEqual(
    [second?.surface, second?.interrupted, second?.costUsd, second?.preview],
    ["telegram", true, undefined, "and you?"],
  );
  assert.deepEqual(
    (await place.service.list({ surface: "cli" })).map(({ id }) => id),
    [first?.id],
  );
  assert.deepEqual(
    (await place.service.list({ limit: 1 })).map(({ id }) => id),
    [second?.id],
  );
  assert.equal((await place.service.latest())?.id, second?.id);
  assert.equal((await place.service.latest("cli"))?.id, first?.id);
  assert.equal(await place.service.latest("acp"), undefined);
});

test("the latest session is one with a turn: a session with only a manual tool call is not resumed", async () => {
  await using place = await openHome();
  await place.store.append("20260407_090000_aaaaaa", [started(), ...turn(says("list my files"), answers("here", 0.5))]);
  await place.store.append("20260407_090001_bbbbbb", [
    started(),
    {
      type: "tool.called",
      turnId: "",
      callId: "c",
      tool: "terminal",
      args: {},
      by: "person",
      effect: "read",
      repeatable: true,
    },
  ]);
  assert.deepEqual(
    (await place.service.list()).map(({ id, turns, toolCalls }) => [id, turns, toolCalls]),
    [
      ["20260407_090001_bbbbbb", 0, 1],
      ["20260407_090000_aaaaaa", 1, 0],
    ],
  );
  assert.equal((await place.service.latest())?.id, "20260407_090000_aaaaaa");
  assert.equal((await place.service.latest("cli"))?.id, "20260407_090000_aaaaaa");
});

test("finds a session by id, id prefix or title, and lists all candidates if several match", async () => {
  await using place = await openHome();
  for (const id of ["20260407_090000_aaaaaa", "20260407_090000_abbbbb", "20260408_100000_cccccc"])
    await place.store.append(id, [started(), ...turn(says(`words of ${id.slice(-6)}`))]);
  await place.service.rename("20260408", "  Garden   plans ");
  assert.equal((await place.service.find("garden plans")).id, "20260408_100000_cccccc");
  assert.equal((await place.service.find("20260407_090000_aa")).id, "20260407_090000_aaaaaa");
  await assert.rejects(place.service.find("20260407"), {
    name: "UserError",
    message:
      /matches more than one session:\n  20260407_090000_abbbbb  words of abbbbb\n  20260407_090000_aaaaaa  words of aaaaaa/,
  });
  await assert.rejects(place.service.find("nothing"), {
    name: "UserError",
    message: 'No session has the id or title "nothing".',
    hint: /sessions list/,
  });
  await assert.rejects(place.service.find(""), { name: "UserError" });
  await assert.rejects(place.service.rename("20260408", " "), { name: "UserError" });
  await assert.rejects(place.service.rename("20260408", "x".repeat(101)), {
    name: "UserError",
    message: /at most 100 characters; this one has 101/,
  });
});

test("finds a user's messages among many newer matches of others, by words, substrings and CJK text", async () => {
  await using place = await openHome();
  const of = (whose: string): Fact => ({ type: "session.started", surface: "telegram", cwd: "/work", whose });
  await place.store.append("20260407_090000_aaaaaa", [of("telegram:eve"), ...turn(says("marzipan cake 蛋糕 for eve"))]);
  await place.store.append("20260407_090001_bbbbbb", [
    of("telegram:ada"),
    ...Array.from({ length: 201 }, (_, n) => turn(says(`marzipan cake 蛋糕 number ${n}`))).flat(),
  ]);
  for (const words of ["marzipan", "marzipan cake", "arzipa", "蛋糕"]) {
    const found = async (whose: string) => [
      ...new Set((await place.service.search(words, { limit: 5, whose })).map(({ session }) => session.id.slice(-6))),
    ];
    assert.deepEqual(
      [await found("telegram:eve"), await found("telegram:ada"), await found("telegram:nobody")],
      [["aaaaaa"], ["bbbbbb"], []],
      words,
    );
  }
});

test("filters a user's conversations by surface", async () => {
  await using place = await openHome();
  for (const [id, surface, whose] of [
    ["s1", "telegram", "eve"],
    ["s2", "irc", "eve"],
    ["s3", "irc", "ada"],
  ] as const)
    await place.store.append(id, [{ type: "session.started", surface, cwd: "/work", whose }]);
  const listed = async (options: { readonly surface?: string; readonly whose?: string }) =>
    (await place.service.list(options)).map(({ id }) => id).sort();
  assert.deepEqual(
    [
      await listed({ whose: "eve" }),
      await listed({ surface: "irc", whose: "eve" }),
      await listed({ surface: "irc" }),
      await listed({}),
    ],
    [["s1", "s2"], ["s2"], ["s2", "s3"], ["s1", "s2", "s3"]],
  );
});

// req: session-search.trigram
test("finds parts of words and text in languages without spaces, and marks the hits", async () => {
  await using place = await openHome();
  await place.store.append("s1", [
    started(),
    ...turn(says("我们把新版本部署到服务器上"), answers("The redeployment of my-app.config is finished."), {
      type: "tool.settled",
      callId: "c",
      outcome: { kind: "ok", shown: [{ type: "text", text: "listening on port 8080" }] },
      durationMs: 1,
    }),
  ]);
  const snippets = async (words: string) =>
    (await place.service.search(words)).map(({ role, snippet }) => [role, snippet]);
  assert.deepEqual(await snippets("服务器"), [["user", "我们把新版本部署到>>>服务器<<<上"]]);
  assert.deepEqual(await snippets("部署"), [["user", "我们把新版本>>>部署<<<到服务器上"]]);
  assert.deepEqual(await snippets("eploym"), [["assistant", "The red>>>eploym<<<ent of my-app.config is finished."]]);
  assert.deepEqual(await snippets("my-app.config"), [
    ["assistant", "The redeployment of >>>my-app.config<<< is finished."],
  ]);
  assert.deepEqual(await snippets("PORT 8080"), [["tool", "listening on >>>port<<< >>>8080<<<"]]);
  assert.deepEqual(await snippets("missing"), []);
});

// field: F14, F16
test("finds two Han characters, one, emoji and punctuation, however many newer messages there are", async () => {
  await using place = await openHome();
  const session = (text: string): Fact[] => [started(), ...turn(says(text))];
  for (let n = 0; n < 50; n += 1) await place.store.append(`whale${n}`, session(`第${n}次看见鲸鱼在海里游泳。`));
  await place.store.append("emoji", session("ship it 🐳 today, ❤\ufe0f"));
  await place.store.append("signs", session("a => b; C# and 5% of x::y"));
  await place.store.append("mixed", session("用git提交あ 배포"));
  // One long session, newer than all of them.
  for (let n = 0; n < 42; n += 1)
    await place.store.append(
      "long",
      n === 0 ? [started()] : Array.from({ length: 500 }, () => turn(says("plain words"))).flat(),
    );
  const where = async (words: string, limit = 100): Promise<readonly string[]> =>
    (await place.service.search(words, { limit })).map(({ session }) => session.id);
  assert.equal((await where("鲸鱼")).length, 50);
  assert.equal((await where("鱼")).length, 50);
  assert.deepEqual(await where("鲸鱼", 1), ["whale49"], "newest first");
  assert.deepEqual(await where("第7次 鲸鱼"), ["whale7"]);
  assert.equal((await where("鲸鱼 NOT 第7次")).length, 49);
  assert.deepEqual(await where("🐳"), ["emoji"]);
  assert.deepEqual(await where("❤"), ["emoji"]);
  assert.deepEqual(await where("❤\ufe0f"), ["emoji"]);
  assert.deepEqual(await where("ship 🐳"), ["emoji"]);
  assert.deepEqual(await where("=>"), ["signs"]);
  assert.deepEqual(await where("::"), ["signs"]);
  assert.deepEqual(await where("C#"), ["signs"]);
  assert.deepEqual(await where("5%"), ["signs"]);
  assert.deepEqual(await where("あ"), ["mixed"]);
  assert.deepEqual(await where("배포"), ["mixed"]);
  assert.deepEqual(await where("用g"), ["mixed"]);
  assert.deepEqual(await where("鲸鱼 OR 배포 OR 🐳", 3), ["mixed", "emoji", "whale49"]);
  assert.deepEqual(await where("plain", 5), ["long"], "one entry a session");
  let looked: number | undefined;
  await place.service.search("plain", { limit: 5, onlyNewest: (count) => (looked = count) });
  assert.equal(looked, 20_000, "says that older sessions may be missing");
  await place.store.remove(["emoji"]);
  assert.deepEqual(await where("🐳"), []);
});

test("lists the newest hits first, keeps quoted words together, and accepts any punctuation", async () => {
  await using place = await openHome();
  await place.store.append("old", [started(), ...turn(says("a green tea pot"))]);
  await place.store.append("new", [started(), ...turn(says("the pot is green"), answers("tea is ready"))]);
  const where = async (words: string, limit?: number) =>
    (await place.service.search(words, limit === undefined ? {} : { limit })).map(
      ({ session, seq }) => `${session.id}:${seq}`,
    );
  assert.deepEqual(await where("tea"), ["new:4", "old:3"], "one entry a session");
  assert.deepEqual(await where("tea", 1), ["new:4"]);
  assert.deepEqual(await where("green pot"), ["new:3", "old:3"]);
  assert.deepEqual(await where('"green tea"'), ["old:3"]);
  assert.deepEqual(await where("green tea"), ["old:3"]);
  assert.deepEqual(await where("tea NOT green"), ["new:4"]);
  for (const signs of [
    "",
    '"',
    "AND",
    "tea AND",
    "NOT",
    "(",
    "*",
    "^tea:",
    "-",
    "tea)",
    "col:tea",
    "{x}",
    "NEAR(tea, 2)",
    "'; DROP TABLE messages; --",
    "\0",
    "%",
    "_",
  ])
    await place.service.search(signs);
  assert.equal((await where("tea")).length, 2);
});

test("a search includes what another process just wrote or removed", async () => {
  await using place = await openHome();
  await place.store.append("s1", [started(), ...turn(says("first words"))]);
  assert.equal((await place.service.list()).length, 1);
  await using other = await openSqliteStore({ home: place.home });
  await other.append("s2", [started("acp"), ...turn(says("other words"))]);
  assert.deepEqual((await place.service.list()).map(({ id }) => id).sort(), ["s1", "s2"]);
  assert.equal((await place.service.search("words")).length, 2);
  await other.remove(["s1"]);
  assert.deepEqual(
    (await place.service.list()).map(({ id }) => id),
    ["s2"],
  );
  assert.deepEqual(
    (await place.service.search("words")).map(({ session }) => session.id),
    ["s2"],
  );
  await other.append("s3", [started(), ...turn(says("third words"))]);
  assert.equal((await place.service.search("words")).length, 2);
});

// req: R-02
test("rebuilds an index that was deleted or belongs to another store", async () => {
  await using place = await openHome();
  await place.store.append("s1", [started(), ...turn(says("some words"), answers("more words"))]);
  const before = await place.service.list();
  await place.index[Symbol.asyncDispose]();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(indexFile(place.home) + suffix, { force: true });
  const again = place.open();
  assert.deepEqual(await again.service.list(), before);
  assert.equal((await again.service.search("words")).length, 1);
  await again.index[Symbol.asyncDispose]();
  await using elsewhere = await openHome();
  await elsewhere.store.append("other", [started()]);
  await using untrusted = new SessionIndex({ path: indexFile(place.home), store: elsewhere.store });
  assert.deepEqual(
    (await untrusted.list()).map(({ id }) => id),
    ["other"],
  );
});

test("two processes that fill one index at the same time count nothing twice", async () => {
  await using place = await openHome();
  for (let index = 0; index < 60; index++)
    await place.store.append(`s${index}`, [started(), ...turn(says("word"), answers("reply"))]);
  await using other = await openSqliteStore({ home: place.home });
  await using second = new SessionIndex({ path: indexFile(place.home), store: other });
  const [mine, theirs] = await Promise.all([
    place.index.search("word", { limit: 500 }),
    second.search("word", { limit: 500 }),
  ]);
  assert.deepEqual([mine.found.length, theirs.found.length], [60, 60]);
  for (const session of await second.list()) assert.deepEqual([session.turns, session.messages], [1, 2]);
});

test("a title is unique: a branch gets a number, and a numeric title wins over IDs that start with it", async () => {
  await using place = await openHome();
  for (const id of ["20260407_090000_aaaaaa", "20260407_090001_bbbbbb"])
    await place.store.append(id, [started(), ...turn(says("hello"))]);
  await place.service.rename("20260407_090000_aaaaaa", "plan");
  const first = await place.service.branch("plan");
  const second = await place.service.branch(first.id);
  assert.deepEqual([first.title, second.title], ["plan #2", "plan #3"]);
  assert.equal((await place.service.find("plan")).id, "20260407_090000_aaaaaa");
  assert.equal((await place.service.branch("20260407_090001_bbbbbb")).title, undefined);
  await place.service.rename("20260407_090001_bbbbbb", "2026");
  assert.equal((await place.service.find("2026")).id, "20260407_090001_bbbbbb");
});

test("a branch continues independently from its cut, and the parent stays unchanged", async () => {
  await using place = await openHome();
  await place.store.append("parent", [
    started(),
    { type: "turn.started", turnId: "t1" },
    says("hello"),
    answers("hi"),
    { type: "turn.ended", turnId: "t1", reason: "done" },
  ]);
  const branch = await place.service.branch("parent", 3);
  assert.deepEqual(
    [branch.parentId, branch.interrupted, branch.preview, branch.surface],
    ["parent", false, "hello", "cli"],
  );
  const facts = await Array.fromAsync(place.service.facts(branch.id));
  assert.deepEqual(
    facts.map(({ fact }) => fact.type),
    ["session.started", "turn.started", "message.added", "turn.ended"],
  );
  assert.equal(facts[2]?.at, (await Array.fromAsync(place.service.facts("parent")))[2]?.at, "times are kept");
  assert.equal((await place.service.latest())?.id, branch.id);
  assert.equal(await place.store.lastSeq("parent"), 5);
  await assert.rejects(place.service.branch("parent", 6), {
    name: "UserError",
    message: /has facts 1 to 5; it cannot be branched at 6/,
  });
});

// req: R-06
test("remove and prune delete sessions permanently, but skip those in use", async () => {
  await using place = await openHome();
  await place.store.append("old", [started(), ...turn(says("very secret words"))]);
  await place.store.append("busy", [started(), ...turn(says("busy words"))]);
  place.jump(90 * 24 * 3600 * 1000);
  await place.store.append("new", [started(), ...turn(says("new words"))]);
  const lease = await place.store.lease("busy", "gateway 7");
  assert.ok("fence" in lease);
  await assert.rejects(place.service.remove("busy"), {
    name: "UserError",
    message: 'Session "busy" was not removed: "gateway 7" is using it.',
  });
  const month = 30 * 24 * 3600 * 1000;
  assert.deepEqual(
    (await place.service.prune({ olderThanMs: month, dryRun: true })).map(({ id }) => id),
    ["busy", "old"],
  );
  assert.equal((await place.service.list()).length, 3);
  assert.deepEqual(
    (await place.service.prune({ olderThanMs: month })).map(({ id }) => id),
    ["old"],
  );
  assert.deepEqual(
    (await place.service.list()).map(({ id }) => id),
    ["new", "busy"],
  );
  assert.deepEqual(await place.service.search("secret"), []);
  await lease[Symbol.asyncDispose]();
  await place.service.remove("busy");
  assert.deepEqual(
    (await place.service.list()).map(({ id }) => id),
    ["new"],
  );
});

test("exports every fact, or a readable document", async () => {
  await using place = await openHome();
  const call: readonly Fact[] = [
    {
      type: "model.answered",
      turnId: "t1",
      requestId: "r",
      parts: [{ type: "tool-call", callId: "c", tool: "terminal", args: '{"command":"ls"}' }],
      finish: "tool-calls",
      usage,
    },
    {
      type: "tool.called",
      turnId: "t1",
      callId: "c",
      tool: "terminal",
      args: { command: "ls" },
      by: "model",
      effect: "read",
      repeatable: true,
    },
    {
      type: "tool.settled",
      callId: "c",
      outcome: { kind: "ok", shown: [{ type: "text", text: "a ``` b" }] },
      durationMs: 1,
    },
  ];
  await place.store.append("s1", [started(), ...turn(says("hello"), ...call, answers("done"))]);
  await place.service.rename("s1", "Greeting");
  assert.equal((await place.service.view("s1")).title, "Greeting");
  const json = JSON.parse((await Array.fromAsync(place.service.exportSession("Greeting", "json"))).join("")) as {
    session: { id: string };
    facts: unknown[];
  };
  assert.equal(json.session.id, "s1");
  assert.deepEqual(json.facts, await Array.fromAsync(place.service.facts("s1")));
  const markdown = (await Array.fromAsync(place.service.exportSession("s1", "markdown"))).join("");
  const day = new Date((await place.service.find("s1")).startedAt).toISOString();
  assert.equal(
    markdown.replace(day, "DAY"),
    '# Greeting\n\nSession `s1`, DAY, on cli.\n\n## You\n\nhello\n\n### terminal\n\n```json\n{\n  "command": "ls"\n}\n```\n\n````\na ``` b\n````\n\n## Hermes\n\ndone\n',
  );
});

test("a backup is a complete store that opens elsewhere, and overwrites nothing", async () => {
  await using place = await openHome();
  for (let index = 0; index < 20; index++) await place.store.append("s1", [says(`words ${index}`)]);
  const target = join(place.root, "copy", "state.db");
  await assert.rejects(place.service.backup(target), { name: "UserError", message: /The folder .* does not exist/ });
  const path = await place.service.backup(join(place.root, "backup.db"));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(existsSync(`${path}.part`), false);
  await assert.rejects(place.service.backup(path), { name: "UserError", message: /already exists/ });
  await assert.rejects(place.service.backup(place.store.path), { name: "UserError", message: /already exists/ });
  const checks = await checkStore(place.home);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
  assert.match(
    checks.find(({ name }) => name === "store")?.detail ?? "",
    /^1 sessions, 20 records, .* no damage found$/,
  );
});

test("a session in use can be renamed without a conflict; any other write in between is a conflict", async () => {
  await using place = await openHome();
  await place.store.append("s1", [started()]);
  const lease = await place.store.lease("s1", "turn");
  assert.ok("fence" in lease);
  await using other = await openSqliteStore({ home: place.home });
  await place.service.rename("s1", "First");
  await place.service.rename("s1", "Second");
  const recorded = await place.store.append("s1", [says("on")], { expect: 1, fence: lease.fence });
  assert.deepEqual(
    recorded.map(({ seq }) => seq),
    [4],
  );
  await assert.rejects(other.append("s1", [says("x")], { expect: 3 }), { name: "StoreConflict" });
  await other.append("s1", [says("stranger")]);
  await place.service.rename("s1", "Third");
  await assert.rejects(place.store.append("s1", [says("on")], { expect: 4, fence: lease.fence }), {
    name: "StoreConflict",
    message: /is at fact 6, not 4/,
  });
  await lease[Symbol.asyncDispose]();
});

test("a backup taken during writes is complete", async () => {
  await using place = await openHome();
  await using other = await openSqliteStore({ home: place.home });
  for (let index = 0; index < 200; index++) await place.store.append("s1", [says(`${index} ${"x".repeat(5000)}`)]);
  const [path] = await Promise.all([
    place.service.backup(join(place.root, "state.db")),
    (async () => {
      for (let index = 0; index < 30; index++) await place.store.append("s2", [says("mine")]);
    })(),
    (async () => {
      for (let index = 0; index < 30; index++) await other.append("s3", [says("theirs")]);
    })(),
  ]);
  await using copy = await openSqliteStore({ home: join(path, "..") });
  assert.equal((await Array.fromAsync(copy.read("s1"))).length, 200);
  assert.equal(copy.notices.length, 0);
  assert.equal(await place.store.lastSeq("s2"), 30);
  assert.equal(await place.store.lastSeq("s3"), 30);
});

test("the index catches up when no write happens for a while", async () => {
  await using place = await openHome();
  const path = join(place.root, "idle.db");
  await using index = new SessionIndex({ path, store: place.store, idleMs: 5 });
  assert.deepEqual(await index.list(), []);
  await place.store.append("s1", [started(), ...turn(says("quiet words"))]);
  const followed = () => {
    const database = new (loadSqlite().DatabaseSync)(path, { timeout: 1000 });
    try {
      return database
        .prepare("SELECT role, content FROM messages")
        .all()
        .map((row) => ({ ...row }));
    } catch {
      return []; // Not made yet.
    } finally {
      database.close();
    }
  };
  while (followed().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(followed(), [{ role: "user", content: "quiet words" }]);
});

test("doctor creates nothing in a home without a store", async () => {
  const home = join(tmpdir(), `hermes-none-${process.pid}`);
  const checks = await checkStore(home);
  assert.deepEqual(
    checks.map(({ name, ok }) => [name, ok]),
    [
      ["sqlite", true],
      ["store disk", true],
      ["store", true],
    ],
  );
  assert.equal(existsSync(home), false);
});
