import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { startOpenAiServer } from "../../test/servers/openai.ts";
import { findLocalServers } from "./local-servers.ts";

test("servers on this machine are found by their list of models; silence, strangers and closed ports are not servers", async () => {
  await using server = await startOpenAiServer([]);
  const stranger = createServer((_request, response) => response.end("<html>hello</html>"));
  const silent = createServer(() => {});
  for (const one of [stranger, silent]) await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const portOf = (one: typeof stranger): number => (one.address() as AddressInfo).port;
  const started = performance.now();
  const found = await findLocalServers(new AbortController().signal, [
    { name: "Ollama", provider: "ollama", port: Number(new URL(server.url).port) },
    { name: "Stranger", provider: "x", port: portOf(stranger) },
    { name: "Silent", provider: "x", port: portOf(silent) },
    { name: "Closed", provider: "x", port: 1 },
  ]);
  assert.deepEqual(found, [{ name: "Ollama", provider: "ollama", baseUrl: server.url, models: ["loopback-large", "loopback-small"] }]);
  assert.ok(performance.now() - started < 600);
  assert.deepEqual(await findLocalServers(AbortSignal.abort(), [{ name: "Ollama", provider: "ollama", port: Number(new URL(server.url).port) }]), []);
  for (const one of [stranger, silent]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});
