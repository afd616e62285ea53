import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { test } from "node:test";
import { wrongWords } from "./argument-error.ts";

test("reports a usage error of a command in Hermes's wording, with a hint", () => {
  const output = (...args: readonly string[]) => {
    try {
      return parseArgs({
        args: [...args],
        options: { name: { type: "string", short: "n" }, json: { type: "boolean" } },
        allowPositionals: false,
      });
    } catch (cause) {
      const { message, hint, exitCode } = wrongWords("hermes box open", cause);
      return [message, hint, exitCode];
    }
  };
  const helps = ["Run `hermes box open --help` for the options and commands.", 2];
  assert.deepEqual(output("--nope"), ["`hermes box open` has no option --nope.", ...helps]);
  assert.deepEqual(output("-x"), ["`hermes box open` has no option -x.", ...helps]);
  assert.deepEqual(output("--name"), ["--name of `hermes box open` lacks its value.", ...helps]);
  assert.deepEqual(output("--name", "--json"), ["--name of `hermes box open` lacks its value.", ...helps]);
  assert.deepEqual(output("--json=1"), ["--json of `hermes box open` takes no value.", ...helps]);
  assert.match(String(output("word")), /^`hermes box open`: Unexpected argument 'word'\./);
});
