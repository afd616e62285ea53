import assert from "node:assert/strict";
import { test } from "node:test";
import { describeEffects, judgeCommand } from "../command.ts";
import { Budget } from "../parse/budget.ts";
import { readArguments } from "./code-arguments.ts";
import { actOf } from "./code-calls.ts";
import { aliasesOf, foldPaths } from "./code-fold.ts";
import { tokenize } from "./code-tokens.ts";

const texts = (source: string, language = "python"): readonly string[] =>
  tokenize(source, language).map((token) => token.text);
const message = async (command: string): Promise<readonly string[]> =>
  describeEffects((await judgeCommand(command, { cwd: "/p", home: "/h" })).effects);

test("ignores comments, and reads strings as one token with their escapes", () => {
  assert.deepEqual(texts("f('a\\x62c') # os.system('x')"), ["f", "(", "abc", ")"]);
  assert.deepEqual(texts("f(1) // x\n", "javascript"), ["f", "(", "1", ")", "\n"]);
  assert.deepEqual(texts('"""a\n"b" """'), ['a\n"b" ']);
  assert.deepEqual(tokenize("%x(rm -rf d)", "ruby"), [{ kind: "command", text: "rm -rf d" }]);
  assert.deepEqual(tokenize("`rm`", "perl"), [{ kind: "command", text: "rm" }]);
});

test("arguments are strings, lists of strings, objects or unknown", () => {
  const read = (source: string) =>
    readArguments(tokenize(source, "javascript"), 0, new Map([["d", "dist"]]), new Budget(1000));
  assert.deepEqual(read("'a' + 'b', d, ['x', 'y'], {args: ['-r', d]}, f(1))"), [
    { text: "ab", raw: undefined },
    { text: "dist", raw: "d" },
    { items: ["x", "y"] },
    { object: true, items: ["-r", "dist"] },
    { raw: "f(1)" },
  ]);
});

test("the effect of a function depends on its object", () => {
  assert.equal(actOf("system", "os"), "shell");
  assert.equal(actOf("system", "platform"), undefined);
  assert.equal(actOf("run", "subprocess"), "argv");
  assert.equal(actOf("run", "app"), undefined);
  assert.equal(actOf("exec", "pattern"), "network");
  assert.equal(actOf("rmtree", "anything"), "delete-tree");
});

test("resolves references to the home directory and joined paths", () => {
  const fold = (source: string, language = "python") =>
    foldPaths(tokenize(source, language), "/h")
      .map((token) => token.text)
      .join("");
  assert.equal(fold("open(os.path.expanduser('~/.ssh/id_rsa'))"), "open(/h/.ssh/id_rsa)");
  assert.equal(fold("os.path.join('a', 'b')"), "a/b");
  assert.equal(fold("Path.home() / '.ssh' / 'id_rsa'"), "/h/.ssh/id_rsa");
  assert.equal(fold("process.env.HOME + '/.npmrc'", "javascript"), "/h+/.npmrc");
});

test("follows import aliases and renamed functions", () => {
  const aliases = (source: string, language = "python") => Object.fromEntries(aliasesOf(tokenize(source, language)));
  assert.deepEqual(aliases("import subprocess as s"), { s: "subprocess" });
  assert.deepEqual(aliases("from os import system as run"), { run: "system" });
  assert.deepEqual(aliases("const {execSync: x} = require('child_process')", "javascript"), { x: "execSync" });
  assert.deepEqual(aliases("const cp = require('node:child_process')", "javascript"), { cp: "child_process" });
});

test("judges programs inside strings by their effect, in every language", async () => {
  assert.deepEqual(await message("python3 -c \"from os import system as s; s('rm -rf d')\""), [
    "delete /p/d (recursive)",
    "run python3 …",
  ]);
  assert.deepEqual(await message("lua -e 'os.execute(\"rm -rf d\")'"), ["delete /p/d (recursive)", "run lua …"]);
  assert.deepEqual(await message("octave --eval 'system(\"rm -rf d\")'"), ["delete /p/d (recursive)", "run octave …"]);
  assert.deepEqual(await message("python3 -c \"c.execute('DROP TABLE t')\""), [
    "SQL DROP: drop table t",
    "run python3 …",
  ]);
  assert.deepEqual(await message("python3 -c \"print('os.system(1)')\""), ["run python3 …"]);
});
