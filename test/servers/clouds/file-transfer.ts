import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, TerminalOpener } from "hermes-agent/plugin";

const { signal } = new AbortController();

/**
 * Tests file transfer in both directions between this machine and a separate environment that the test creates: the
 * sync's main path.
 */
export async function goesBothWays(
  makeBackend: (
    config: JsonObject,
    agent: { readonly home: string; readonly startDirectory: string },
  ) => TerminalOpener,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hermes-sync-"));
  const agent = { home: join(folder, "agent"), startDirectory: join(folder, "here") };
  const here = (path: string) => join(agent.startDirectory, path);
  try {
    for (const path of [agent.home, agent.startDirectory, here("sub")]) mkdirSync(path);
    writeFileSync(here("sub/漢 'input"), "input\n");
    writeFileSync(here("removed"), "removed");
    writeFileSync(here(".env"), "KEY=secret");
    writeFileSync(join(agent.home, "token.json"), "token", { mode: 0o644 });
    await using backend = makeBackend({ sync_cwd_to_workspace: true, credential_files: ["token.json"] }, agent);
    const terminal = await backend.open({ key: "sync" }, signal);
    const run = async (command: string) => (await terminal.run(command, { signal, timeoutMs: 60_000 })).output;
    assert.equal(
      await run('[ "$PWD" = ~/workspace ] && cat sub/*; ls -A; stat -c %a ~/.hermes/token.json'),
      "input\nremoved\nsub\n600\n",
    );
    await run(
      "rm removed; mkdir -p out .git/hooks; head -c 300000 /dev/zero > out/binary; echo evil > .git/hooks/pre-commit; echo more >> sub/*; ln -s /etc/hostname link",
    );
    await terminal[Symbol.asyncDispose]();
    assert.equal(readFileSync(here("sub/漢 'input"), "utf8"), "input\nmore\n");
    assert.ok(readFileSync(here("out/binary")).equals(Buffer.alloc(300_000)));
    assert.deepEqual(
      ["removed", ".git", "link"].map((path) => existsSync(here(path))),
      [false, false, false],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
