import { spawnSync } from "node:child_process";
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
 * Python's index. Once for all runs of this user; a test that gets a reason skips with it.
 */
export function fetchPackages(packages: readonly string[], needs: readonly string[]): Fetched {
  // Never a folder that other users may write to: the tests run what is in it.
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  const cache = join(isAbsolute(named) ? named : join(homedir(), ".cache"), "hermes-agent/test-packages");
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const place = join(
    cache,
    `python-${createHash("sha256")
      .update([...packages, ...needs].join())
      .digest("hex")
      .slice(0, 12)}-v2`,
  );
  if (existsSync(place)) return { environment: place, reason: "" };
  // A concurrent run may do the same: each makes its own, and one of them stays.
  const made = mkdtempSync(`${place}.`);
  const run = (program: string, ...args: readonly string[]) =>
    spawnSync(program, args, { encoding: "utf8", timeout: 240_000 });
  const pip = (...args: readonly string[]) =>
    args.length === 0 ? undefined : run(join(made, "bin/pip"), "install", "-q", ...args);
  const steps = [() => run("python3", "-m", "venv", made), () => pip("--no-deps", ...packages), () => pip(...needs)];
  const failed = steps.map((step) => step()).find((step) => step !== undefined && step.status !== 0);
  try {
    if (failed === undefined) renameSync(made, place);
  } catch {
    // The other run was first.
  }
  rmSync(made, { recursive: true, force: true });
  return failed === undefined
    ? { environment: place, reason: "" }
    : { reason: `the packages cannot be fetched: ${String(failed.stderr).trim().split("\n").at(-1)}` };
}
