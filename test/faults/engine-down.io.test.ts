import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DockerBackend } from "../../plugins/terminal-docker/docker-backend.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";

const DOWN = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?";

test("row 52: reports a stopped container engine with a hint, and tries it again at the next call", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-engine-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const client = join(folder, "docker");
  const answers = (body: string) => {
    writeFileSync(client, `#!/bin/sh\necho "$*" >>${folder}/asked\n${body}\necho '${DOWN}' >&2\nexit 1\n`);
    chmodSync(client, 0o755);
  };
  const { signal } = new AbortController();
  const config = { docker_binary: client, docker_image: "debian:12" };
  const open = async () => {
    await using backend = new DockerBackend(config, quietLog());
    const terminal = await backend.open({ key: "down" }, signal);
    await terminal.run("true", { signal, timeoutMs: 120_000 });
  };
  answers("");
  await assert.rejects(open(), (error: Error & { readonly hint?: string }) => {
    assert.deepEqual([error.name, error.message.includes(DOWN)], ["TerminalUnavailable", true], error.message);
    return true;
  });
  answers('[ "$1" = version ] && echo "1 1" && exit 0');
  await assert.rejects(open(), (error: Error & { readonly hint?: string }) => {
    assert.deepEqual([error.name, error.message.includes(DOWN)], ["TerminalUnavailable", true], error.message);
    assert.match(error.hint ?? "", /engine is running/);
    return true;
  });
});
