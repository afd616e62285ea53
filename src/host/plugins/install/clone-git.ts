import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { runProgram, type ProgramRun } from "./run-program.ts";

/** Runs nothing of a repository, and asks for no password. */
const SAFE = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "init.templateDir=",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "submodule.recurse=false",
];

/**
 * Fetches the newest commit of a repository, or that of a branch, tag or commit, as plain files.
 * @returns the commit.
 */
export async function cloneGit(
  { url, ref }: { readonly url: string; readonly ref?: string },
  clone: string,
  ports: Omit<ProgramRun, "cwd">,
): Promise<string> {
  const run: ProgramRun = {
    cwd: dirname(clone),
    signal: ports.signal,
    env: { ...ports.env, GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file" },
  };
  if (ref !== undefined && /^[0-9a-f]{40}$/.test(ref)) {
    await runProgram("git", [...SAFE, "init", "--quiet", clone], run);
    await runProgram("git", [...SAFE, "-C", clone, "fetch", "--quiet", "--depth", "1", "--", url, ref], run);
    await runProgram("git", [...SAFE, "-C", clone, "checkout", "--quiet", "FETCH_HEAD"], run);
  } else {
    await runProgram(
      "git",
      [
        ...SAFE,
        "clone",
        "--quiet",
        "--depth",
        "1",
        "--no-tags",
        ...(ref === undefined ? [] : ["--branch", ref]),
        "--",
        url,
        clone,
      ],
      run,
    );
  }
  const commit = (await runProgram("git", [...SAFE, "-C", clone, "rev-parse", "HEAD"], run)).trim();
  rmSync(`${clone}/.git`, { recursive: true, force: true });
  return commit;
}
