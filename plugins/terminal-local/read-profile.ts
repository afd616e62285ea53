import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "hermes-agent/plugin";
import { profileEnvironment } from "./child-environment.ts";

// Whatever the files do, even `exit`, the environment they left is printed at the end.
const READ = "trap 'env -0 >&3' EXIT; exec 3>&1 >/dev/null 2>&1 </dev/null; for f; do . \"$f\"; done";

/**
 * Reads the environment that the user's start-up files set, once in a separate shell: a slow profile costs one command,
 * not each. Leaves credentials out. Reports and ignores a file that hangs or fails.
 */
export function readProfile(
  files: readonly string[],
  environment: Record<string, string>,
  log: Logger,
): Promise<Record<string, string>> {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) return Promise.resolve(environment);
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["--norc", "--noprofile", "-c", READ, "bash", ...present],
      { env: environment, timeout: 10_000, killSignal: "SIGKILL", maxBuffer: 1 << 20, encoding: "utf8" },
      (error, printed) => {
        const read = profileEnvironment(printed);
        if (read["PATH"] === undefined) {
          log.warning(
            `Cannot read the shell start-up files ${present.join(", ")} could not be read; commands run without them.`,
            {
              cause: error,
            },
          );
          resolve(environment);
        } else {
          resolve({ ...environment, ...read });
        }
      },
    );
  });
}

/** Files to read when the user names none. */
export function usualProfiles(home: string): readonly string[] {
  return [".profile", ".bash_profile", ".bashrc"].map((name) => join(home, name));
}
