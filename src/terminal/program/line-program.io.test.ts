import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../testing/wait-for.ts";
import { LineProgram } from "./line-program.ts";
import { lacksProgram } from "../../testing/lacks-program.ts";

/** A program of `sh`, what it wrote so far, and its next line. */
function open(command: string, ...args: readonly string[]) {
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  let received = () => {};
  const program = new LineProgram({
    command,
    args,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    line: (text) => (lines.push(text), received()),
    printed: () => {},
    ended: () => ended.resolve(),
  });
  const next = () => new Promise<string>((resolve) => (received = () => resolve(lines.at(-1)!)));
  return { program, lines, ended: ended.promise, next };
}

function lives(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

test("exchanges whole, non-empty lines with a program, which ends when its input ends", async () => {
  const { program, lines, next, ended } = open(
    "sh",
    "-c",
    'while read -r line; do printf "got %s\\n\\nha" "$line"; done',
  );
  await program.start();
  let answer = next();
  await program.send("one");
  assert.equal(await answer, "got one");
  answer = next();
  await program.send("two");
  await answer;
  await program.close();
  await ended;
  assert.deepEqual([lines, program.end], [["got one", "hagot two"], "it ended with status 0"]);
  await assert.rejects(program.send("three"), { message: "it ended with status 0" });
});

test(
  "killing a program kills its children, and no output follows",
  { skip: process.platform !== "linux" },
  async () => {
    const { program, lines, next, ended } = open("sh", "-c", "sleep 1000 & echo $!; while :; do echo more; done");
    const first = next();
    await program.start();
    const pid = await first;
    program.kill("nobody wants it");
    await ended;
    const message = lines.length;
    await sleep(100);
    assert.deepEqual([program.end, lines.length, lives(lines[0] ?? pid)], ["nobody wants it", message, false]);
  },
);

// field: S08
test(
  "processes that left the program's group end with it, and with a killed agent",
  { skip: process.platform === "linux" ? lacksProgram("setsid") : "needs /proc" },
  async () => {
    const leaving =
      "setsid sleep 987 & echo $!; (setsid sh -c 'sleep 986 & echo $!; wait' &); env -i setsid sleep 985 & echo $!; cat";
    const { program, lines } = open("sh", "-c", leaving);
    await program.start();
    await waitFor(() => lines.length === 3);
    assert.deepEqual(lines.map(lives), [true, true, true]);
    await program.close();
    await waitFor(() => !lines.some(lives), { what: "the processes that left the group have ended" });

    // This one does not end with its input, so that its children are still below it.
    const agent = spawn(
      process.execPath,
      [
        "--conditions=hermes-source",
        "--input-type=module",
        "-e",
        `import { LineProgram } from ${JSON.stringify(new URL("line-program.ts", import.meta.url).href)};
        const options = { command: "sh", args: ["-c", ${JSON.stringify(leaving.replace(/cat$/, "sleep 984"))}], cwd: "/", env: { PATH: process.env.PATH } };
        await new LineProgram({ ...options, line: (text) => console.log(text), printed() {}, ended() {} }).start();`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const started: string[] = [];
    agent.stdout.on("data", (text: Buffer) => started.push(...text.toString().trim().split("\n")));
    await waitFor(() => started.length === 3);
    agent.kill("SIGKILL");
    await waitFor(() => !started.some(lives), { what: "the processes of the killed agent have ended" });
  },
);

test("reports a program that is missing, or writes a line without end", async () => {
  const missing = open("no-such-program");
  await missing.program.start();
  await missing.ended;
  assert.equal(missing.program.end, 'there is no program "no-such-program"');
  const endless = open("sh", "-c", "yes | tr -d '\\n'");
  await endless.program.start();
  await endless.ended;
  assert.match(endless.program.end ?? "", /^it sent more than 64 MB/);
});
