import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { RunInEnvironment } from "./remote-tree.ts";
import { syncTree } from "./sync-tree.ts";
import { SyncStates } from "./sync-state.ts";
import type { SyncedTree } from "./synced-tree.ts";
import { packTar } from "./tar.ts";

/** A start directory, an agent's home, and something outside of both. */
class Folders implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-tree-"));
  readonly here = join(this.folder, "here");
  readonly states = new SyncStates(join(this.folder, "agent/sandboxes/sync"));
  readonly tree: SyncedTree = {
    label: "the workspace",
    here: this.here,
    there: { folder: "~/workspace", marker: "mark", closed: false },
    parts: [],
    bothWays: true,
    secrets: new Set(),
    home: join(this.folder, "home"),
    agentHome: join(this.folder, "agent"),
  };

  constructor() {
    for (const name of ["here", "home", "agent"]) mkdirSync(join(this.folder, name));
  }

  files(): readonly string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("sandboxes"))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .sort();
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A lying environment: it lists the files of `listed` and sends those of `sent`, regardless of the request. */
function lying(listed: readonly string[], sent: readonly string[] = listed, marked = ""): RunInEnvironment {
  const word = (path: string) => Buffer.from(`evil ${path}`);
  return async (script) => {
    const says = (output: string | Buffer) => ({ code: 0, output: Buffer.from(output) });
    if (script.includes("find "))
      return says([marked, "1000", ...listed.map((path) => `9 900 900 1 81ed ./${path}`)].join("\n"));
    if (script.includes("sha256sum"))
      return says(listed.map((path) => `${hash("sha256", word(path))}  ./${path}\n`).join(""));
    if (script.includes("tar -cf"))
      return says(packTar(sent.map((path) => ({ path: `./${path}`, mode: 0o6777, bytes: word(path) }))));
    return says(script.includes("absent") ? "" : listed.map((path) => `y${path}\0`).join(""));
  };
}

const HOSTILE = [
  "../outside",
  "../home/.bashrc",
  "/etc/cron.d/evil",
  "a/../../outside",
  "./x",
  "a//b",
  ".git/hooks/pre-commit",
  "sub/.git/config",
  ".hermes-sync-x",
  ".envrc",
  ".ssh/id_rsa",
  "node_modules/x",
  "tab\tname",
  "back\\slash",
];

test("an environment whose listing and archive name outside paths changes only workspace files", async () => {
  using folders = new Folders();
  writeFileSync(join(folders.folder, "outside"), "untouched");
  await syncTree(folders.tree, lying([...HOSTILE, "fine", "sub/deep/fine"]), folders.states);
  assert.deepEqual(folders.files(), ["here/fine", "here/sub/deep/fine", "outside"]);
  assert.equal(readFileSync(join(folders.folder, "outside"), "utf8"), "untouched");
});

test("rejects files that differ from the environment's own listing", async () => {
  using folders = new Folders();
  await syncTree(folders.tree, lying(["asked"], ["other", "../outside", "asked"]), folders.states);
  assert.deepEqual(folders.files(), ["here/asked"]);
});

test("an environment that reports everything deleted, or another sync state, deletes no local file", async () => {
  using folders = new Folders();
  writeFileSync(join(folders.here, "mine"), "mine");
  for (const marked of ["", "x".repeat(32), "0".repeat(32), "../../state"]) {
    await syncTree(folders.tree, lying([], [], marked), folders.states);
    assert.deepEqual(folders.files(), ["here/mine"], marked);
  }
  assert.equal(existsSync(join(folders.states.folder, "state.json")), false);
});

test("an environment that accepts nothing, or disconnects, leaves all files unchanged", async () => {
  using folders = new Folders();
  writeFileSync(join(folders.here, "mine"), "mine");
  await assert.rejects(
    syncTree(folders.tree, async () => ({ code: 1, output: Buffer.from("no") }), folders.states),
    /cannot list the terminal backend's files/,
  );
  await assert.rejects(
    syncTree(folders.tree, async () => Promise.reject(new Error("gone")), folders.states),
    /gone/,
  );
  await syncTree(folders.tree, lying([]), folders.states);
  assert.deepEqual(folders.files(), ["here/mine"]);
});

test("syncs run one after the other, and a dead agent's lock blocks none", async () => {
  using folders = new Folders();
  let running = 0;
  let most = 0;
  const run: RunInEnvironment = async (script, options) => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
    return lying(["fine"])(script, options);
  };
  mkdirSync(folders.states.folder, { recursive: true });
  writeFileSync(join(folders.states.folder, "mark.lock"), "999999999");
  await Promise.all([1, 2, 3].map(() => syncTree(folders.tree, run, folders.states)));
  assert.equal(most, 1);
  assert.equal(existsSync(join(folders.states.folder, "mark.lock")), false);
});

test("reports progress before each group of files", async () => {
  using folders = new Folders();
  for (const name of ["a", "b", "c"]) writeFileSync(join(folders.here, name), Buffer.alloc(5_000_000));
  const text: string[] = [];
  await syncTree(folders.tree, lying([]), folders.states, { say: (words) => void text.push(words) });
  const files = (count: number, megabytes: string) =>
    `Files of the workspace sent: ${count} of 3, ${megabytes} of 15.0 MB`;
  assert.deepEqual(text, [
    "Comparing the files of the workspace with the terminal backend",
    files(0, "0.0"),
    files(1, "5.0"),
    files(2, "10.0"),
  ]);
});
