import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, rmdir, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const LOCK_LIMIT_MS = 60_000;
/** A lock without a name after this long: its holder died while creating it. */
const NAMELESS_MS = 5_000;
/** No lock is held this long: another process has the number by now. */
const OLDEST_MS = 3_600_000;

/** One at a time, of all agents of this home. A lock whose holder is gone does not count. */
export async function withFileLock<T>(path: string, use: () => Promise<T>): Promise<T> {
  const own = `${process.pid} ${randomUUID()}`;
  const until = performance.now() + LOCK_LIMIT_MS;
  while (!(await take(path, own))) {
    if (performance.now() > until)
      throw new Error(`another agent has locked the same files for ${LOCK_LIMIT_MS / 1_000} s`);
    await clear(path);
    // A file has nothing that tells when it goes.
    await wait(50);
  }
  try {
    return await use();
  } finally {
    if ((await contentOf(path)) === own) await rm(path, { force: true });
  }
}

async function take(path: string, own: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(own).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Takes a left lock away. One does so at a time and looks again first: what another took meanwhile stays. */
async function clear(path: string): Promise<void> {
  if (!(await isLeft(path))) return;
  const clearing = `${path}.clearing`;
  try {
    await mkdir(clearing, { mode: 0o700 });
  } catch {
    if ((await ageOf(clearing)) > LOCK_LIMIT_MS) await rmdir(clearing).catch(() => undefined); // Another was quicker.
    return;
  }
  try {
    if (await isLeft(path)) await rm(path, { force: true });
  } finally {
    await rmdir(clearing);
  }
}

async function isLeft(path: string): Promise<boolean> {
  const holder = Number.parseInt(await contentOf(path), 10);
  const age = await ageOf(path);
  return holder > 0 ? !alive(holder) || age > OLDEST_MS : age > NAMELESS_MS;
}

async function contentOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

/** 0 for what is not there any more. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
