import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { scriptedHost } from "../test/scripted-host-fixture.ts";

/** A plugin process that answers late and ends only when killed. */
const STUBBORN = `
  process.stdin.setEncoding("utf8").on("data", (text) => {
    for (const line of text.split("\\n")) if (line.includes('"initialize"')) setTimeout(() => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: { protocol: 1 } }) + "\\n"), 300);
  });
  setInterval(() => {}, 1_000);
`;

/** An agent that ends while that process is still starting. */
const AGENT = `
  import { HostProcess } from ${JSON.stringify(new URL("host-process.ts", import.meta.url).href)};
  import { quietLog } from ${JSON.stringify(new URL("../../testing/quiet-log.ts", import.meta.url).href)};
  const spec = { name: "it", program: process.execPath, args: ["-e", ${JSON.stringify(STUBBORN)}], env: {}, cwd: "/", initialize: {}, wire: "standard", limits: { startMs: 20_000, silenceMs: 20_000, cpuSeconds: 60, endMs: 1_500 } };
  const host = new HostProcess(spec, quietLog());
  host.start().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await host[Symbol.asyncDispose]();
  console.log("ended");
`;

test("an agent that ends while a plugin process is starting waits for the end of that process", () => {
  const ended = spawnSync(process.execPath, ["--conditions=hermes-source", "--input-type=module", "-e", AGENT], {
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.deepEqual([ended.status, ended.stdout], [0, "ended\n"], ended.stderr);
});

test("logs messages without parameters and invalid ones, and continues", async () => {
  const { host, log, attach } = scriptedHost(`
    say({ method: "log", params: null });
    say({ method: "register", params: { plugin: "p" } });
    say({ id: 7, method: "ctx.config", params: "p" });
    say([1]);
    say({ id: message.id, result: "here" });
  `);
  await using _ = host;
  attach("p", (method) => {
    if (method === "register") throw new Error("there is no such kind");
  });
  assert.equal(await host.call("x", {}, { plugin: "p" }), "here");
  assert.deepEqual(
    log.lines
      .filter(({ level }) => level === "warning")
      .map(({ message, detail }) => [
        message,
        String((detail as { readonly cause?: Error } | undefined)?.cause?.message),
      ]),
    [['Cannot handle its "register" message.', "there is no such kind"]],
  );
});

// row 39 of the fault matrix
test("an agent that was suspended does not report its plugin process as silent for that time", async () => {
  const { host, faults, attach } = scriptedHost(
    `if (message.method === "late") setTimeout(() => say({ id: message.id, result: "done" }), 6_500);`,
    { silenceMs: 5_000 },
  );
  await using _ = host;
  attach("p");
  await host.start();
  const answer = host.call("late", {}, { plugin: "p" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
  assert.equal(await answer, "done");
  assert.deepEqual(faults, []);
});

// row 45 of the fault matrix
test("stops a plugin process that sends an endless message, and the call reports why", async () => {
  const { host, faults, attach } = scriptedHost(
    `const block = "y".repeat(1 << 20); process.stdout.write('{"id":1,"result":"'); for (let at = 0; at < 70; at += 1) process.stdout.write(block);`,
  );
  await using _ = host;
  attach("p");
  await assert.rejects(host.call("x", {}, { plugin: "p" }), {
    name: "HostGone",
    message: "it sent a message of more than 64 MB",
  });
  assert.deepEqual(faults, ["p: it sent a message of more than 64 MB"]);
});

test("a call of another plugin in an ended process reports which plugin ended it", async () => {
  const { host, faults, attach } = scriptedHost(`if (message.method === "loop") for (;;);`, { silenceMs: 1_500 });
  await using _ = host;
  attach("looping");
  attach("neighbour");
  await host.start();
  const [looping, neighbour] = await Promise.allSettled([
    host.call("loop", {}, { plugin: "looping" }),
    host.call("wait", {}, { plugin: "neighbour" }),
  ]);
  assert.match(
    String((looping as PromiseRejectedResult).reason),
    /^HostGone: it was busy for \d+ s without a pause \(an endless loop\?\)$/,
  );
  assert.match(
    String((neighbour as PromiseRejectedResult).reason),
    /^HostGone: the plugin "looping" in the same process ended it: it was busy for \d+ s without a pause \(an endless loop\?\)$/,
  );
  assert.deepEqual(
    faults.map((fault) => fault.split(":")[0]),
    ["looping"],
  );
});

test("a line printed in pieces becomes one line of the log", async () => {
  const { host, log, attach } = scriptedHost(`
    process.stderr.write("the first half, ");
    setTimeout(() => { process.stderr.write("the second\\nthe last without an end"); say({ id: message.id, result: null }); }, 200);
  `);
  {
    await using _ = host;
    attach("p");
    await host.call("x", {}, { plugin: "p" });
  }
  assert.deepEqual(
    log.lines.filter(({ level }) => level === "info").map(({ message }) => message),
    ["the first half, the second", "the last without an end"],
  );
});
