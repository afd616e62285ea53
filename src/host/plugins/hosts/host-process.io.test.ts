import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** A process of plugins that answers late, and never ends by itself. */
const STUBBORN = `
  process.stdin.setEncoding("utf8").on("data", (text) => {
    for (const line of text.split("\\n")) if (line.includes('"initialize"')) setTimeout(() => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: {} }) + "\\n"), 300);
  });
  setInterval(() => {}, 1_000);
`;

/** An agent that ends while that process is still on its way. */
const AGENT = `
  import { HostProcess } from ${JSON.stringify(new URL("host-process.ts", import.meta.url).href)};
  import { quietLog } from ${JSON.stringify(new URL("../../../testing/quiet-log.ts", import.meta.url).href)};
  const spec = { name: "it", program: process.execPath, args: ["-e", ${JSON.stringify(STUBBORN)}], env: {}, cwd: "/", initialize: {}, wire: "standard", limits: { startMs: 20_000, silenceMs: 20_000, cpuSeconds: 60, endMs: 1_500 } };
  const host = new HostProcess(spec, quietLog());
  host.start().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await host[Symbol.asyncDispose]();
  console.log("ended");
`;

test("an agent that ends while a process of plugins is still starting waits for the end of that process", () => {
  const ended = spawnSync(process.execPath, ["--conditions=hermes-source", "--input-type=module", "-e", AGENT], { encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([ended.status, ended.stdout], [0, "ended\n"], ended.stderr);
});
