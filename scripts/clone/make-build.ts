/**
 * Makes the build that later starts of this clone use: `npm run build:clone`, and in the background of every start from
 * the sources. If it is
 * killed at any point, the clone stays unchanged: a build counts from the moment that `current.json` names it.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { constants, setPriority } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FIELDS, BUILDS, belongsToOwner, buildObstacle, matchingBuild, runtime, statesOf } from "./matching-build.cjs";

const ROOT = join(import.meta.dirname, "../..");
const builds = join(ROOT, BUILDS);
/**
 * A file that changes twice within one tick of the file system's clock (up to two seconds) has the same times. So a
 * build counts only if the
 * last change of every dependency is this much older than the start of the build.
 */
const SETTLE_MS = 2_000;
const BUILD_MS = 300_000;
/** A process that runs from a build touches it every twenty minutes: start.cjs. */
const UNUSED_MS = 3_600_000;
const NEWEST = 3;
const PART = "part-";

process.umask(0o022);
setPriority(constants.priority.PRIORITY_LOW);
await sleep(SETTLE_MS);
try {
  const obstacle = buildObstacle(ROOT);
  if (obstacle !== undefined) throw new Error(obstacle);
  makeOnce();
} catch (error) {
  console.error(`No build was made: ${messageOf(error)}`);
  process.exitCode = 1;
}

function makeOnce(): void {
  mkdirSync(builds, { recursive: true });
  if (!belongsToOwner(ROOT, builds)) throw new Error(`Other users can write ${builds}.`);
  const lock = join(builds, "lock");
  if (!take(lock)) throw new Error("Another process is making a build.");
  const failure = join(builds, "failure.txt");
  try {
    if (!("main" in matchingBuild(ROOT))) make();
    rmSync(failure, { force: true });
  } catch (error) {
    tryTo(() => writeFileSync(failure, `${messageOf(error)}\n`));
    throw error;
  } finally {
    rmSync(lock, { force: true });
    tryTo(dropUnused);
  }
}

function make(): void {
  const part = mkdtempSync(join(builds, PART));
  try {
    chmodSync(part, 0o755);
    const began = statSync(part).ctimeMs; // By the clock of the file system.
    bundle(part);
    const inputs = JSON.parse(readFileSync(join(part, "inputs.json"), "utf8")) as readonly string[];
    const states = statesOf(ROOT, inputs);
    const late = inputs.find((_, at) => states[at * FIELDS + 1]! > began - SETTLE_MS);
    if (late !== undefined) throw new Error(`${late} changed right before the build or during it.`);
    writeFileSync(join(part, "package.json"), builtManifest());
    for (const entry of globSync("**", { cwd: part, withFileTypes: true }))
      if (entry.isFile()) sync(join(entry.parentPath, entry.name));
    const id = `${Date.now().toString(36)}-${process.pid}`;
    renameSync(part, join(builds, id));
    const current = join(builds, "current.json");
    writeFileSync(`${current}.part`, JSON.stringify({ id, runtime: runtime(), inputs, states }));
    sync(`${current}.part`);
    renameSync(`${current}.part`, current);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

function bundle(part: string): void {
  const { status, error, stderr } = spawnSync(
    process.execPath,
    ["--conditions=hermes-source", join(ROOT, "scripts/build.ts"), "--clone", part],
    { cwd: ROOT, encoding: "utf8", timeout: BUILD_MS, stdio: ["ignore", "ignore", "pipe"] },
  );
  if (status === 0) return;
  const reason = stderr.split("\n").find((line) => /^\w*Error\b/.test(line)) ?? error?.message ?? "it was killed";
  throw new Error(
    /Cannot find (package|module|native binding).*rolldown|native binding/.test(stderr)
      ? "The bundler rolldown is not installed for this system."
      : reason,
  );
}

/** Modules of the build find each other by the package's name. They must not find the sources. */
function builtManifest(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"), (key, value: unknown) =>
    key === "hermes-source" ? undefined : value,
  );
  return JSON.stringify(manifest);
}

function sync(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Two builds at once would only cost twice as much. */
function take(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return true;
    } catch {
      if (isHeld(lock)) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function isHeld(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 2 * BUILD_MS) return false;
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch {
    return false; // Its process has ended, or the lock is gone.
  }
}

/** Keeps the newest of the older builds, and those that a process may use; removes all incomplete ones. */
function dropUnused(): void {
  const build = matchingBuild(ROOT);
  const current = "folder" in build ? basename(build.folder) : undefined;
  const unused = readdirSync(builds, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== current)
    .map(({ name }) => ({ name, at: statSync(join(builds, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .filter(({ name, at }, rank) => (rank >= NEWEST || name.startsWith(PART)) && Date.now() - at > UNUSED_MS);
  for (const { name } of unused) rmSync(join(builds, name), { recursive: true, force: true });
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // A full disk, for example: the next build tries again.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
