import assert from "node:assert/strict";
import { test } from "node:test";
import { githubPlace } from "./github-location.ts";
import { withoutUndefined } from "hermes-agent/testing";

test("recognises owner/repo and github.com URLs as GitHub sources; rejects other URLs, folders and path traversal", () => {
  const [owner, repo] = ["my-org", "skills.repo"];
  assert.deepEqual(withoutUndefined(githubPlace("my-org/skills.repo")), { owner, repo });
  assert.deepEqual(withoutUndefined(githubPlace("my-org/skills.repo/deep/tea/")), { owner, repo, sub: "deep/tea" });
  for (const address of [
    "https://github.com/my-org/skills.repo",
    "https://github.com/my-org/skills.repo.git",
    "https://github.com/my-org/skills.repo/",
  ])
    assert.deepEqual(withoutUndefined(githubPlace(address)), { owner, repo }, address);
  assert.deepEqual(withoutUndefined(githubPlace("https://github.com/my-org/skills.repo.git#tea")), {
    owner,
    repo,
    sub: "tea",
  });
  assert.deepEqual(withoutUndefined(githubPlace("https://github.com/my-org/skills.repo/tree/main/deep/tea")), {
    owner,
    repo,
    ref: "main",
    sub: "deep/tea",
  });
  assert.deepEqual(withoutUndefined(githubPlace("https://github.com/my-org/skills.repo/tree/v1")), {
    owner,
    repo,
    ref: "v1",
  });
  for (const other of [
    "./tap",
    "/srv/tap",
    "~/tap",
    "tea",
    "git@github.com:a/b.git",
    "https://gitlab.com/a/b",
    "https://github.com.evil.example/a/b",
    "https://github.com@evil.example/a/b",
    "a/b/../../c",
    "a/b//c",
    "https://github.com/a/b/blob/main/x.md",
    "",
  ])
    assert.equal(githubPlace(other), undefined, other);
});
