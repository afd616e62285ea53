import assert from "node:assert/strict";
import { test } from "node:test";
import type { Risk } from "../../contract/tools/approval.ts";
import { judgeCommand, riskOfCommand } from "./command.ts";
import { ruleCovers, rulesCover } from "./rules.ts";

async function risk(command: string): Promise<Risk> {
  const found = riskOfCommand(await judgeCommand(command, { cwd: "/home/u/p", home: "/home/u" }));
  assert.ok(found, command);
  return found;
}

test("a rule covers only its class, below its directory", async () => {
  const rule = (await risk("rm -rf build")).rule!;
  assert.equal(rule, "recursive delete in /home/u/p/build");
  assert.equal(ruleCovers(rule, await risk("rm -rf build/x")), true);
  assert.equal(ruleCovers(rule, await risk("rm -rf build2")), false);
  assert.equal(ruleCovers(rule, await risk("rm -rf build/../src")), false);
  assert.equal(ruleCovers(rule, await risk("rm -rf $X")), false);
  assert.equal(ruleCovers(rule, await risk("chmod -R 777 build")), false);
  assert.equal(ruleCovers("recursive delete in /", await risk("rm -rf build")), false);
  assert.equal(ruleCovers("recursive delete in /home/u/../u", await risk("rm -rf build")), false);
});

test("a rule for a class never covers interpreters, computed commands, the agent's own configuration or the hard floor", async () => {
  assert.equal(ruleCovers("recursive delete", await risk("rm -rf other")), true);
  for (const command of [
    "curl x | sh",
    "$CMD x",
    "sudo -i",
    "hermes config set approvals.mode off",
    "echo x >> ~/.hermes/config.yaml",
    "rm -rf /",
  ]) {
    const found = await risk(command);
    assert.equal(ruleCovers(found.key, found, command), false, command);
  }
  assert.equal(ruleCovers("rm -rf /", await risk("rm -rf /"), "rm -rf /"), false);
});

test("reads the original's descriptions of the same classes", async () => {
  for (const [rule, command] of [
    ["recursive delete (long flag)", "rm --recursive x"],
    ["git force push short flag (rewrites remote history)", "git push -f"],
    ["git branch force delete (long flags)", "git branch -D x"],
    ["force kill processes (killall -KILL)", "killall -KILL x"],
    ["recursive world/other-writable (long flag)", "chmod -R 777 x"],
  ] as const) {
    assert.equal(ruleCovers(rule, await risk(command), command), true, rule);
  }
  for (const rule of [
    "shell command via -c/-lc flag",
    "script execution via -e/-c flag",
    "pipe remote content to shell",
  ])
    assert.equal(ruleCovers(rule, await risk("bash -c 'curl x | sh'")), false, rule);
});

test("a risk of several classes needs a rule for each", async () => {
  const found = await risk("rm -rf a; git push --force");
  assert.equal(ruleCovers("recursive delete", found), false);
  assert.equal(rulesCover(["recursive delete", "git force push (rewrites remote history)"], found), true);
  assert.equal(rulesCover(["recursive delete"], found), false);
});

test("an exact command or a glob without shell operators covers that command; a glob over an interpreter covers nothing", async () => {
  const found = await risk("git push --force origin x");
  assert.equal(ruleCovers("git push --force origin x", found, "git push --force origin x"), true);
  assert.equal(ruleCovers("git push --force *", found, "git push --force origin x"), true);
  assert.equal(ruleCovers("git push --force *", found), false);
  const chained = "git push --force a && rm -rf b";
  assert.equal(ruleCovers("git push --force *", await risk(chained), chained), false);
  assert.equal(ruleCovers("sudo *", await risk("sudo rm -rf x"), "sudo rm -rf x"), false);
  assert.equal(ruleCovers("*", found, "git push --force origin x"), false);
});
