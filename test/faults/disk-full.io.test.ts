import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";

for (const [what, size, message] of [
  [
    "no space for a folder or the log",
    "size=64k,nr_inodes=2",
    /\[OUTPUT TRUNCATED - \d+ bytes omitted out of 588895 total\]/,
  ],
  [
    "space for a part of the result, none for the log",
    "size=256k",
    /\[OUTPUT TRUNCATED - \d+ bytes omitted out of 588895 total; the first \d+ bytes: \S+\/cache\/results\/\S+\]/,
  ],
] as const) {
  test(`row 16: ${what}: the turn continues; the model sees both ends of a long result and a note`, async (t) => {
    using user = new NewUser();
    await using server = await startOpenAiServer([
      { calls: [{ tool: "terminal", args: { command: "seq 1 100000" } }] },
      { text: "I saw both ends." },
    ]);
    user.connect("custom", server.url, "logging:\n  level: DEBUG\n");
    using disks = smallDisks(
      [join(user.agentHome, "cache"), size],
      [join(user.agentHome, "logs"), "size=64k,nr_inodes=2"],
    );
    if (disks === undefined) return t.skip("a small file system cannot be mounted here");
    const { status, out, err } = await user.run(["chat", "-q", "count"]);
    assert.equal(status, 0, err);
    assert.match(out, /I saw both ends\./);
    const { output, exit_code } = lastResult(server.requests[1]!.body);
    assert.equal(exit_code, 0);
    assert.match(output, /^1\n2\n3\n[^]*\n99999\n100000$/);
    assert.match(output, message);
  });
}

function lastResult(body: string): { readonly output: string; readonly exit_code: number } {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
  return JSON.parse(messages.at(-1)!.content) as { readonly output: string; readonly exit_code: number };
}

/** Small file systems, with and without room for another file. `undefined` if none can be mounted. */
function smallDisks(...disks: readonly (readonly [path: string, options: string])[]): Disposable | undefined {
  const mounted: string[] = [];
  const end = () => mounted.forEach((path) => void spawnSync("umount", ["-l", path]));
  for (const [path, options] of disks) {
    mkdirSync(path, { recursive: true });
    if (spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status !== 0) return void end();
    mounted.push(path);
    if (options.includes("nr_inodes"))
      assert.throws(() => writeFileSync(join(path, "ballast"), Buffer.alloc(200_000)), { code: "ENOSPC" });
  }
  return { [Symbol.dispose]: end };
}
