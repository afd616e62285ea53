import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quietLog, waitFor } from "hermes-agent/testing";
import { reachThrough } from "../processes/detached-elsewhere.ts";
import { ProcessRegistry } from "../processes/process-registry.ts";
import { ProcessTable, type ProcessRow } from "../processes/process-table.ts";
import { PsCommand } from "../processes/ps-command.ts";
import { openElsewhere, type Elsewhere } from "./elsewhere.ts";

const AGENT = fileURLToPath(new URL("../../../test/faults/background-agent.ts", import.meta.url));
/** Echoes its input and counts. */
const TALKS =
  '(i=0; while sleep 0.1; do echo tick $((i+=1)); done) & while read -r l; do echo "got $l"; [ "$l" != end ] || break; done; { kill $!; wait $!; } 2>/dev/null; echo last words; exit 7';

/**
 * Kills an agent with three commands in a remote environment, of which two were kept; then finds, follows, writes to
 * and stops them without it.
 */
export async function outlivesItsAgent(
  place: Elsewhere,
  home = mkdtempSync(join(tmpdir(), "outlives-")),
): Promise<void> {
  const alone = `sleep ${process.pid}.71`;
  const child = `sleep ${process.pid}.72`;
  const { signal } = new AbortController();
  await using backend = await openElsewhere(place, home);
  const reach = reachThrough(async () => backend, signal);
  const table = new ProcessTable(home);
  const ps = new PsCommand(table, (text) => text, 2_000, reach);
  const agent = spawn(
    process.execPath,
    ["--conditions=hermes-source", AGENT, home, home, TALKS, `setsid ${child} & wait`, alone],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, AGENT_PLACE: JSON.stringify(place) } },
  );
  try {
    const [talks, waits, ended] = await started(agent);
    const row = (id: string): ProcessRow => table.read(id)!;
    const of = row(talks!);
    await until("its output arrives", async () => (await ps.slash(`follow ${talks}`)).includes("tick 3\n"));
    for (const id of [talks!, waits!])
      assert.equal(
        await ps.slash(`keep ${id}`),
        `${id} will continue after its agent ends. Stop it with: hermes ps stop ${id}`,
      );
    assert.equal(await ps.slash(`keep ${waits}`), `${waits} already outlives its agent.`);
    const before = await ps.slash(`follow ${talks}`);
    const gone = once(agent, "exit");
    agent.kill("SIGKILL");
    await gone;
    await until("a process that is not kept ends with its agent", () => !runs(alone));
    const list = await ps.slash("");
    assert.match(list, new RegExp(`^${talks} +kept +${row(talks!).pid} +- +\\d+s +${place.id} `, "m"));
    assert.match(list, new RegExp(`^${waits} +kept `, "m"));
    assert.ok(!list.includes(ended!) && runs(child));
    await until(
      "the kept process continues",
      async () => (await ps.slash(`follow ${talks}`)).length > before.length + 20,
    );
    const ticks = [...(await ps.slash(`follow ${talks}`)).matchAll(/tick (\d+)/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      ticks.slice(1),
      ticks.slice(1).map((_, at) => ticks[0]! + at + 1),
      "nothing of its output is missing or doubled",
    );

    // The next agent of that session.
    const registry = new ProcessRegistry({ log: quietLog(), table, mask: (text) => text, graceMs: () => 2_000, reach });
    const adopted = registry.get(talks!, of)!;
    assert.deepEqual([adopted.detached, adopted.persistent, adopted.end], [true, true, undefined]);
    await adopted.process.write("are you there\n");
    await until(
      "the process received the input",
      async () => (await adopted.process.refresh!(), adopted.process.output().text.includes("got are you there\n")),
    );
    await adopted.process.write("end\n");
    await adopted.process.ended;
    assert.deepEqual([adopted.end!.exitCode, adopted.end!.reason], [7, "exited"]);
    assert.match(adopted.process.output().text, /got end\n(?:tick \d+\n)?last words\n$/);

    assert.equal(await ps.slash(`stop ${waits}`), `Stopped ${waits}.`);
    assert.ok(!runs(child), "its child processes have ended");
    assert.deepEqual([row(waits!).end?.reason, row(waits!).end?.source], ["killed", "person"]);
    assert.equal(await ps.slash(""), "No processes are running.");
    await until("no process is left in the environment", () => spawnSync("pgrep", ["-f", `^${child}$`]).status === 1);
  } finally {
    agent.kill("SIGKILL");
    // Processes that a failed test kept would run forever.
    for (const { id } of table.all().filter(({ end }) => end === null)) await ps.slash(`stop ${id}`).catch(() => {});
    rmSync(home, { recursive: true, force: true });
  }
}

/** IDs of the processes that it started. */
async function started(agent: ChildProcess): Promise<readonly string[]> {
  let message = "";
  agent.stdout!.on("data", (bytes: Buffer) => void (message += bytes.toString("utf8")));
  await until("the agent has started its commands", () => message.includes("ready\n"));
  return message
    .split("\n")
    .slice(0, -2)
    .map((line) => (JSON.parse(line) as { readonly session_id: string }).session_id);
}

function runs(command: string): boolean {
  return spawnSync("pgrep", ["-fx", command]).status === 0;
}

/** Waits for what another process does. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(holds, { what });
}
