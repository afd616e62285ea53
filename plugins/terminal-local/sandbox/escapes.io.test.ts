import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync, rmSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { lacksProgram } from "hermes-agent/testing";
import { pipesFolder } from "../pipes-folder.ts";
import { ESCAPES, NETWORK_ESCAPES, type Escape, type Targets } from "./testing/escapes.ts";
import { gone, started } from "./testing/running.ts";
import { CANARY, openSandbox, whyNoSandbox } from "./testing/sandbox-bench.ts";

const skip = await whyNoSandbox();

describe("ways out of the sandbox", { skip }, () => {
  let sandbox: Awaited<ReturnType<typeof openSandbox>>;
  let closed: Awaited<ReturnType<typeof openSandbox>>;
  let targets: Targets;
  let agent: ChildProcess | undefined;
  const servers: Server[] = [];
  let secret: ChildProcess | undefined;

  before(async () => {
    // Not where the file is read: that may be long before its tests run.
    secret = spawn("sleep", ["3600"], { env: { ...process.env, PROBE: CANARY }, stdio: "ignore" });
    sandbox = await openSandbox({}, ({ elsewhere }) => writeFileSync(join(elsewhere, "plain"), "plain"));
    closed = await openSandbox({ network: "off" });
    const abstractName = `hermes-probe-${process.pid}`;
    const listen = (...where: Parameters<Server["listen"]>) =>
      new Promise<Server>((resolve) => {
        const server = createServer((socket) => socket.end()).listen(...(where as [string]), () => resolve(server));
        servers.push(server);
      });
    const socket = join(sandbox.work, "service");
    await listen(socket as never);
    await listen(`\0${abstractName}` as never);
    const agentSocket = join(sandbox.root, "agent");
    agent = spawn("ssh-agent", ["-D", "-a", agentSocket], { stdio: "ignore" });
    const httpSocket = join(sandbox.work, "docker.sock");
    const http = createHttp((_, reply) => void reply.writeHead(200, { connection: "close" }).end("reached"));
    servers.push(http);
    await new Promise<void>((resolve) => http.listen(httpSocket, resolve));
    const tcp = await listen({ port: 0, host: "127.0.0.1" } as never);
    const other = await sandbox.backend.open({ key: "other", outside: true }, sandbox.signal);
    const folder = (await other.run('dirname "$__h"', { signal: sandbox.signal, timeoutMs: 120_000 })).output.trim();
    assert.ok(folder.startsWith(pipesFolder()));
    targets = {
      ...sandbox,
      pid: secret.pid!,
      socket,
      agentSocket,
      httpSocket,
      abstractName,
      port: (tcp.address() as { port: number }).port,
      pipes: folder,
    };
  });

  after(async () => {
    secret?.kill();
    agent?.kill();
    for (const server of servers) server.close();
    await sandbox?.[Symbol.asyncDispose]();
    await closed?.[Symbol.asyncDispose]();
  });

  const attempt = (kind: "open" | "off", { way, script, control }: Escape) =>
    test(`${way} does not escape the sandbox`, async (t) => {
      const missing = script(targets).includes("python3") && lacksProgram("python3");
      if (missing !== false) return t.skip(missing);
      const place = kind === "open" ? sandbox : closed;
      const inside = await place.run(script(targets));
      assert.doesNotMatch(inside.output, /ESCAPED/);
      if (!control) return;
      await using outside = await place.backend.open(
        { key: `control ${way}`, cwd: place.work, outside: true },
        place.signal,
      );
      const { output } = await outside.run(script(targets), { signal: place.signal, timeoutMs: 120_000 });
      assert.match(
        output,
        /ESCAPED/,
        `the attempt works without a sandbox, so a failure inside is not a broken attempt: ${output}`,
      );
    });

  // req: R-29
  for (const escape of ESCAPES) attempt("open", escape);
  for (const escape of NETWORK_ESCAPES) attempt("off", escape);

  test("a .git that is a link or names an outside folder makes nothing outside writable", async () => {
    for (const lie of ["link", "file"]) {
      await using place = await openSandbox({}, ({ work, elsewhere }) => {
        rmSync(join(work, ".git"), { recursive: true });
        mkdirSync(join(elsewhere, "worktrees", "x"), { recursive: true });
        writeFileSync(join(elsewhere, "HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(elsewhere, "worktrees", "x", "gitdir"), "/nowhere/.git\n");
        if (lie === "link") symlinkSync(elsewhere, join(work, ".git"));
        else writeFileSync(join(work, ".git"), `gitdir: ${elsewhere}/worktrees/x\n`);
      });
      const { output } = await place.run(
        `touch '${place.elsewhere}/a' '${place.elsewhere}/worktrees/x/a' .git/a && echo ESCAPED`,
      );
      assert.doesNotMatch(output, /ESCAPED/);
      assert.deepEqual(readdirSync(place.elsewhere), ["HEAD", "worktrees"]);
    }
  });

  test("protects hooks that git's settings place in the tree like those in .git", async () => {
    await using place = await openSandbox({}, ({ work }) => {
      mkdirSync(join(work, ".husky"));
      writeFileSync(join(work, ".git", "config"), "[core]\n\thooksPath = .husky\n");
    });
    assert.match(
      (await place.run("touch .husky/pre-commit; mv .husky x; echo ESCAPED >>.git/config")).output,
      /Read-only file system\n.*busy\n.*Read-only file system\n$/s,
    );
  });

  test("variables and functions set in the sandbox do not affect commands outside it", async () => {
    await sandbox.run(
      'mkdir -p evil; printf \'#!/bin/sh\\necho ESCAPED\\n\' >evil/ls; chmod +x evil/ls; export PATH="$PWD/evil:$PATH" LD_PRELOAD=/evil.so BASH_ENV="$PWD/evil/env"; ls() { echo ESCAPED; }',
    );
    await using outside = await sandbox.backend.open(
      { key: "later", cwd: sandbox.work, outside: true },
      sandbox.signal,
    );
    const { output } = await outside.run('ls / | head -1; echo "$LD_PRELOAD$BASH_ENV"; type ls; echo "$PATH"', {
      signal: sandbox.signal,
      timeoutMs: 120_000,
    });
    assert.doesNotMatch(output, /ESCAPED|evil|function/);
    await sandbox.run("unset -f ls; unset LD_PRELOAD BASH_ENV; PATH=${PATH#*:}");
  });

  test("a daemon that detached completely ends with its terminal", async () => {
    const terminal = await sandbox.backend.open({ key: "daemon", cwd: sandbox.work }, sandbox.signal);
    const word = `96${process.pid}`;
    await terminal.run(`(setsid nohup env -i /bin/sleep ${word} >/dev/null 2>&1 &)`, {
      signal: sandbox.signal,
      timeoutMs: 120_000,
    });
    await started(word, 1);
    await terminal[Symbol.asyncDispose]();
    await gone(word);
  });
});
