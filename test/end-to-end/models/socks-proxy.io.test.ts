import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startSocks } from "../../servers/socks.ts";
import { NewUser } from "../support/test-user.ts";

const NO_OPENSSL =
  spawnSync("openssl", ["version"]).status === 0 ? false : "no openssl here, which makes the test's authority";

// field: C09
test(
  "a model that only a SOCKS proxy reaches answers, and its refusal names the reason",
  { skip: NO_OPENSSL },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "hermes-authority-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const made = spawnSync(
      "openssl",
      "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=model.example.org -addext subjectAltName=DNS:model.example.org".split(
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
        response.end(`${event({ content: "By the proxy." }, null)}${event({}, "stop")}data: [DONE]\n\n`);
      },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => (server.closeAllConnections(), server.close()));
    using user = new NewUser();
    user.connect("custom", "https://model.example.org/v1", "agent:\n  api_max_retries: 1\n");
    const env = readFileSync(join(user.agentHome, ".env"), "utf8");
    const ask = async (proxy: string) => {
      user.write(
        "~/.hermes/.env",
        `${env}\nNODE_EXTRA_CA_CERTS=${join(folder, "cert.pem")}\nALL_PROXY=socks5h://${proxy}\n`,
      );
      return user.run(["chat", "-q", "hi"]);
    };
    await using proxy = await startSocks({ to: (server.address() as AddressInfo).port, password: "secret" });
    const answered = await ask(`me:secret@${proxy.place}`);
    assert.match(answered.out, /By the proxy\./, answered.err);
    assert.deepEqual(
      [...new Set(proxy.asked.map(({ host, port, user: name }) => `${name} ${host}:${port}`))],
      ["me model.example.org:443"],
    );
    const refused = await ask(`me:wrong@${proxy.place}`);
    assert.match(refused.err, /cannot be reached: The proxy 127\.0\.0\.1:\d+ rejected the user name or the password/);
    assert.doesNotMatch(refused.err, /wrong/);
  },
);
