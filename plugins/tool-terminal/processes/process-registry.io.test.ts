import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Process } from "hermes-agent/plugin";
import { quietLog, withTimeout } from "hermes-agent/testing";
import { OutputLog, readLog } from "./output-log.ts";
import { identityOf } from "./process-identity.ts";
import { ProcessRegistry } from "./process-registry.ts";
import { ProcessTable, type ProcessRow } from "./process-table.ts";
import { PsCommand } from "./ps-command.ts";
import { noPlaces } from "../testing/no-backends.ts";

const HOUR_MS = 3_600_000;

/** A process whose end is called for. */
function one(): { readonly process: Process; end(): void } {
  const { promise, resolve } = Promise.withResolvers<Awaited<Process["ended"]>>();
  const nothing = async () => {};
  return {
    process: {
      pid: undefined,
      output: () => ({ text: "", droppedBytes: 0 }),
      write: nothing,
      end: nothing,
      kill: async () => resolve({ endedBy: "killed" }),
      ended: promise,
      onOutput: () => ({ [Symbol.dispose]() {} }),
    },
    end: () => resolve({ endedBy: "exit", exitCode: 0 }),
  };
}

const ABOUT = {
  command: "x",
  cwd: "/",
  taskId: "t",
  sessionId: "s",
  backend: "docker",
  here: false,
  notifyOnComplete: false,
  report: async () => {},
  untrusted: null,
  watchPatterns: [],
};

// req: process.registry
test("keeps 64 processes; the one that ended first is dropped, never a running one", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "registry-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const registry = new ProcessRegistry({
    log: quietLog(),
    table: new ProcessTable(home),
    mask: (text) => text,
    graceMs: () => 2_000,
    reach: noPlaces,
  });
  const all = Array.from({ length: 64 }, () => one());
  const [first, second] = all.map(({ process }) => registry.add(process, { ...ABOUT, ...registry.next() }));
  assert.equal(registry.full, true);
  all[1]!.end();
  await all[1]!.process.ended;
  assert.equal(registry.full, false);
  const of = { taskId: "t", sessionId: "s" };
  assert.equal(registry.get(first!.id, of)?.end, undefined);
  assert.equal(registry.list(of).filter(({ end }) => end === undefined).length, 63);
  // An entry that made room is still in the table.
  assert.deepEqual([registry.get(second!.id, of)?.end?.exitCode, registry.get(second!.id, of)?.detached], [0, true]);
  await registry.endAll();
});

test("deletes ended processes and their files after a day, those with a pending notice after thirty", (t) => {
  const home = mkdtempSync(join(tmpdir(), "table-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const table = new ProcessTable(home);
  const now = Date.now();
  const owner = identityOf(process.pid)!;
  const row = (digit: string, endedAt: number | null, notify: ProcessRow["notify"] = null): ProcessRow => ({
    id: `proc_${digit.repeat(12)}`,
    command: "x",
    cwd: "/",
    backend: "local",
    sessionId: "s",
    taskId: "t",
    pid: 1,
    identity: null,
    owner,
    startedAt: now - 900 * HOUR_MS,
    kept: false,
    end: endedAt === null ? null : { at: endedAt, exitCode: 0, reason: "exited", source: "" },
    notify,
    refusal: null,
  });
  const rows = [
    row("a", null),
    row("b", now - 23 * HOUR_MS),
    row("c", now - 25 * HOUR_MS),
    row("d", now - 25 * HOUR_MS, { foreign: null }),
    row("e", now - 721 * HOUR_MS, { foreign: null }),
  ];
  for (const each of rows) {
    table.write(each);
    appendFileSync(table.logFile(each.id), "words\n");
    appendFileSync(table.exitFile(each.id), "0\n");
  }
  assert.deepEqual(
    table.all().map(({ id }) => id[5]),
    ["a", "b", "d"],
  );
  assert.deepEqual(
    table.untold("s").map(({ id }) => id[5]),
    ["d"],
  );
  for (const { id } of [rows[2]!, rows[4]!])
    assert.equal(existsSync(table.logFile(id)) || existsSync(table.exitFile(id)), false);
});

test("ignores an exit code that was not written completely", (t) => {
  const home = mkdtempSync(join(tmpdir(), "table-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const table = new ProcessTable(home);
  const id = "proc_0123456789ab";
  assert.equal(table.left(id), undefined);
  appendFileSync(table.exitFile(id), "13");
  assert.equal(table.left(id), undefined);
  appendFileSync(table.exitFile(id), "7\n");
  assert.equal(table.left(id)?.exitCode, 137);
});

// req: R-24, process.registry
test(
  "with a reused PID, the row is lost, and the other program is neither listed nor stopped",
  { skip: process.platform === "linux" ? false : "processes of others are only seen through /proc" },
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), "reused-"));
    const unknownProgram = spawn("sleep", ["300"], { stdio: "ignore" });
    t.after(() => {
      unknownProgram.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    });
    const table = new ProcessTable(home);
    const id = "proc_aaaaaaaaaaaa";
    const { born } = identityOf(unknownProgram.pid!)!;
    const before = born.replace(/\d+$/, (started) => String(Number(started) - 1));
    table.write({
      id,
      command: "server",
      cwd: "/",
      backend: "local",
      sessionId: "s",
      taskId: "t",
      pid: unknownProgram.pid!,
      identity: { pid: unknownProgram.pid!, born: before },
      owner: { pid: 1, born: before },
      startedAt: Date.now(),
      kept: true,
      end: null,
      notify: null,
      refusal: null,
    });
    const registry = new ProcessRegistry({
      log: quietLog(),
      table,
      mask: (text) => text,
      graceMs: () => 2_000,
      reach: noPlaces,
    });
    const [found] = registry.list({ taskId: "t", sessionId: "s" });
    assert.deepEqual([found?.id, found?.end?.reason, found?.end?.exitCode], [id, "lost", null]);
    const ps = new PsCommand(table, (text) => text, 2_000, noPlaces);
    assert.equal(await ps.slash(""), "No processes are running.");
    assert.match(await ps.slash("all"), /^proc_aaaaaaaaaaaa {2}lost/m);
    await assert.rejects(ps.slash(`stop ${id}`), /has already ended/);
    assert.equal(unknownProgram.exitCode, null);
    process.kill(unknownProgram.pid!, 0);
  },
);

test(
  "a stopped process gets the configured grace period",
  { skip: process.platform === "linux" ? false : "a process's tree is only seen through /proc" },
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), "grace-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const child = spawn(
      "bash",
      [
        "-c",
        `exec 8<> <(:); trap 'read -t 3 -u 8; echo saved; exit' TERM; echo ready; while :; do read -t 1 -u 8; done`,
      ],
      { stdio: ["ignore", "pipe", "ignore"], detached: true },
    );
    let message = "";
    child.stdout.on("data", (bytes: Buffer) => void (message += bytes.toString()));
    await withTimeout(once(child.stdout, "data"), { what: "the process prints a line" });
    const closed = once(child, "close");
    const registry = new ProcessRegistry({
      log: quietLog(),
      table: new ProcessTable(home),
      mask: (text) => text,
      graceMs: () => 60_000,
      reach: noPlaces,
    });
    const entry = registry.add({ ...one().process, pid: child.pid! }, { ...ABOUT, ...registry.next(), here: true });
    await registry.stop(entry, "person");
    await closed;
    assert.equal(message, "ready\nsaved\n");
    await registry.endAll();
  },
);

test("stores a process's output with secrets masked, wherever the chunks were cut", (t) => {
  const home = mkdtempSync(join(tmpdir(), "log-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const log = new OutputLog(join(home, "log"), (text) => text.replaceAll("CANARY", "***"));
  for (const piece of ["begin CAN", "ARY\nthe CANARY", " again\nno end CANA", "RY"]) log.push(piece);
  log.close();
  assert.equal(readLog(join(home, "log")), "begin ***\nthe *** again\nno end ***");
});

// req: R-24
test("refuses to keep a process whose environment ends with its task, with a hint", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "registry-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const registry = new ProcessRegistry({
    log: quietLog(),
    table: new ProcessTable(home),
    mask: (text) => text,
    graceMs: () => 2_000,
    reach: noPlaces,
  });
  const { process } = one();
  const entry = registry.add(process, { ...ABOUT, backend: "modal", ...registry.next() });
  const ps = new PsCommand(new ProcessTable(home), (text) => text, 2_000, noPlaces);
  await assert.rejects(ps.slash(`keep ${entry.id}`), {
    message: `Cannot keep ${entry.id}: The terminal backend "modal" ends with its task, and its processes end with it. Keep its agent running, or start the process on this machine, in a container or over ssh.`,
  });
  assert.equal(entry.persistent, false);
  await registry.endAll();
});

test("lists processes on an unreachable remote host, and gives them up after thirty days", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "registry-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const table = new ProcessTable(home);
  const owner = { ...identityOf(process.pid)!, pid: 2 ** 22 + 1 };
  const row = (digit: string, hours: number): ProcessRow => ({
    id: `proc_${digit.repeat(12)}`,
    command: "serve",
    cwd: "/",
    backend: "ssh",
    sessionId: "s",
    taskId: "t",
    pid: 71,
    identity: null,
    owner,
    startedAt: Date.now() - hours * HOUR_MS,
    kept: true,
    grip: { where: "host:22", folder: "/tmp/hermes-terminal-00", pid: 71, mark: "00.1." },
    end: null,
    notify: null,
    refusal: null,
  });
  for (const each of [row("a", 719), row("b", 721)]) table.write(each);
  const ps = new PsCommand(table, (text) => text, 2_000, noPlaces);
  assert.match(await ps.slash(""), /^.*\nproc_a{12} +kept +71 +- +29d +ssh +s +serve$/);
  assert.doesNotMatch(await ps.slash("all"), /proc_b/);
});

test("an old refusal does not count as an answer, and a new request keeps what the agent wrote meanwhile", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "registry-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const table = new ProcessTable(home);
  const row: ProcessRow = {
    id: "proc_aaaaaaaaaaaa",
    command: "serve",
    cwd: "/",
    backend: "docker",
    sessionId: "s",
    taskId: "t",
    pid: 71,
    identity: null,
    owner: identityOf(process.pid)!,
    startedAt: Date.now(),
    kept: false,
    end: null,
    notify: null,
    refusal: "Not now.",
  };
  table.write(row);
  // The agent of the process: it accepts a request and carries it out later.
  using agent = new ProcessTable(home);
  agent.listen((id, request) => {
    if (!agent.isAsked(id, request)) return;
    agent.write({ ...row, refusal: null });
    if (agent.withdraw(id, request)) setTimeout(() => agent.write({ ...row, refusal: null, kept: true }), 100);
  });
  assert.match(
    await new PsCommand(table, (text) => text, 2_000, noPlaces).slash(`keep ${row.id}`),
    /will continue after its agent ends/,
  );
  // It ends just after it was looked up.
  table.write(row);
  class Late extends ProcessTable {
    override ask(): void {
      agent.write({ ...row, end: { at: Date.now(), exitCode: 3, reason: "exited", source: "" } });
    }
  }
  await assert.rejects(
    new PsCommand(new Late(home), (text) => text, 2_000, noPlaces).slash(`keep ${row.id}`),
    /has ended/,
  );
  assert.equal(table.read(row.id)?.end?.exitCode, 3);
});
