import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand, type SandboxState, type TerminalBackend } from "hermes-agent/plugin";
import { leavingRisk, mayHaveBeenStopped, sandboxHint } from "./leave-sandbox.ts";
import { whereLine } from "hermes-agent/terminal";

const here = { id: "local", label: "this machine", isolated: false } as TerminalBackend;
const on: SandboxState = { kind: "on", words: "network off" };

// req: R-29
test("the question says whether the command runs in a sandbox, and if not, why", () => {
  assert.equal(whereLine(here, on), "this machine, in a sandbox: network off");
  assert.equal(whereLine(here, "left"), "this machine, outside the sandbox, with your rights");
  assert.equal(
    whereLine(here, { kind: "missing", words: "bubblewrap is not installed", hint: "" }),
    "this machine, with your rights and no sandbox (bubblewrap is not installed)",
  );
  assert.equal(
    whereLine(here, { kind: "off", words: "sandbox.mode is off" }),
    "this machine, with your rights and no sandbox",
  );
  assert.equal(
    whereLine({ ...here, label: "a container", isolated: true }, on),
    "a container, isolated from this machine",
  );
});

// field: T08
test("a question about sudo names the user whose rights the command gets", async () => {
  const where = async (command: string): Promise<string> =>
    whereLine(here, undefined, (await judgeCommand(command, { cwd: "/work", home: "/home/me" })).runsAs);
  for (const command of [
    "sudo rm -r build",
    "cd x && doas -u root sh -c 'rm -r build'",
    "pkexec rm -r build",
    "sudo -u www-data ls; sudo rm -r build",
    "su -c 'rm -r build'",
    "sudo -i",
  ])
    assert.equal(await where(command), "this machine, as root and with no sandbox", command);
  assert.equal(await where("sudo -u postgres psql -c 'drop table t'"), "this machine, as postgres and with no sandbox");
  assert.equal(await where("sudo -u $USER_NAME rm -r build"), "this machine, as another user and with no sandbox");
  for (const command of ["rm -r build", "echo sudo rm", "man sudo", "sudo -l"])
    assert.equal(await where(command), "this machine, with your rights and no sandbox", command);
  const { runsAs } = await judgeCommand("sudo rm -r build", { cwd: "/work", home: "/home/me" });
  assert.equal(whereLine(here, "left", runsAs), "this machine, outside the sandbox, as root");
  assert.equal(whereLine(here, on, runsAs), "this machine, in a sandbox: network off");
});

test("leaving the sandbox is approved for one call only: no rule or grant covers it", () => {
  assert.deepEqual(leavingRisk(undefined), {
    answer: "ask",
    key: "outside the sandbox",
    reasons: ["Runs outside the sandbox, with all your rights."],
    effects: [],
    fresh: true,
  });
  const judged = {
    answer: "ask",
    key: "recursive delete",
    reasons: ["Deletes /w."],
    effects: ["delete /w"],
    rule: "recursive delete in /w",
  } as const;
  assert.deepEqual(leavingRisk(judged), {
    answer: "ask",
    key: "recursive delete",
    reasons: ["Runs outside the sandbox, with all your rights.", "Deletes /w."],
    effects: ["delete /w"],
    fresh: true,
  });
});

test("adds the sandbox hint only to a command that failed like a sandboxed one", () => {
  const failed = { output: "touch: cannot touch '/etc/x': Read-only file system" };
  assert.match(sandboxHint(failed, on, 0).sandbox ?? "", /network off.*outside=true/);
  assert.deepEqual(
    [
      sandboxHint({ output: "no such test" }, on, 0),
      sandboxHint(failed, { kind: "off", words: "" }, 0),
      sandboxHint(failed, undefined, 0),
    ],
    [{}, {}, {}],
  );
});

test("adds the hint if the kernel blocked a part of a command that succeeded", () => {
  const busy = "error: could not write config file .git/config: Device or resource busy\norigin";
  assert.deepEqual(
    [
      busy,
      "touch: cannot touch 'x': Read-only file system",
      "Permission denied",
      "Operation not permitted (a word in a log)",
      "ok",
    ].map((output) => mayHaveBeenStopped({ output, exit_code: 0 })),
    [true, true, false, false, false],
  );
  assert.equal(mayHaveBeenStopped({ output: "", exit_code: 1 }), true);
  assert.match(sandboxHint({ output: busy }, on, 0).sandbox ?? "", /outside=true/);
});

test("the hint names refusals during the command, not earlier ones", () => {
  const state: SandboxState = {
    ...on,
    refused: [
      { words: "Old.", at: 5 },
      { words: "10.0.0.1 is private.", at: 20 },
    ],
  };
  assert.match(sandboxHint({ output: "" }, state, 10).sandbox ?? "", /sandbox refused: 10\.0\.0\.1 is private\. If/);
  assert.deepEqual(sandboxHint({ output: "" }, state, 30), {});
});
