import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { OutgoingFiles, TakenFile } from "../../contract/conversation/outgoing-file.ts";
import { judgePath } from "../../safety/paths/paths.ts";
import { isPrivateFile } from "../../safety/secrets/secret-files.ts";
import { kindOfFile } from "./outgoing-kind.ts";

/** Where copies lie until they are sent, in the agent's home. */
const FOLDER = ["cache", "outgoing"] as const;
/** The largest file that any service accepts from a bot. */
const MAX_BYTES = 50_000_000;

export interface OutgoingPlaces {
  readonly home: string;
  readonly agentHome: string;
}

/**
 * Files that are sent to chats. Checks and copies the same open file, so that a file replaced later is not sent, and
 * a file deleted later still is.
 */
export function outgoingFiles({ home, agentHome }: OutgoingPlaces): OutgoingFiles {
  const folder = join(agentHome, ...FOLDER);
  return {
    async take(given, { cwd, made, voice, asDocument }): Promise<TakenFile> {
      const literal = given.startsWith("~/") ? join(home, given.slice(2)) : given;
      const refused = (reason: string): TakenFile => ({ ok: false, reason });
      if (!isAbsolute(literal)) return refused("its path is not absolute");
      const path = await realpath(literal).catch(() => undefined);
      if (path === undefined) return refused("there is no such file on this machine");
      const own = made.includes(given) || made.includes(path);
      const judged = judgePath({ path, literal, access: "read", home, agentHome });
      if (judged.answer !== "allow" || isPrivateFile(path) || isPrivateFile(literal)) return refused("it is protected");
      if (!own && !inWorkspace(path, await realpath(cwd).catch(() => cwd), { home, agentHome }))
        return refused("it is outside the workspace, and no tool of this conversation created it");
      const bytes = await bytesOf(path);
      if (typeof bytes === "string") return refused(bytes);
      const name = basename(path);
      const copy = join(folder, randomUUID(), name);
      try {
        await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
        await writeFile(copy, bytes, { mode: 0o600, flag: "wx" });
      } catch (cause) {
        await rm(dirname(copy), { recursive: true, force: true }).catch(() => undefined); // The next start removes it.
        return refused(`it could not be copied (${(cause as NodeJS.ErrnoException).code ?? "unknown"})`);
      }
      return { ok: true, file: { kind: kindOfFile(name, { voice, asDocument }), name, path: copy, source: path } };
    },
    async release(files) {
      for (const { path } of files)
        if (dirname(dirname(path)) === folder) await rm(dirname(path), { recursive: true, force: true });
    },
    async prune(beforeAt) {
      for (const name of await readdir(folder).catch(() => [])) {
        const one = join(folder, name);
        const { mtimeMs } = await stat(one).catch(() => ({ mtimeMs: 0 }));
        if (mtimeMs < beforeAt) await rm(one, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Below it, by names that are not hidden, and nothing of the agent's own. A folder that has all homes in it is no
 * workspace.
 */
function inWorkspace(path: string, cwd: string, { home, agentHome }: OutgoingPlaces): boolean {
  const way = wayFrom(cwd, path);
  return (
    way !== undefined &&
    wayFrom(cwd, home) === undefined &&
    wayFrom(agentHome, path) === undefined &&
    !way.split(sep).some((name) => name.startsWith("."))
  );
}

/** Whether a path is in a folder. */
function wayFrom(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

/** The content of exactly the file that was opened, or the reason why not. */
async function bytesOf(path: string): Promise<Uint8Array | string> {
  // Non-blocking: opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (cause: unknown) => (cause as NodeJS.ErrnoException).code ?? "it cannot be opened",
  );
  if (typeof file === "string") return `it cannot be read (${file})`;
  try {
    const { size, nlink } = await file.stat().then((found) => (found.isFile() ? found : { size: -1, nlink: 0 }));
    if (size < 0) return "it is not a regular file";
    // Linux names what was opened; elsewhere the way there is looked at once more.
    if ((await readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path).catch(() => undefined))) !== path)
      return "another file replaced it meanwhile";
    if (nlink > 1) return "it has a second name (hard link), which may be protected";
    if (size === 0) return "it is empty";
    return size > MAX_BYTES ? `it is larger than ${MAX_BYTES / 1_000_000} MB` : await file.readFile();
  } finally {
    await file.close();
  }
}
