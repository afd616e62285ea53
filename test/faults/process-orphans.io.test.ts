import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Stopwatch } from "../../src/testing/stopwatch.ts";
import { waitFor, withTimeout } from "../../src/testing/wait-for.ts";

const onLinux = process.platform === "linux" ? {} : { skip: "looks into /proc" };
const BACKEND = new URL("../../plugins/terminal-local/local-backend.ts", import.meta.url).href;

/**
 * An agent with a command, one beside it, one in the background and a daemon. It prints a line when all of them run.
 */
const AGENT = `
import { LocalBackend } from ${JSON.stringify(BACKEND)};
const log = { debug() {}, info() {}, warning() {}, error() {}, child: () => log };
const { signal } = new AbortController();
const [mark, made] = process.argv.slice(1);
const terminal = await new LocalBackend({ auto_source_bashrc: false }, log).open({ key: "task" }, signal);
await terminal.spawn("(setsid sleep " + mark + " &); sleep " + mark, {});
const options = { signal, timeoutMs: 600_000 };
void terminal.run("(setsid sleep " + mark + " &); sleep " + mark + "; touch " + made, options);
void terminal.run("sleep " + mark + "; touch " + made, { ...options, beside: true });
void terminal.run("sleep " + mark, { ...options, beside: true });
process.on("message", () => process.exit(0));
`;

// req: R-21, terminal.auto-cleanup
test(
  "row 6: kill -9 of the agent leaves no orphan after two seconds, and running tools do nothing more",
  onLinux,
  async () => {
    await agent(async (child, mark, made, pipes) => {
      child.kill("SIGKILL");
      await withTimeout(once(child, "exit"), { what: "the process exits" });
      const watch = new Stopwatch();
      while (sleepers(mark).length > 0 || left(pipes).length > 0) {
        watch.assertWithin(2_000, "cleaning up");
        await wait(20);
      }
      assert.equal(existsSync(made), false);
    });
  },
);

// req: R-21, process.registry
test("an agent that exits while everything runs takes all its processes with it", onLinux, async () => {
  await agent(async (child, mark, made, pipes) => {
    child.send("end");
    const [code] = (await withTimeout(once(child, "exit"), { what: "the process exits" })) as [number];
    assert.equal(code, 0);
    await waitFor(() => sleepers(mark).length === 0 && left(pipes).length === 0);
    assert.equal(existsSync(made), false);
  });
});

/** Files left, except the terminals' folder, which all agents of this user share. */
function left(pipes: string): readonly string[] {
  try {
    return readdirSync(pipes, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && /^hermes-terminals-\d+$/.test(entry.name) ? [] : [entry.name],
    );
  } catch {
    return ["a folder that is just being removed"];
  }
}

async function agent(
  use: (child: ReturnType<typeof spawn>, mark: string, made: string, pipes: string) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "process-orphans-"));
  const pipes = mkdtempSync(join(directory, "pipes-"));
  const mark = `400.${Math.floor(Math.random() * 1e9)}1`;
  const made = join(directory, "made");
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", "--input-type=module", "-e", AGENT, mark, made],
    { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, TMPDIR: pipes } },
  );
  try {
    await waitFor(() => sleepers(mark).length === 6);
    await use(child, mark, made, pipes);
  } finally {
    child.kill("SIGKILL");
    for (const pid of sleepers(mark)) process.kill(pid, "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

function sleepers(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      if (!(pid > 0)) return false;
      try {
        const [program = "", argument = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return program.endsWith("sleep") && argument === mark;
      } catch {
        return false; // The process ended between listing and reading.
      }
    });
}
