import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { findLocalServers } from "./local-servers.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";

test("finds local servers by their model list, and ignores silent servers, other programs and closed ports", async () => {
  await using server = await startOpenAiServer([]);
  const unknownProgram = createServer((_request, response) => response.end("<html>hello</html>"));
  const silent = createServer(() => {});
  for (const one of [unknownProgram, silent]) await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const portOf = (one: typeof unknownProgram): number => (one.address() as AddressInfo).port;
  const { signal } = new AbortController();
  const found = await findLocalServers(
    signal,
    [
      { name: "Ollama", provider: "ollama", port: Number(new URL(server.url).port) },
      { name: "Stranger", provider: "x", port: portOf(unknownProgram) },
      { name: "Closed", provider: "x", port: 1 },
    ],
    60_000,
  );
  assert.deepEqual(found, [
    { name: "Ollama", provider: "ollama", baseUrl: server.url, models: ["loopback-large", "loopback-small"] },
  ]);
  const watch = new Stopwatch();
  assert.deepEqual(await findLocalServers(signal, [{ name: "Silent", provider: "x", port: portOf(silent) }]), []);
  watch.assertWithin(600, "a silent server");
  assert.deepEqual(
    await findLocalServers(AbortSignal.abort(), [
      { name: "Ollama", provider: "ollama", port: Number(new URL(server.url).port) },
    ]),
    [],
  );
  for (const one of [unknownProgram, silent]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});
