import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";
import { gitOptions } from "./git-options.ts";

test("a short option takes a value only for the git subcommands that define one", () => {
  const message = (line: string) => {
    const [verb = "", ...args] = line.split(" ");
    const { options, operands } = gitOptions(verb, args);
    return { options: options.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)), operands };
  };
  assert.deepEqual(message("checkout -b topic main"), { options: ["b=topic"], operands: ["main"] });
  assert.deepEqual(message("clone -b topic https://a.example/x"), {
    options: ["b=topic"],
    operands: ["https://a.example/x"],
  });
  assert.deepEqual(message("push -f -o ci.skip origin"), { options: ["f", "o=ci.skip"], operands: ["origin"] });
  assert.deepEqual(message("branch -D topic"), { options: ["D"], operands: ["topic"] });
  assert.deepEqual(message("add -f x"), { options: ["f"], operands: ["x"] });
  assert.deepEqual(message("log --since yesterday main"), { options: ["since=yesterday"], operands: ["main"] });
});

test('names like "constructor" have no special meaning as a command, variable or character set', async () => {
  for (const word of ["constructor", "toString", "hasOwnProperty"])
    for (const command of [
      `git ${word} -x y`,
      `${word}=1 ls`,
      `${word}='a b' node x.js`,
      `ls | tr ${word} b`,
      `ls | awk '{ print ${word}("x") }'`,
    ]) {
      const { answer, reasons } = await judgeCommand(command, { cwd: "/work/app", home: "/home/me" });
      assert.deepEqual({ answer, reasons }, { answer: "allow", reasons: [] }, command);
    }
});
