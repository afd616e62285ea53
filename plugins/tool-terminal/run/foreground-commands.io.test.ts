import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog, waitFor } from "hermes-agent/testing";
import { ForegroundCommands } from "./foreground-commands.ts";
import { ProcessRegistry } from "../processes/process-registry.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { PsCommand } from "../processes/ps-command.ts";
import { noPlaces } from "../testing/no-backends.ts";

const ABOUT = { command: "make deploy TOKEN=abc", cwd: "/srv", backend: "ssh", taskId: "t", sessionId: "s" };
const mask = (text: string) => text.replaceAll("abc", "***");

// req: R-24
test("another process can list, follow and stop a remote foreground command, and it is not counted as a background one", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "foreground-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  using commands = new ForegroundCommands(new ProcessTable(home), quietLog(), mask);
  const elsewhere = new ProcessTable(home);
  const ps = new PsCommand(elsewhere, mask, 2_000, noPlaces);
  const command = commands.begin(ABOUT, async (pids) => pids.map((pid) => pid + 1));
  command.output("uploading with abc\n");
  await waitFor(() => elsewhere.all().length === 1);
  const [row] = elsewhere.all();
  assert.match(
    await ps.slash(""),
    new RegExp(`${row!.id} +command +- +- +\\d+s +ssh +s +make deploy TOKEN=\\*\\*\\*$`),
  );
  command.started(async () => [4711, 4712]);
  assert.match(
    await ps.slash(""),
    new RegExp(`${row!.id} +command +4711 +4712,4713 +\\d+s +ssh `),
    "ps asks for the child processes when it prints the list",
  );
  const registry = new ProcessRegistry({
    log: quietLog(),
    table: new ProcessTable(home),
    mask,
    graceMs: () => 2_000,
    reach: noPlaces,
  });
  const of = { taskId: "t", sessionId: "s" };
  assert.deepEqual([registry.list(of), registry.get(row!.id, of)], [[], undefined]);
  await assert.rejects(ps.slash(`keep ${row!.id}`), /not a background process/);
  const shown: string[] = [];
  const following = ps.cli({ action: "follow", id: row!.id }, {
    out: (text: string) => void shown.push(text),
    signal: new AbortController().signal,
  } as never);
  await waitFor(() => shown.join("").includes("uploading with ***"));
  command.stopped.addEventListener("abort", () => {
    command.output("given up\n");
    command[Symbol.dispose]();
  });
  assert.equal(await ps.slash(`stop ${row!.id}`), `Stopped ${row!.id}.`);
  await following;
  assert.equal(shown.join(""), "uploading with ***\ngiven up\n");
  assert.equal(await ps.slash("all"), "No processes are running.");
  await waitFor(() => readdirSync(join(home, "processes")).length === 0);
});

test("a command that ends at once leaves no entry", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "foreground-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  using commands = new ForegroundCommands(new ProcessTable(home), quietLog(), mask);
  commands.begin(ABOUT, async () => [])[Symbol.dispose]();
  assert.deepEqual(readdirSync(home), []);
});
