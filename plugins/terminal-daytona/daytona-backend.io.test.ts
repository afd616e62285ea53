import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import { createFetch } from "../../src/host/web/guarded-fetch.ts";
import { goesBothWays } from "../../test/servers/clouds/file-transfer.ts";
import { DAYTONA_KEY, DaytonaDouble } from "../../test/servers/clouds/daytona.ts";
import { givesSecrets } from "../../test/servers/clouds/given-secrets.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { DaytonaBackend } from "./daytona-backend.ts";

const service = await DaytonaDouble.start();
after(() => service[Symbol.asyncDispose]());
const options = { skip: WITHOUT_SANDBOX ?? false };
const { signal } = new AbortController();
const fetch = createFetch({
  policy: () => ({ allowPrivate: true, blocklist: [] }),
  secrets: () => [],
  proxy: () => undefined,
});

async function opened<T>(
  config: JsonObject,
  use: (terminal: Terminal) => Promise<T>,
  key = "task",
  apiKey = DAYTONA_KEY,
): Promise<T> {
  await using backend = new DaytonaBackend({
    home: "/home",
    fetch,
    key: apiKey,
    url: service.url,
    target: "eu",
    config,
  });
  return await use(await backend.open({ key }, signal));
}

const run = async (terminal: Terminal, command: string) =>
  (await terminal.run(command, { signal, timeoutMs: 120_000 })).output;

// req: terminal.backend-daytona
test("creates a sandbox as configured, stops it with its task, and restarts it with its files", options, async () => {
  const config = { daytona_image: "debian:12", container_cpu: 1.5, container_memory: 2_000, container_disk: 51_200 };
  assert.equal(await opened(config, (terminal) => run(terminal, "echo kept > ~/note; echo done"), "kept"), "done\n");
  const known = service.find(/^hermes-kept-/)!;
  assert.equal(known.state, "stopped");
  assert.deepEqual(known.made, {
    name: known.name,
    buildInfo: { dockerfileContent: "FROM debian:12\n" },
    labels: { "hermes-agent": "1", "hermes-task-id": "kept" },
    cpu: 2,
    memory: 2,
    disk: 10,
    autoStopInterval: 60,
    autoDeleteInterval: 10_080,
    target: "eu",
  });
  assert.equal(
    await opened({ ...config, container_persistent: false }, (terminal) => run(terminal, "cat ~/note"), "kept"),
    "kept\n",
  );
  assert.equal(service.find(/^hermes-kept-/), undefined, "a sandbox that is not persistent is deleted");
});

test(
  "repeats a rate-limited request, and reports a refusal, an invalid answer and a broken connection",
  options,
  async () => {
    const making = (asked: { readonly method: string; readonly path: string }) =>
      asked.method === "POST" && asked.path === "/api/sandbox";
    service.trouble.push({ fits: making, times: 2, how: { status: 429, headers: { "retry-after": "0" } } });
    assert.equal(await opened({ container_persistent: false }, (terminal) => run(terminal, "echo made")), "made\n");
    for (const [how, words] of [
      [{ status: 500, body: { message: "Something broke" } }, /did not create a sandbox: Something broke/],
      [{ lie: { id: "../other", state: "started" } }, /answer describes no sandbox/],
      ["drop", /cannot be reached/],
    ] as const) {
      service.trouble.push({ fits: making, times: 1, how });
      await assert.rejects(
        opened({}, (terminal) => run(terminal, "true")),
        { name: "TerminalUnavailable", message: words },
      );
    }
    await assert.rejects(
      opened({}, (terminal) => run(terminal, "true"), "task", "wrong"),
      { name: "TerminalUnavailable", message: /Invalid credentials/, hint: /DAYTONA_API_KEY/ },
    );
    await assert.rejects(
      opened({ daytona_image: "none:none" }, (terminal) => run(terminal, "true")),
      { name: "TerminalUnavailable", message: /does not start \(error\): the image could not be pulled/ },
    );
  },
);

test("a command whose input got no confirmation ends as lost, and the input is not resent", options, async () => {
  await opened({ container_persistent: false }, async (terminal) => {
    await run(terminal, "true");
    const carries = (asked: { readonly body: Buffer }) =>
      Buffer.from(/echo (\S+) \|/.exec(asked.body.toString())?.[1] ?? "", "base64")
        .toString()
        .includes("only-once");
    service.trouble.push({ fits: carries, times: 1, how: "drop" });
    assert.equal((await terminal.run("echo only-once >> ~/runs", { signal, timeoutMs: 120_000 })).endedBy, "lost");
    assert.equal(await run(terminal, "cat ~/runs 2>/dev/null || echo never"), "never\n");
    assert.equal(service.asked.filter(carries).length, 1);
  });
});

test("passes only declared variables, and never credentials", options, async () => {
  Object.assign(process.env, {
    DAYTONA_TEST_PASSED: "it's passed",
    DAYTONA_TEST_OTHER: "other",
    DAYTONA_TEST_TOKEN: "secret",
  });
  const config = { container_persistent: false, env_passthrough: ["DAYTONA_TEST_PASSED", "DAYTONA_TEST_TOKEN"] };
  assert.equal(
    await opened(config, (terminal) =>
      run(terminal, 'echo "$DAYTONA_TEST_PASSED|$DAYTONA_TEST_OTHER|$DAYTONA_TEST_TOKEN"'),
    ),
    "it's passed||\n",
  );
});

// req: R-39
test("passes a stored secret in a command's environment and in no argument list", options, () =>
  opened({}, givesSecrets),
);

test("syncs the start directory both ways, and sends declared credential files", options, () =>
  goesBothWays(
    (config, agent) =>
      new DaytonaBackend({
        ...agent,
        fetch,
        key: DAYTONA_KEY,
        url: service.url,
        target: "eu",
        config: { ...config, container_persistent: false },
      }),
  ),
);
