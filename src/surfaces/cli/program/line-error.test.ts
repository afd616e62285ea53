import assert from "node:assert/strict";
import { test } from "node:test";
import { CommanderError } from "commander";
import { buildProgram } from "./command-tree.ts";
import { lineError } from "./line-error.ts";

/** The error that this line prints. */
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

test("reports an invalid line with its command and a hint, and exits with 2", async () => {
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
    "`hermes cron create` takes <schedule> as an argument, not as an option.",
    "Usage: hermes cron create [options] <schedule> [prompt...]",
    2,
  ]);
  assert.deepEqual(await output("chat", "-q"), [
    '`hermes chat`: the option "-q, --query <text>" needs a value.',
    "Run `hermes chat --help` for the options and commands.",
    2,
  ]);
  assert.deepEqual(await output("-p"), [
    '`hermes`: the option "-p, --profile <name>" needs a value.',
    "Run `hermes --help` for the options and commands.",
    2,
  ]);
  assert.deepEqual(await output("tools", "call"), [
    "`hermes tools call` needs <tool>.",
    "Usage: hermes tools call [options] <tool> [arguments]",
    2,
  ]);
  assert.deepEqual(await output("chat", "tidy", "up"), [
    "Too many arguments for `hermes chat`.",
    'To ask a question, quote it: hermes chat -q "…"',
    2,
  ]);
  assert.deepEqual(await output("sessions", "export", "x", "--format", "pdf"), [
    '`hermes sessions export`: --format <format> cannot be "pdf".',
    "Allowed: md, jsonl.",
    2,
  ]);
});

test("never suggests the option that turns approvals off for a typo", async () => {
  assert.deepEqual(await output("chat", "--yol"), [
    "`hermes chat` has no option --yol.",
    "Run `hermes chat --help` for the options and commands.",
    2,
  ]);
});
