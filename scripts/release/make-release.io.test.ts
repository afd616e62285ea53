import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { makeRelease, type ReleaseOptions } from "./make-release.ts";

test("commits the version and the changelog, and tags the commit with the changelog section", (t) => {
  const { git, read, release, checked } = repository(t);
  assert.equal(release({ wanted: "minor" }), "0.2.0");
  assert.deepEqual(checked, ["0.2.0 with 0.2.0"]);
  assert.equal(git("status", "--porcelain"), "");
  assert.equal(git("log", "--format=%s", "-1", "v0.2.0"), "release: 0.2.0");
  assert.equal(git("tag", "--list", "--format=%(contents)", "v0.2.0"), "0.2.0\n\n### Added\n\n- New.");
  assert.match(read("CHANGELOG.md"), /^## 0\.2\.0 \(2026-12-01\)$/m);
  assert.match(read("package-lock.json"), /"version": "0\.2\.0"[^]*"version": "0\.2\.0"/);
  assert.throws(() => release({ wanted: "patch" }), /has no unreleased section/);
});

test("releases the current version if it has no tag, and refuses it afterwards", (t) => {
  const { release } = repository(t);
  assert.equal(release({ wanted: "0.1.0" }), "0.1.0");
  assert.throws(() => release({ wanted: "0.1.0" }), /0\.1\.0 is not newer/);
});

test("changes nothing in a dry run, or if the package check fails", (t) => {
  const { git, release, reported } = repository(t);
  const before = git("rev-parse", "HEAD");
  const nothing = () =>
    assert.deepEqual([git("status", "--porcelain"), git("rev-parse", "HEAD"), git("tag")], ["", before, ""]);
  assert.equal(release({ wanted: "patch", dryRun: true }), "0.1.1");
  assert.match(reported.join("\n"), /Would commit and tag v0\.1\.1[^]*- New\./);
  nothing();
  const fail = () => {
    throw new Error("does not start");
  };
  assert.throws(() => release({ wanted: "patch", checkPackage: fail }), /does not start/);
  nothing();
});

test("refuses a tree with changes, a tag that exists, and placeholders", (t) => {
  const { git, write, release, reported } = repository(t);
  write("new.txt", "");
  assert.throws(() => release({ wanted: "patch" }), /The working tree has changes[^]*new\.txt/);
  git("add", "new.txt");
  git("commit", "-qm", "new");
  git("tag", "v0.1.1");
  assert.throws(() => release({ wanted: "patch" }), /The tag v0\.1\.1 exists/);
  write("SECURITY.md", "Write to security@hermes.example.\n");
  git("commit", "-qam", "placeholder");
  assert.throws(() => release({ wanted: "minor" }), /SECURITY\.md: security@hermes\.example/);
  assert.equal(release({ wanted: "minor", dryRun: true }), "0.2.0");
  assert.match(reported.join("\n"), /SECURITY\.md: security@hermes\.example/);
});

function repository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "hermes-release-test-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@t.invalid", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  git("init", "-q");
  git("config", "user.name", "T");
  git("config", "user.email", "t@t.invalid");
  write("package.json", '{\n  "name": "x",\n  "version": "0.1.0"\n}\n');
  write(
    "package-lock.json",
    `${JSON.stringify({ name: "x", version: "0.1.0", packages: { "": { version: "0.1.0" } } }, null, 2)}\n`,
  );
  write("CHANGELOG.md", "# Changelog\n\n## 0.1.0 (unreleased)\n\n### Added\n\n- New.\n");
  write("SECURITY.md", "Write to us.\n");
  write("CODE_OF_CONDUCT.md", "Be kind.\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const checked: string[] = [];
  const reported: string[] = [];
  const checkPackage = (version: string): void => {
    const { version: written } = JSON.parse(read("package.json")) as { readonly version: string };
    checked.push(`${version} with ${written}`);
  };
  const release = (options: Pick<ReleaseOptions, "wanted"> & Partial<ReleaseOptions>): string =>
    makeRelease({
      root,
      dryRun: false,
      date: "2026-12-01",
      checkPackage,
      report: (line) => reported.push(line),
      ...options,
    });
  return { git, read, write, release, checked, reported };
}
