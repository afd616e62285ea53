import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";

const AGENT = join(import.meta.dirname, "cycle-agent.ts");
const ROUNDS = 700;
/** Agents to kill, two at a time, and how many processes each had running. */
const CRASHES = 12;
const STARTED = 25;

// req: R-21
test(
  "1,000 cycles of starting, ending, cancelling and killing leave no process, descriptor or file",
  { skip: process.platform === "linux" ? false : "looks into /proc", timeout: 1_200_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "process-cycles-"));
    const mark = `400.${Math.floor(Math.random() * 1e9)}1`;
    try {
      const peaceful = start(folder, ["rounds", String(ROUNDS), mark]);
      const message: Buffer[] = [];
      peaceful.stdout!.on("data", (bytes: Buffer) => message.push(bytes));
      const crashes = crash(folder, mark);
      const [code] = (await once(peaceful, "close")) as [number];
      await crashes;
      assert.equal(code, 0, "it exits: nothing keeps it running");
      const fifth = ROUNDS / 5;
      assert.deepEqual(JSON.parse(Buffer.concat(message).toString()), {
        counts: { "run exit": fifth, "run cancelled": 2 * fifth, "spawn 3": fifth, "spawn killed": fifth },
        more: 0,
      });
      // A watchdog that found nothing to do may still be exiting.
      await until(
        () => ofAgents(folder, mark).length === 0 && left(folder).length === 0,
        () => `left: ${ofAgents(folder, mark).join(" ")} ${left(folder).join(" ")}`,
      );
    } finally {
      for (const pid of ofAgents(folder, mark)) process.kill(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Kills agents with everything they run, until none is left. */
async function crash(folder: string, mark: string): Promise<void> {
  for (let n = 0; n < CRASHES; n += 1) {
    const own = `${mark}${n}`;
    const agent = start(folder, ["crash", String(STARTED), own]);
    // Each command sleeps and has two grandchildren that sleep.
    await until(
      () => sleepers(own).length === STARTED * 3,
      () => `agent ${n} has ${sleepers(own).length} of ${STARTED * 3} processes`,
    );
    agent.kill("SIGKILL");
    await once(agent, "close");
    await until(
      () => sleepers(own).length === 0,
      () => `${sleepers(own).length} processes of killed agent ${n} are still there`,
    );
  }
}

function start(folder: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["--conditions=hermes-source", AGENT, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: folder },
  });
}

/** Files left, except the terminals' folder, which all agents of this user share. */
function left(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && /^hermes-terminals-\d+$/.test(entry.name) ? [] : [entry.name],
  );
}

/**
 * Agents, shells, watchdogs and everything else that uses this folder for its files or sleeps for this run's number of
 * seconds.
 */
function ofAgents(folder: string, mark: string): number[] {
  return pids().filter(
    (pid) =>
      contains(`/proc/${pid}/environ`, `TMPDIR=${folder}`) || sleeps(pid, (argument) => argument.startsWith(mark)),
  );
}

function sleepers(mark: string): number[] {
  return pids().filter((pid) => sleeps(pid, (argument) => argument === mark));
}

function sleeps(pid: number, fits: (argument: string) => boolean): boolean {
  const [program = "", argument = ""] = readMaybe(`/proc/${pid}/cmdline`).split("\0");
  return program.endsWith("sleep") && fits(argument);
}

function contains(file: string, text: string): boolean {
  return readMaybe(file).split("\0").includes(text);
}

function pids(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}

function readMaybe(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The process ended between listing and reading, or belongs to another user.
  }
}

async function until(holds: () => boolean, state: () => string): Promise<void> {
  await waitFor(holds, { state });
}
