import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../../../test/end-to-end/support/test-user.ts";

const NO_OPENSSL =
  spawnSync("openssl", ["version"]).status === 0 ? false : "no openssl here, which makes the test's authority";

// field: C10
test(
  "a model behind a private certificate authority answers once .env names the authority's file",
  { skip: NO_OPENSSL },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "hermes-authority-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const made = spawnSync(
      "openssl",
      "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1".split(
        " ",
      ),
      { cwd: folder, encoding: "utf8" },
    );
    assert.equal(made.status, 0, made.stderr);
    const event = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const server = createServer(
      { key: readFileSync(join(folder, "key.pem")), cert: readFileSync(join(folder, "cert.pem")) },
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`${event({ content: "Trusted." }, null)}${event({}, "stop")}data: [DONE]\n\n`);
      },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    using user = new NewUser();
    user.connect("custom", `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    const env = readFileSync(join(user.agentHome, ".env"), "utf8");
    const ask = async (line: string) => {
      writeFileSync(join(user.agentHome, ".env"), `${env.trimEnd()}\n${line}\n`);
      return user.run(["chat", "-Q", "-q", "hello"]);
    };
    const untrusted = await ask("");
    assert.match(untrusted.err, /is not trusted .*NODE_EXTRA_CA_CERTS/);
    for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) {
      const { status, out } = await ask(`${name}=${join(folder, "cert.pem")}`);
      assert.deepEqual([status, out], [0, "Trusted.\n"], name);
    }
    for (const file of [join(folder, "missing.pem"), join(folder, "key.pem")]) {
      const { status, err } = await ask(`NODE_EXTRA_CA_CERTS=${file}`);
      assert.notEqual(status, 0);
      assert.match(err, /The certificates of NODE_EXTRA_CA_CERTS=\S+ are not used: /);
    }
  },
);
