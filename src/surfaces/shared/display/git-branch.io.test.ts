import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gitBranch } from "./git-branch.ts";

test("names the branch of a folder inside a repository or worktree, and the commit where no branch is", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-branch-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  assert.equal(await gitBranch(folder), undefined);
  git("init", "-q", "-b", "feature/colours");
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  assert.equal(await gitBranch(join(folder, "src/deep")), "feature/colours", "before the first commit");
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", "-b", "other", join(folder, "tree"));
  assert.equal(await gitBranch(join(folder, "tree")), "other");
  git("checkout", "-q", "--detach");
  assert.equal(await gitBranch(folder), git("rev-parse", "HEAD").slice(0, 7));
  assert.equal(await gitBranch(join(folder, "missing")), git("rev-parse", "HEAD").slice(0, 7));
});
