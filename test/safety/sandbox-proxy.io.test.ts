import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { PROXY_ESCAPES, type Escape, type Targets } from "../../plugins/terminal-local/sandbox/testing/escapes.ts";
import { CANARY, openSandbox, whyNoSandbox } from "../../plugins/terminal-local/sandbox/testing/sandbox-bench.ts";
import { createProxy } from "../../src/host/web/guarded-proxy.ts";
import { openWorld, PUBLIC } from "../../src/host/web/web-fixture.ts";

const skip = await whyNoSandbox();
const INNER = "127.0.0.1";

describe("a sandbox whose only network access is the proxy", { skip }, () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let sandbox: Awaited<ReturnType<typeof openSandbox>>;
  let targets: Targets;
  const refused: string[] = [];
  const service = createServer((_, reply) => void reply.writeHead(200, { connection: "close" }).end("reached"));

  before(async () => {
    await new Promise<void>((resolve) => service.listen(0, INNER, resolve));
    const { port } = service.address() as AddressInfo;
    world = await openWorld(
      (incoming, reply) => {
        if (incoming.headers.host === "redirect.example.org")
          return void reply.writeHead(302, { location: `http://${INNER}:${port}/`, connection: "close" }).end();
        incoming.resume().once("end", () => void reply.writeHead(200, { connection: "close" }).end("public"));
      },
      {
        "a.example.org": [[PUBLIC]],
        "redirect.example.org": [[PUBLIC]],
        "inner.example.org": [[INNER]],
        "mixed.example.org": [[PUBLIC, INNER]],
        "changing.example.org": [[PUBLIC], [INNER]],
      },
    );
    sandbox = await openSandbox(
      { network: "proxy" },
      () => {},
      async (options) =>
        createProxy(
          { ...world.ports, secrets: () => [CANARY] },
          { ...options, refused: (words) => (refused.push(words), options?.refused?.(words)) },
        ),
    );
    targets = { ...sandbox, pid: 0, socket: "", abstractName: "", agentSocket: "", httpSocket: "", port, pipes: "" };
  });

  after(async () => {
    service.close();
    await sandbox?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  const outside = async (command: string): Promise<string> => {
    await using terminal = await sandbox.backend.open(
      { key: `control ${command.length}`, cwd: sandbox.work, outside: true },
      sandbox.signal,
    );
    return (await terminal.run(command, { signal: sandbox.signal, timeoutMs: 120_000 })).output;
  };

  // req: R-29, R-43
  for (const { way, script, control } of PROXY_ESCAPES as readonly Escape[]) {
    test(`${way} does not bypass the proxy`, async () => {
      assert.doesNotMatch((await sandbox.run(`( ${script(targets)} )`)).output, /ESCAPED/);
      if (control)
        assert.match(
          await outside(script(targets)),
          /ESCAPED/,
          "the attempt works without a sandbox, so a failure inside is not a broken attempt",
        );
    });
  }

  test("programs reach public hosts through the proxy, also with tunnels, and their own listeners without it", async () => {
    const { output } = await sandbox.run(
      "curl -sS http://a.example.org/x; echo; curl -sSp http://a.example.org/y; echo; cd /tmp; mkdir -p own; echo inside >own/page; (cd own; exec python3 -m http.server 8765 >/dev/null 2>&1) & for n in $(seq 300); do curl -fsS http://localhost:8765/page && break; sleep 0.1; done 2>/dev/null; kill %1; rm -r own",
    );
    assert.equal(output.split("\n").slice(0, 3).join(), "public,public,inside");
  });

  test("node programs use the proxy without configuration", async () => {
    const { output } = await sandbox.run(
      `'${process.execPath}' -e 'fetch("http://a.example.org/").then((reply) => reply.text()).then(console.log)' 2>/dev/null`,
    );
    assert.equal(output, "public\n");
  });

  test("a refusal reports its reason to the program and in the sandbox's state", async () => {
    const { output } = await sandbox.run("curl -sS http://169.254.169.254/latest/");
    assert.match(
      output,
      /^Refused by the sandbox's proxy: 169\.254\.169\.254 is link-local, where clouds serve metadata/,
    );
    const state = await sandbox.enclosure.state();
    assert.ok(state.kind === "on");
    assert.match(state.words, /network through a proxy to public addresses only/);
    assert.match(state.refused?.at(-1)?.words ?? "", /169\.254\.169\.254/);
  });

  test("the proxy's port is not open on this machine", async () => {
    await assert.rejects(
      new Promise((resolve, reject) => connect(53_128, INNER, () => resolve(undefined)).once("error", reject)),
      /ECONNREFUSED/,
    );
  });

  test("the proxy ends with its shell, and each shell has its own", async () => {
    const other = await sandbox.backend.open({ key: "second", cwd: sandbox.work }, sandbox.signal);
    assert.match(
      (await other.run("curl -sS http://a.example.org/", { signal: sandbox.signal, timeoutMs: 120_000 })).output,
      /public/,
    );
    await other[Symbol.asyncDispose]();
    assert.match((await sandbox.run("curl -sS http://a.example.org/")).output, /public/);
  });
});
