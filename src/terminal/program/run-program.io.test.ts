import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "./run-program.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const shell = {
  program: "sh",
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  timeoutMs: 20_000,
  signal: new AbortController().signal,
};

function lives(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

test("a program gets its input but none of the agent's variables, and each line of output is reported", async () => {
  const message: string[] = [];
  const { out, err, code } = await runProgram({
    ...shell,
    args: ["-c", 'read a; echo "$a $HOME"; printf "one\\ntwo\\n" >&2; exit 3'],
    input: "given\n",
    line: (text) => message.push(text),
  });
  assert.deepEqual([out, err, code, message.toSorted()], ["given \n", "one\ntwo\n", 3, ["given", "one", "two"]]);
});

test(
  "a timeout or a cancel ends the program's whole group, including processes it left behind",
  { skip: process.platform !== "linux" },
  async () => {
    const caller = new AbortController();
    const ways = [{ timeoutMs: 300 }, { signal: caller.signal }, { args: ["-c", "sleep 60 & echo $!"] }];
    const ends = ways.map(async (way) => runProgram({ ...shell, args: ["-c", "sleep 60 & echo $!; wait"], ...way }));
    setTimeout(() => caller.abort(), 300);
    const ended = await Promise.all(ends);
    assert.deepEqual(
      ended.map(({ endedBy }) => endedBy),
      ["time", "caller", undefined],
    );
    await sleep(100);
    assert.deepEqual(
      ended.map(({ out }) => lives(Number(out))),
      [false, false, false],
    );
  },
);

test("stops a program that prints without end, and reports one that is missing", async () => {
  assert.equal((await runProgram({ ...shell, args: ["-c", "yes"] })).endedBy, "output");
  assert.equal(
    (await runProgram({ ...shell, program: "/no/such/program", args: [] })).missing,
    'there is no program "/no/such/program"',
  );
  assert.deepEqual(withoutUndefined(await runProgram({ ...shell, args: ["-c", "kill -9 $$"] })), {
    code: null,
    by: "SIGKILL",
    out: "",
    err: "",
  });
});
