import assert from "node:assert/strict";
import { test } from "node:test";
import { CommanderError } from "commander";
import { buildProgram } from "./command-tree.ts";
import { lineError } from "./line-error.ts";

/** What a person reads who typed this. */
async function output(...argv: string[]): Promise<readonly [string, string | undefined, number]> {
  const program = buildProgram(() => async () => {});
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    assert.ok(error instanceof CommanderError);
    const { message, hint, exitCode } = lineError(program, argv, error);
    return [message, hint, exitCode];
  }
  throw new Error("the line was understood");
}

test("a line that is not understood is told with its command and what helps, and ends with 2", async () => {
  assert.deepEqual(await output("chat", "--quer", "x"), [
    "`hermes chat` has no option --quer.",
    "Did you mean --query?",
    2,
  ]);
  assert.deepEqual(await output("sessions", "list", "--jsn"), [
    "`hermes sessions list` has no option --jsn.",
    "Did you mean --json?",
    2,
  ]);
  assert.deepEqual(await output("cron", "create", "--schedule", "30m"), [
    "`hermes cron create` takes its schedule without a name.",
    "It is written: hermes cron create [options] <schedule> [prompt...]",
    2,
  ]);
  assert.deepEqual(await output("chat", "-q"), [
    "An option of `hermes chat` lacks its value: -q, --query <text>",
    "`hermes chat --help` lists what there is.",
    2,
  ]);
  assert.deepEqual(await output("-p"), [
    "An option of `hermes` lacks its value: -p, --profile <name>",
    "`hermes --help` lists what there is.",
    2,
  ]);
  assert.deepEqual(await output("tools", "call"), [
    "`hermes tools call` needs <tool>.",
    "It is written: hermes tools call [options] <tool> [arguments]",
    2,
  ]);
  assert.deepEqual(await output("chat", "tidy", "up"), [
    "`hermes chat` was given more words than it takes.",
    'One question: hermes chat -q "…", in quotes.',
    2,
  ]);
  assert.deepEqual(await output("sessions", "export", "x", "--format", "pdf"), [
    '`hermes sessions export`: --format <format> cannot be "pdf".',
    "Allowed: md, jsonl.",
    2,
  ]);
});

test("a slip of the fingers is never answered with the option that switches approvals off", async () => {
  assert.deepEqual(await output("chat", "--yol"), [
    "`hermes chat` has no option --yol.",
    "`hermes chat --help` lists what there is.",
    2,
  ]);
});
