import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** An environment with published packages, or the reason why there is none. */
export interface Fetched {
  readonly environment?: string;
  readonly reason: string;
}

/**
 * Fetches published packages without their declared dependencies, then the needed ones, with the standard client of
 * Python's index.
 */
export function fetchPackages(packages: readonly string[], needs: readonly string[]): Fetched {
  return fetched(`python-${digestOf([...packages, ...needs])}-v2`, (made) => {
    const pip = (...args: readonly string[]) =>
      args.length === 0 ? undefined : run(join(made, "bin/pip"), ["install", "-q", ...args]);
    return [
      () => run("python3", ["-m", "venv", made]),
      () => (packages.length === 0 ? undefined : pip("--no-deps", ...packages)),
      () => pip(...needs),
    ];
  });
}

/** Fetches packages with their dependencies with the standard client of Node's registry, without their scripts. */
export function fetchNodePackages(packages: readonly string[]): Fetched {
  return fetched(`node-${digestOf(packages)}-v1`, (made) => [
    () =>
      run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
        cwd: made,
      }),
  ]);
}

/** Once for all runs of this user; a test that gets a reason skips with it. */
function fetched(name: string, stepsIn: (made: string) => readonly (() => Ran | undefined)[]): Fetched {
  // Never a folder that other users may write to: the tests run what is in it.
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  const cache = join(isAbsolute(named) ? named : join(homedir(), ".cache"), "hermes-agent/test-packages");
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const place = join(cache, name);
  if (existsSync(place)) return { environment: place, reason: "" };
  // A concurrent run may do the same: each makes its own, and one of them stays.
  const made = mkdtempSync(`${place}.`);
  const failed = stepsIn(made)
    .values()
    .map((step) => step())
    .find((step) => step !== undefined && step.status !== 0);
  try {
    if (failed === undefined) renameSync(made, place);
  } catch {
    // The other run was first.
  }
  rmSync(made, { recursive: true, force: true });
  return failed === undefined
    ? { environment: place, reason: "" }
    : {
        reason: `the packages cannot be fetched: ${(failed.stderr ?? String(failed.error)).trim().split("\n").at(-1)}`,
      };
}

type Ran = Pick<SpawnSyncReturns<string>, "status" | "stderr" | "error">;

function run(program: string, args: readonly string[], options: { readonly cwd?: string } = {}): Ran {
  return spawnSync(program, args, { encoding: "utf8", timeout: 240_000, ...options });
}

function digestOf(packages: readonly string[]): string {
  return createHash("sha256").update(packages.join()).digest("hex").slice(0, 12);
}
