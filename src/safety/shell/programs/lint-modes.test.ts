import assert from "node:assert/strict";
import { test } from "node:test";
import { describeEffects, judgeCommand } from "../../command.ts";
import { checksSyntax } from "./lint-modes.ts";

const checks = (line: string): boolean => {
  const [program = "", ...args] = line.split(" ");
  return checksSyntax(program, args);
};

test("the option that only looks is known by interpreter, and nothing that runs stands beside it", () => {
  for (const line of ["php -l a.php", "php --syntax-check a.php", "bash -n a.sh", "sh -en a.sh", "ruby -wc a.rb", "perl -wc a.pl", "perl -Ilib -c a.pl", "node --check a.js"]) assert.equal(checks(line), true, line);
  for (const line of ["php a.php", "bash -x a.sh", "bash -nc id", "bash a.sh", "ruby -c -e 1", "ruby -r./x -c a.rb", "perl -Mx -c a.pl", "perl -ce 1", "node -r ./x -c a.js", "python3 -c x", "lua -l x"]) assert.equal(checks(line), false, line);
});

test("what is checked is told in words that a person can read", async () => {
  const { effects } = await judgeCommand("git ls-files '*.php' | xargs -n1 php -l", { cwd: "/home/u/p", home: "/home/u" });
  assert.ok(describeEffects(effects).includes("run php -l …"), describeEffects(effects).join("\n"));
});
