import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { UserError } from "../../contract/common/failure.ts";
import { programRoot } from "./installation.ts";
import { isNewer } from "./package-update.ts";
import { createUpdateService } from "./update-service.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const noGit = has("git") ? false : "git is not installed";
const noNpm = has("npm") ? false : "npm is not installed";

/** A folder with a home for git and npm, in which no setting of the user counts. */
function scene() {
  const folder = mkdtempSync(join(tmpdir(), "hermes-update-"));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  mkdirSync(at("home"));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    HOME: at("home"),
    GIT_CONFIG_NOSYSTEM: "1",
    npm_config_cache: at("npm-cache"),
    // Nothing listens there: the tests use packed files only.
    npm_config_fetch_retries: "0",
    npm_config_registry: "http://127.0.0.1:9/",
  };
  const run = (program: string, args: readonly string[], cwd = folder): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    assert.equal(status, 0, `${program} ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  return {
    at,
    env,
    run,
    git: (cwd: string, ...args: readonly string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], cwd),
    service: (root: string) =>
      createUpdateService({
        root,
        saved: at("saved"),
        version: "0.1.0",
        now: () => 0,
        env,
        signal: new AbortController().signal,
      }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the program of one version: `--version` prints it, or fails. */
function writeProgram(folder: string, version: string, works = true): void {
  mkdirSync(join(folder, "dist"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "hermes-agent-ts", version, bin: { hermes: "dist/hermes.cjs" }, files: ["dist"] }),
  );
  writeFileSync(
    join(folder, "dist/hermes.cjs"),
    `#!/usr/bin/env node\nif (${!works}) { console.error("broken build"); process.exit(70); }\nconsole.log("hermes-agent ${version}");\n`,
  );
  writeFileSync(
    join(folder, "hermes"),
    `#!/bin/sh\n${works ? `echo "hermes-agent ${version}"` : 'echo "broken build" >&2; exit 70'}\n`,
  );
  chmodSync(join(folder, "hermes"), 0o755);
}

function cloneScene() {
  const made = scene();
  const { at, git } = made;
  const release = (version: string, works = true): void => {
    writeProgram(at("source"), version, works);
    git(at("source"), "add", "-A");
    git(at("source"), "commit", "-qm", `release: version ${version}`);
    git(at("source"), "push", "-q", "origin", "main");
  };
  mkdirSync(at("source"));
  git(at("source"), "init", "-q", "-b", "main");
  git(made.at(), "init", "-q", "--bare", "-b", "main", at("remote.git"));
  git(at("source"), "remote", "add", "origin", at("remote.git"));
  release("0.1.0");
  git(made.at(), "clone", "-q", at("remote.git"), at("clone"));
  const version = (): string => made.run("./hermes", [], at("clone"));
  return { ...made, release, version, clone: at("clone"), update: made.service(at("clone")) };
}

// field: C12
test("a clone lists new commits, updates to them, and rolls back", { skip: noGit }, async () => {
  using one = cloneScene();
  assert.equal((await one.update.check()).newer, false);
  assert.equal((await one.update.apply()).unchanged, true);
  await assert.rejects(one.update.rollback(), /There is no update to take back/);
  one.release("0.2.0");
  const found = await one.update.check();
  assert.deepEqual([found.kind, found.newer, found.count], ["clone", true, 1]);
  assert.match(found.changes[0] ?? "", /^[0-9a-f]+ release: version 0\.2\.0$/);
  assert.equal(one.version(), "hermes-agent 0.1.0"); // A look changes nothing.
  const done = await one.update.apply();
  assert.deepEqual([done.unchanged, done.version, one.version()], [false, "hermes-agent 0.2.0", "hermes-agent 0.2.0"]);
  const back = await one.update.rollback();
  assert.deepEqual([back.to, back.version, one.version()], [done.from, "hermes-agent 0.1.0", "hermes-agent 0.1.0"]);
  // A rollback can be taken back in turn.
  assert.equal((await one.update.rollback()).version, "hermes-agent 0.2.0");
});

test("a clone with uncommitted changes or its own commits is not updated", { skip: noGit }, async () => {
  using one = cloneScene();
  one.release("0.2.0");
  writeFileSync(join(one.clone, "package.json"), "mine");
  await assert.rejects(one.update.apply(), (error: UserError) => {
    assert.match(error.message, /has uncommitted changes \(package\.json\)\. Nothing was changed/);
    assert.match(error.hint ?? "", /Commit or stash/);
    return true;
  });
  assert.equal(readFileSync(join(one.clone, "package.json"), "utf8"), "mine");
  one.git(one.clone, "commit", "-qam", "mine");
  const before = one.git(one.clone, "rev-parse", "HEAD");
  await assert.rejects(one.update.apply(), /has 1 commit that origin\/main does not have/);
  assert.equal(one.git(one.clone, "rev-parse", "HEAD"), before);
});

test("a clone returns to its commit if the new version does not start", { skip: noGit }, async () => {
  using one = cloneScene();
  one.release("0.2.0", false);
  await assert.rejects(one.update.apply(), /does not start, so the update was taken back: [^]*broken build/);
  assert.equal(one.version(), "hermes-agent 0.1.0");
  assert.equal(one.git(one.clone, "status", "--porcelain"), "");
});

test("a clone follows another branch of its remote only by a valid name", { skip: noGit }, async () => {
  using one = cloneScene();
  one.git(one.at("source"), "checkout", "-q", "-b", "next");
  writeProgram(one.at("source"), "0.3.0");
  one.git(one.at("source"), "commit", "-qam", "next");
  one.git(one.at("source"), "push", "-q", "origin", "next");
  assert.equal((await one.update.check()).newer, false);
  await assert.rejects(one.update.check({ branch: "--upload-pack=touch x" }), /is not a branch name/);
  await assert.rejects(one.update.check({ branch: "gone" }), /fetch failed/);
  assert.equal((await one.update.apply({ branch: "next" })).version, "hermes-agent 0.3.0");
});

function packageScene() {
  const made = scene();
  const pack = (version: string, works = true): string => {
    const source = made.at(`source-${version}`);
    writeProgram(source, version, works);
    made.run("npm", ["pack", "--silent", "--pack-destination", made.at()], source);
    return made.at(`hermes-agent-ts-${version}.tgz`);
  };
  const prefix = made.at("prefix");
  made.run("npm", ["install", "--global", "--prefix", prefix, "--ignore-scripts", pack("0.1.0")]);
  const root = join(prefix, "lib/node_modules/hermes-agent-ts");
  const version = (): string => made.run(join(prefix, "bin/hermes"), ["--version"]);
  return { ...made, pack, root, version, update: made.service(root) };
}

test(
  "an installed package is updated from a packed file, and rolled back without a network",
  { skip: noNpm },
  async () => {
    using one = packageScene();
    const file = one.pack("0.2.0");
    const found = await one.update.check({ from: file });
    assert.deepEqual([found.kind, found.current, found.latest, found.newer], ["package", "0.1.0", "0.2.0", true]);
    assert.equal(one.version(), "hermes-agent 0.1.0");
    const done = await one.update.apply({ from: file });
    assert.deepEqual([done.from, done.to, one.version()], ["0.1.0", "0.2.0", "hermes-agent 0.2.0"]);
    assert.equal((await one.update.apply({ from: file })).unchanged, true);
    assert.equal((await one.update.rollback()).to, "0.1.0");
    assert.equal(one.version(), "hermes-agent 0.1.0");
    assert.equal((await one.update.rollback()).to, "0.2.0");
    assert.equal(one.version(), "hermes-agent 0.2.0");
  },
);

test(
  "a package that does not start, another package, and a registry that does not answer change nothing",
  { skip: noNpm },
  async () => {
    using one = packageScene();
    await assert.rejects(one.update.apply({ from: one.pack("0.2.0", false) }), /was taken back: [^]*broken build/);
    assert.equal(one.version(), "hermes-agent 0.1.0");
    await assert.rejects(one.update.check(), /npm view failed/);
    await assert.rejects(one.update.check({ from: "--registry=http://x" }), /neither a version nor a file/);
    await assert.rejects(one.update.check({ branch: "main" }), /--branch is only for a clone/);
    const other = one.at("other");
    mkdirSync(other);
    writeFileSync(join(other, "package.json"), JSON.stringify({ name: "left-pad", version: "9.0.0" }));
    one.run("npm", ["pack", "--silent", "--pack-destination", one.at()], other);
    await assert.rejects(one.update.check({ from: one.at("left-pad-9.0.0.tgz") }), /contains the package "left-pad"/);
    assert.equal(one.version(), "hermes-agent 0.1.0");
  },
);

test("finds the clone around a build in it, and the package around its code", () => {
  using one = scene();
  writeProgram(one.at("clone"), "0.1.0");
  mkdirSync(one.at("clone/.git"));
  const build = one.at("clone/.cache/build/1/dist/app");
  mkdirSync(build, { recursive: true });
  writeProgram(one.at("clone/.cache/build/1"), "0.1.0");
  assert.equal(programRoot(build), one.at("clone"));
  writeProgram(one.at("installed"), "0.1.0");
  rmSync(one.at("installed/hermes"));
  assert.equal(programRoot(one.at("installed/dist")), one.at("installed"));
  assert.ok(existsSync(programRoot(import.meta.dirname)));
});

test("compares versions with and without a preview suffix", () => {
  for (const [one, other] of [
    ["0.2.0", "0.1.9"],
    ["1.0.0", "0.99.0"],
    ["0.10.0", "0.9.0"],
    ["1.0.0", "1.0.0-beta.2"],
    ["1.0.0-beta.10", "1.0.0-beta.9"],
  ] as const) {
    assert.equal(isNewer(one, other), true, one);
    assert.equal(isNewer(other, one), false, other);
  }
  assert.equal(isNewer("1.0.0", "1.0.0"), false);
});
