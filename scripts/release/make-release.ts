import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nextVersion, placeholdersIn, ReleaseError, releaseChangelog, setVersion } from "./plan.ts";

const CHANGED = ["package.json", "package-lock.json", "CHANGELOG.md"] as const;
const WITH_PLACEHOLDERS = ["package.json", "SECURITY.md", "CODE_OF_CONDUCT.md"];

export interface ReleaseOptions {
  readonly root: string;
  /** `patch`, `minor`, `major` or a version. */
  readonly wanted: string;
  readonly dryRun: boolean;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Throws if the package of this version cannot be packed, installed and started. */
  checkPackage(version: string): void;
  report(line: string): void;
}

/**
 * Sets the version, dates the changelog section, checks the package, commits and tags. Pushes and publishes nothing.
 * If a step fails, or with `dryRun`, the files are as they were before.
 * @returns The released version.
 */
export function makeRelease({ root, wanted, dryRun, date, checkPackage, report }: ReleaseOptions): string {
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const changes = git(root, "status", "--porcelain");
  if (changes !== "") throw new ReleaseError(`The working tree has changes. Commit or remove them:\n${changes}`);
  const placeholders = placeholdersIn(Object.fromEntries(WITH_PLACEHOLDERS.map((name) => [name, read(name)])));
  if (placeholders.length > 0) {
    const message = `Replace the placeholders (CONTRIBUTING.md, "Placeholders"):\n${placeholders.join("\n")}`;
    if (!dryRun) throw new ReleaseError(message);
    report(message);
  }

  const before = CHANGED.map(read);
  const current = (JSON.parse(before[0]!) as { readonly version: string }).version;
  const version = nextVersion(current, wanted, hasTag(root, current));
  if (hasTag(root, version)) throw new ReleaseError(`The tag v${version} exists.`);
  const changelog = releaseChangelog(before[2]!, version, date);
  const after = [setVersion(before[0]!, current, version), setVersion(before[1]!, current, version), changelog.text];

  let done = false;
  try {
    CHANGED.forEach((name, at) => writeFileSync(join(root, name), after[at]!));
    checkPackage(version);
    if (dryRun) {
      report(`Would commit and tag v${version} with these notes:\n\n${changelog.section}`);
      return version;
    }
    git(root, "commit", "--quiet", "-m", `release: ${version}`, "--", ...CHANGED);
    done = true;
    git(root, "tag", "--annotate", "--cleanup=verbatim", "-m", `${version}\n\n${changelog.section}`, `v${version}`);
  } finally {
    if (!done) CHANGED.forEach((name, at) => writeFileSync(join(root, name), before[at]!));
  }
  report(`Tagged v${version}. Publish it: git push --follow-tags`);
  return version;
}

function hasTag(root: string, version: string): boolean {
  return git(root, "tag", "--list", `v${version}`) !== "";
}

function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new ReleaseError(`git ${args[0]} failed: ${stderr || stdout}`);
  return stdout.trim();
}
