import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { holdsSecret, passwordIn } from "./secrets.ts";

export interface Hidden {
  /** The original variables, secrets included, for this process. */
  readonly variables: { readonly [name: string]: string | undefined };
  /**
   * Secrets that `/proc/<pid>/environ` shows to every process of this user, since the kernel did not let us wipe them.
   */
  readonly exposed: readonly string[];
}

/**
 * Takes the secrets out of the process's own environment. Without it any child reads them from
 * `/proc/<parent>/environ`, however clean its own environment is: deleting a variable forgets where it lies and leaves
 * it there. So the bytes are wiped where the kernel put them. A process that was started without secrets in its
 * environment pays for one look through the names.
 */
export function hideEnvironment(env: NodeJS.ProcessEnv): Hidden {
  const variables = { ...env };
  const message = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const secret = message.filter(([name]) => holdsSecret(name));
  const partly = message.filter(([name, value]) => !holdsSecret(name) && passwordIn(value) !== undefined);
  if (secret.length + partly.length === 0) return { variables, exposed: [] };
  const names = [...secret, ...partly].map(([name]) => name);
  const exposed = process.platform === "linux" && !wipe(names) ? names : [];
  for (const [name] of secret) delete env[name];
  // A proxy, or a name in `terminal.env_passthrough`: setting it again moves it to memory that only this process
  // uses.
  for (const [name, value] of partly) env[name] = value;
  return { variables, exposed };
}

/** Overwrites the values in the block of memory that `/proc/self/environ` shows. */
function wipe(names: readonly string[]): boolean {
  let memory: number | undefined;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The fields are counted from behind the program's name, which may hold blanks; env_start and env_end are the 50th
    // and 51st.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const start = Number(fields[47]);
    const length = Number(fields[48]) - start;
    if (!(start > 0 && length > 0 && length < 16_000_000)) return false;
    memory = openSync("/proc/self/mem", "r+");
    const block = Buffer.alloc(length);
    if (readSync(memory, block, 0, length, start) !== length) return false;
    for (let at = 0; at < length;) {
      const found = block.indexOf(0, at);
      const end = found === -1 ? length : found;
      const equals = block.indexOf(61, at);
      if (equals !== -1 && equals < end && names.includes(block.toString("utf8", at, equals)))
        writeSync(memory, Buffer.alloc(end - equals - 1), 0, end - equals - 1, start + equals + 1);
      at = end + 1;
    }
    const left = readFileSync("/proc/self/environ", "utf8").split("\0");
    return !left.some((entry) => names.some((name) => entry.startsWith(`${name}=`) && entry.length > name.length + 1));
  } catch {
    return false; // A kernel that forbids it; the caller tells.
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}
