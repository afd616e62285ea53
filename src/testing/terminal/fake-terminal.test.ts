import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeTerminal } from "./fake-terminal.ts";

const signal = new AbortController().signal;

test("commands do what the test sets, and unknown ones are not found", async () => {
  const backend = fakeTerminal({
    run: (command) =>
      command === "npm test" ? { output: "ok\n" } : command === "sleep 9" ? { endedBy: "timeout" } : undefined,
  });
  const terminal = await backend.open({ key: "t" }, signal);
  assert.deepEqual(await terminal.run("npm test", { signal, timeoutMs: 1 }), {
    endedBy: "exit",
    exitCode: 0,
    output: "ok\n",
    omittedBytes: 0,
    durationMs: 0,
  });
  assert.deepEqual(await terminal.run("sleep 9", { signal, timeoutMs: 1, beside: true }), {
    endedBy: "timeout",
    output: "",
    omittedBytes: 0,
    durationMs: 0,
  });
  assert.equal((await terminal.run("other", { signal, timeoutMs: 1 })).exitCode, 127);
  assert.deepEqual(
    backend.commands.map(({ command, beside }) => [command, beside]),
    [
      ["npm test", false],
      ["sleep 9", true],
      ["other", false],
    ],
  );
  assert.equal(await backend.open({ key: "t" }, signal), terminal);
});

test("the fake terminal's files behave like a real terminal's", async () => {
  const backend = fakeTerminal({ files: { "/work/a.txt": "first" } });
  const { files } = await backend.open({ key: "t" }, signal);
  const seen = (await files.stat("a.txt"))!;
  await files.write("a.txt", Buffer.from("second"), seen);
  await assert.rejects(files.write("a.txt", Buffer.from("third"), seen), { name: "ToolFailure", code: "conflict" });
  await assert.rejects(files.write("a.txt", Buffer.from("third"), "absent"), { code: "conflict" });
  await files.write("deep/b.txt", Buffer.from("b"));
  assert.deepEqual(await files.list("."), [
    { name: "a.txt", kind: "file" },
    { name: "deep", kind: "directory" },
  ]);
  await assert.rejects(files.read("deep"), { name: "ToolFailure" });
  await assert.rejects(files.move("a.txt", "deep/b.txt"), { code: "conflict" });
  assert.equal(await files.read("none"), undefined);
  assert.deepEqual(Buffer.from((await files.read("a.txt", { from: 1, bytes: 3 }))!).toString(), "eco");
  assert.equal(backend.text("/work/a.txt"), "second");
});

test("a background command ends on request", async () => {
  const backend = fakeTerminal({ spawn: (command) => (command === "quick" ? { output: "done\n", exitCode: 3 } : {}) });
  const terminal = await backend.open({ key: "t" }, signal);
  const quick = await terminal.spawn("quick", {});
  assert.deepEqual([await quick.ended, quick.output().text], [{ endedBy: "exit", exitCode: 3 }, "done\n"]);
  const server = await terminal.spawn("server", {});
  await server.kill();
  assert.deepEqual(await server.ended, { endedBy: "killed" });
});
