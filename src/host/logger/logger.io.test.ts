import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resolveHome } from "../environment/home.ts";
import { createKnownMask } from "../../safety/secrets/known-values.ts";
import { createRedactor } from "../../safety/secrets/redact.ts";
import { openLogger, type LoggerOptions } from "./open-logger.ts";
import { formatLogLine, readLogs } from "./read-logs.ts";
import type { LogLine } from "../../contract/common/log.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

function setUp(t: { after(run: () => void): void }) {
  const path = mkdtempSync(join(tmpdir(), "hermes-log-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  return {
    home,
    path,
    open: (options: Partial<LoggerOptions> = {}) =>
      openLogger({ home, clock: { now: () => AT }, redact: (text) => text.replaceAll("sk-secret", "***"), ...options }),
  };
}

async function all(lines: AsyncIterable<LogLine>): Promise<readonly LogLine[]> {
  return Array.fromAsync(lines);
}

// field: F01
test("masks each text of a log line before JSON encoding and truncation, and a key marks its value as secret", async (t) => {
  const { home, open } = setUp(t);
  await using log = open({ redact: createRedactor(createKnownMask(() => ["sk-secret"])) });
  const edge = `${"x ".repeat(9_995)}DB_PASSWORD=hunter2hunter2`;
  log.warning("read DB_PASSWORD=hunter2hunter2\nNAME=x", {
    output: 'API_KEY="abc123def456"\r\nMODE=fast',
    settings: { api_key: "abc123def456", token_count: 5 },
    cause: new Error("no DB_PASSWORD=hunter2hunter2\nhere"),
    edge,
  });
  await log.flush();
  const [line] = await all(readLogs({ home }));
  assert.equal(line?.message, "read DB_PASSWORD=***\nNAME=x");
  assert.equal(line?.["output"], 'API_KEY="***"\r\nMODE=fast');
  assert.deepEqual(line?.["settings"], { api_key: "***", token_count: 5 });
  assert.match(JSON.stringify(line?.["cause"]), /"error":"no DB_PASSWORD=\*{3}\\nhere"/);
  assert.ok(String(line?.["edge"]).startsWith(`${"x ".repeat(9_995)}DB_PASSWO`));
  assert.ok(!JSON.stringify(line).includes("hunter2"));
});

// req: logging.tool-log
test("a log line has time, level and logger name, with secrets masked", async (t) => {
  const { home, path, open } = setUp(t);
  await using log = open();
  log
    .child("plugins")
    .child("weather")
    .warning("key sk-secret failed", { cause: new Error("sk-secret refused") });
  log.debug("not at this level");
  await log.flush();
  const text = readFileSync(join(path, "logs", "agent.log"), "utf8");
  assert.ok(!text.includes("sk-secret"));
  const [line] = await all(readLogs({ home }));
  assert.deepEqual(
    [line?.time, line?.level, line?.name, line?.message],
    ["2026-01-02T03:04:05.000Z", "warning", "plugins.weather", "key *** failed"],
  );
  assert.match(JSON.stringify(line?.["cause"]), /Error: \*\*\* refused/);
  assert.equal(statSync(join(path, "logs", "agent.log")).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(path, "logs", "errors.log"), "utf8"), text);
});

test("creates no file before the first log line", async (t) => {
  const { path, open } = setUp(t);
  await using log = open();
  await log.flush();
  assert.equal(existsSync(join(path, "logs")), false);
});

test("the first line creates a missing home; a home removed later is not recreated", async (t) => {
  const { path, open } = setUp(t);
  rmSync(path, { recursive: true });
  await using early = open();
  early.info("the first start");
  await early.flush();
  assert.equal(existsSync(join(path, "logs", "agent.log")), true);
  await using late = open();
  rmSync(path, { recursive: true });
  for (const log of [early, late]) {
    log.error("too late");
    await log.flush();
  }
  assert.equal(existsSync(path), false);
});

test("rotates a full log and deletes the oldest", async (t) => {
  const { path, open } = setUp(t);
  await using log = open({ maxBytes: 300, backups: 2 });
  for (let number = 0; number < 12; number++) {
    log.info(`line ${number} ${"x".repeat(100)}`);
    await log.flush();
  }
  const saved = ["agent.log", "agent.log.1", "agent.log.2", "agent.log.3"].map((name) =>
    existsSync(join(path, "logs", name)),
  );
  assert.deepEqual(saved, [true, true, true, false]);
  assert.match(readFileSync(join(path, "logs", "agent.log"), "utf8"), /line 11 /);
  assert.ok(statSync(join(path, "logs", "agent.log.1")).size <= 300);
});

// req: logging.logs-level
test("reads the newest lines by level, across rotated files", async (t) => {
  const { home, path } = setUp(t);
  mkdirSync(join(path, "logs"));
  const line = (level: string, message: string) => `${JSON.stringify({ time: "t", level, name: "n", message })}\n`;
  writeFileSync(join(path, "logs", "agent.log.1"), line("error", "1") + line("info", "2"));
  writeFileSync(
    join(path, "logs", "agent.log"),
    line("warning", "3") + line("debug", "4") + "not json\n" + line("error", "5"),
  );
  const messages = async (options: object) => (await all(readLogs({ home, ...options }))).map(({ message }) => message);
  assert.deepEqual(await messages({ level: "warning" }), ["1", "3", "5"]);
  assert.deepEqual(await messages({ level: "warning", lines: 2 }), ["3", "5"]);
  assert.deepEqual(await messages({ lines: 5 }), ["2", "3", "4", "not json", "5"]);
  assert.equal(
    formatLogLine({ time: "t", level: "warning", name: "n", message: "m", tool: "x" }),
    't WARNING [n] m {"tool":"x"}',
  );
});

const line = (message: string): string => `${JSON.stringify({ time: "t", level: "info", name: "n", message })}\n`;

/** A log with one line in it. */
function oldLog(t: Parameters<typeof setUp>[0]) {
  const { home, path } = setUp(t);
  mkdirSync(join(path, "logs"));
  const file = join(path, "logs", "agent.log");
  writeFileSync(file, line("old"));
  return { home, file };
}

test("following shows new lines until it is stopped", async (t) => {
  const { home, file } = oldLog(t);
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { message } of readLogs({ home, follow: stop.signal })) {
      seen.push(message);
      if (message === "old") appendFileSync(file, line("new") + '{"time":"t","level":"info","name":"n",');
      if (message === "new") appendFileSync(file, '"message":"split"}\n');
      if (message === "split") writeFileSync(file, line("x"));
      if (message === "x") stop.abort();
    }
  })();
  await reading;
  assert.deepEqual(seen, ["old", "new", "split", "x"]);
});

test("following a log loses no line when the log is rotated", async (t) => {
  const { home, file } = oldLog(t);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { message } of readLogs({ home, follow: stop.signal })) {
    seen.push(message);
    if (message === "old") {
      appendFileSync(file, line("last of the first file"));
      renameSync(file, `${file}.1`);
      writeFileSync(file, line("first of the next file, which is longer than what was read") + line("end"));
    }
    if (message === "end") stop.abort();
  }
  assert.deepEqual(seen, [
    "old",
    "last of the first file",
    "first of the next file, which is longer than what was read",
    "end",
  ]);
});

// req: plugins.debug-variable, logging.agent-log
test("plugin debugging logs everything about plugins twice, and nothing about the rest", async (t) => {
  const { home, open } = setUp(t);
  const output: string[] = [];
  await using log = open({ debugPlugins: (text) => void output.push(text) });
  log.child("plugins").debug("scanned user: 2 manifests");
  log.child("plugins").child("weather").info("hello sk-secret");
  log.child("engine").debug("quiet");
  await log.flush();
  assert.deepEqual(output, ["[plugins] DEBUG scanned user: 2 manifests", "[plugins] INFO weather: hello ***"]);
  assert.deepEqual(
    (await all(readLogs({ home }))).map(({ level }) => level),
    ["debug", "info"],
  );
});
