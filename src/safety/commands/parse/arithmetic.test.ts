import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

/** The text that `echo $((…))` prints according to the analysis. */
async function valueOf(expression: string, before = ""): Promise<string> {
  const judgement = await judgeCommand(`${before}show $((${expression}))`, { cwd: "/p", home: "/h" });
  return judgement.lines.find((line) => line.startsWith("show"))!.slice(5);
}

test("evaluates constants of every base, operators and brackets as the shell does", async () => {
  const cases: Readonly<Record<string, string>> = {
    "1 + 2 * 3": "7",
    "(1 + 2) * 3": "9",
    "2 ** 5": "32",
    "7 / 2": "3",
    "-7 % 4": "-3",
    "16#ff": "255",
    "0x10": "16",
    "010": "8",
    "2#101": "5",
    "1 << 4": "16",
    "5 & 6": "4",
    "5 ^ 6": "3",
    "!0": "1",
    "~0": "-1",
    "3 > 2": "1",
    "0 || 2": "1",
    "1 ? 10 : 20": "10",
    "1, 2": "2",
  };
  for (const [expression, value] of Object.entries(cases)) assert.equal(await valueOf(expression), value, expression);
});

test("resolves variables that hold numbers, and leaves everything else unknown", async () => {
  assert.equal(await valueOf("n + 1", "n=4; "), "5");
  assert.equal(await valueOf("x = 3", ""), "3");
  for (const expression of ["m + 1", "1 / 0", "$(date +%s) + 1"])
    assert.equal(await valueOf(expression), "…", expression);
});

test("evaluates a subscript in a variable's value, with its substitutions", async () => {
  for (const command of [
    "x='a[$(rm -rf d)]'; echo $((x))",
    "x='a[$(rm -rf d)]'; [[ x -eq 0 ]]; (( x ))",
    "let 'a[$(rm -rf d)]=1'",
    "declare -i n='a[`rm -rf d`]'",
    "unset 'a[$(rm -rf d)]'",
  ]) {
    const judgement = await judgeCommand(command, { cwd: "/p", home: "/h" });
    assert.ok(
      judgement.effects.some((effect) => effect.kind === "delete" && effect.path === "/p/d"),
      command,
    );
  }
  assert.equal((await judgeCommand("x='a[1]'; echo $((x)); unset 'a[1]'", { cwd: "/p", home: "/h" })).answer, "allow");
});
