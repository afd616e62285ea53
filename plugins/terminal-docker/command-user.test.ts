import assert from "node:assert/strict";
import { test } from "node:test";
import { commandUser, runAs } from "./command-user.ts";

const prompter = { kind: "not-root", uid: 1234, gid: 12 } as const;

test("keeps an image's own user, but replaces root", () => {
  assert.deepEqual(runAs(prompter, "node", false), { args: ["--user", "node"] });
  for (const root of ["", "root", "0", "0:0", "root:adm"])
    assert.deepEqual(runAs(prompter, root, false).args, ["--user", "1234:12", "-e", "HOME=/home/hermes"], root);
});

test("rootless podman keeps the user's id, so that mounted files belong to the user", () => {
  assert.deepEqual(runAs(prompter, "", true).args.slice(-2), ["--userns", "keep-id"]);
  assert.deepEqual(runAs({ kind: "named", user: "me" }, "", true), { args: ["--user", "me"] });
});

test("a user set in any option is used unchanged", () => {
  const named = { kind: "named", user: "web:www" };
  assert.deepEqual(commandUser({ docker_user: "web:www", docker_run_as_host_user: true }, undefined), named);
  for (const words of [["-u", "web:www"], ["--cpus", "1", "--user", "web:www"], ["--user=web:www"]])
    assert.deepEqual(commandUser({ docker_extra_args: words }, undefined), named, words.join(" "));
});
