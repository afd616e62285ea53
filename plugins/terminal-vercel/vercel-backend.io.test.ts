import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import { goesBothWays } from "../../test/servers/clouds/file-transfer.ts";
import { givesSecrets } from "../../test/servers/clouds/given-secrets.ts";
import type { Asked, Trouble } from "../../test/servers/clouds/http-double.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { VERCEL_TOKEN, vercelAt, VercelDouble } from "../../test/servers/clouds/vercel.ts";
import { VercelBackend } from "./vercel-backend.ts";
import type { VercelSdk } from "./vercel-sdk.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";

const service = await VercelDouble.start();
after(() => service[Symbol.asyncDispose]());
const skip = { skip: WITHOUT_SANDBOX ?? false };
const { signal } = new AbortController();
const load = async () => (await import("@vercel/sandbox")) as unknown as VercelSdk;
const access = { load, token: VERCEL_TOKEN, teamId: "team", projectId: "project", fetch: vercelAt(service.url) };
const backendWith = (config: JsonObject, token = VERCEL_TOKEN) =>
  new VercelBackend({ home: "/home", config, ...access, token });

async function opened<T>(
  config: JsonObject,
  use: (terminal: Terminal) => Promise<T>,
  { key = "task", token = VERCEL_TOKEN } = {},
): Promise<T> {
  await using backend = backendWith(config, token);
  return await use(await backend.open({ key }, signal));
}

const run = async (terminal: Terminal, command: string) =>
  (await terminal.run(command, { signal, timeoutMs: 120_000 })).output;
const making = ({ method, path }: Asked) => method === "POST" && path.endsWith("/sandboxes");
/** Input is sent by a command that is waited for. */
const sending = ({ method, path, body }: Asked) =>
  method === "POST" && path.endsWith("/cmd") && body.includes('"wait":true');

// req: terminal.backend-vercel
test("creates a sandbox as configured, stops it with its task, and resumes it with its files", skip, async () => {
  const config = { vercel_runtime: "python3.13", container_cpu: 1.5 };
  assert.equal(
    await opened(config, (terminal) => run(terminal, "echo kept > ~/note; echo done"), { key: "kept" }),
    "done\n",
  );
  const known = service.find(/^hermes-kept-/)!;
  assert.equal(known.status, "stopped");
  const { runtime, resources, persistent, timeout, tags } = known.made;
  assert.deepEqual(
    { runtime, resources, persistent, timeout, tags },
    {
      runtime: "python3.13",
      resources: { vcpus: 2 },
      persistent: true,
      timeout: 1_800_000,
      tags: { "hermes-agent": "1" },
    },
  );
  assert.equal(await opened(config, (terminal) => run(terminal, "cat ~/note"), { key: "kept" }), "kept\n");
});

test(
  "retries create only one sandbox; a refusal, an invalid answer and wrong keys are reported with a hint",
  skip,
  async () => {
    const config = { container_persistent: false };
    for (const how of [{ status: 503 }, { status: 429, headers: { "retry-after": "1" } }, "unheard"] as const) {
      service.trouble.push({ fits: making, times: 1, how });
      assert.equal(await opened(config, (terminal) => run(terminal, "echo made")), "made\n");
    }
    const refusals: readonly (readonly [Trouble["how"], object])[] = [
      [
        { status: 402, body: { error: { code: "payment_required", message: "No more hours" } } },
        { message: "Cannot start a Vercel sandbox: No more hours", hint: /quota/ },
      ],
      [{ status: 429, headers: { "retry-after": "60" } }, { hint: /[Tt]ry again later/ }],
      [
        { status: 500, body: { error: { code: "internal", message: "Something broke" } } },
        { message: /Something broke/ },
      ],
      [{ lie: { sandbox: "none" } }, { message: /Cannot start a Vercel sandbox/ }],
      ["drop", { message: /Cannot start a Vercel sandbox/ }],
    ];
    for (const [how, words] of refusals) {
      service.trouble.push({ fits: making, times: 10, how });
      await assert.rejects(
        opened(config, (terminal) => run(terminal, "true")),
        { name: "TerminalUnavailable", ...words },
      );
      service.trouble.length = 0;
    }
    await assert.rejects(
      opened({ vercel_runtime: "none" }, (terminal) => run(terminal, "true")),
      { name: "TerminalUnavailable", message: /Invalid runtime/ },
    );
    await assert.rejects(
      opened({}, (terminal) => run(terminal, "true"), { token: "wrong" }),
      { name: "TerminalUnavailable", hint: /VERCEL_TOKEN/ },
    );
    assert.equal(service.find(/^hermes-task-/), undefined, "no paid resource is left running");
  },
);

test("a caller can stop waiting for a service that does not answer", skip, async () => {
  const stop = new AbortController();
  service.trouble.push({ fits: ({ path }) => path.includes("hermes-stalled-"), times: 1, how: "stall" });
  const watch = new Stopwatch();
  setTimeout(() => stop.abort(new Error("enough")), 300);
  await assert.rejects(backendWith({}).open({ key: "stalled" }, stop.signal), { message: "enough" });
  watch.assertWithin(2_000, "stopping");
});

test("runs input once if its confirmation is lost; a silent service ends the command as lost", skip, async () => {
  await opened({ container_persistent: false }, async (terminal) => {
    await run(terminal, "true");
    service.trouble.push({ fits: sending, times: 1, how: "unheard" });
    assert.equal((await terminal.run("echo once >> ~/runs", { signal, timeoutMs: 120_000 })).endedBy, "exit");
    assert.equal(await run(terminal, "cat ~/runs"), "once\n");
    service.trouble.push({ fits: sending, times: 1_000, how: "stall" });
    const silent = await terminal.run("echo again >> ~/runs", { signal, timeoutMs: 500 });
    service.trouble.length = 0;
    assert.equal(silent.endedBy, "lost");
    assert.equal(await run(terminal, "cat ~/runs"), "once\n");
  });
});

test("a command whose connection breaks ends as lost and is not repeated", skip, async () => {
  await opened({ container_persistent: false }, async (terminal) => {
    const running = terminal.run("echo begun >> ~/runs; sleep 300", { signal, timeoutMs: 120_000 });
    while ((await terminal.run("cat ~/runs 2>/dev/null", { signal, timeoutMs: 120_000, beside: true })).output === "")
      continue;
    await service.cut(/^hermes-task-/);
    const lost = await running;
    assert.deepEqual([lost.endedBy, lost.exitCode], ["lost", undefined]);
    assert.equal(await run(terminal, "cat ~/runs"), "begun\n");
  });
});

// req: R-39
test("passes a stored secret in a command's environment and in no argument list", skip, () => opened({}, givesSecrets));

test("syncs the start directory both ways, and sends declared credential files", skip, () =>
  goesBothWays(
    (config, agent) => new VercelBackend({ ...agent, ...access, config: { ...config, container_persistent: false } }),
  ),
);
