import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Json, JsonObject, Terminal } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import { goesBothWays } from "../../test/servers/clouds/file-transfer.ts";
import { givesSecrets } from "../../test/servers/clouds/given-secrets.ts";
import { MODAL_TOKEN, modalAt, ModalDouble } from "../../test/servers/clouds/modal.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { ModalBackend } from "./modal-backend.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";

const service = await ModalDouble.start();
after(() => service[Symbol.asyncDispose]());
const access = { ...MODAL_TOKEN, load: modalAt(service.url) };
const skip = { skip: WITHOUT_SANDBOX ?? false };
const { signal } = new AbortController();
const saved = new Map<string, Json>();
const storage = () => ({
  get: async (key: string) => saved.get(key),
  set: async (key: string, value: Json) => void saved.set(key, value),
  delete: async (key: string) => saved.delete(key),
  keys: async () => [...saved.keys()],
});

async function opened<T>(
  config: JsonObject,
  use: (terminal: Terminal) => Promise<T>,
  { key = "task", tokenSecret = MODAL_TOKEN.tokenSecret, within = signal } = {},
): Promise<T> {
  await using backend = new ModalBackend({ home: "/home", config, storage, log: quietLog(), ...access, tokenSecret });
  return await use(await backend.open({ key }, within));
}

const run = async (terminal: Terminal, command: string) =>
  (await terminal.run(command, { signal, timeoutMs: 120_000 })).output;
const asked = (method: string) => service.calls.filter((call) => call.method === method).length;

// req: terminal.backend-modal
test(
  "saves a task's files as a snapshot for its next sandbox, and starts empty if the service lost it",
  skip,
  async () => {
    assert.equal(
      await opened({}, (terminal) => run(terminal, "echo kept > ~/note; echo done"), { key: "kept" }),
      "done\n",
    );
    assert.equal(service.find(/^hermes-kept-/), undefined, "the sandbox ends with its task");
    assert.equal(await opened({}, (terminal) => run(terminal, "cat ~/note"), { key: "kept" }), "kept\n");
    await service.forgetSnapshots();
    assert.equal(
      await opened(
        { container_persistent: false },
        (terminal) => run(terminal, "cat ~/note 2>/dev/null || echo none"),
        { key: "kept" },
      ),
      "none\n",
    );
  },
);

test(
  "a temporary failure and a lost answer create one sandbox; a refusal, an invalid answer and wrong keys are reported with a hint",
  skip,
  async () => {
    const before = asked("SandboxCreateV2");
    service.trouble.push({ method: "SandboxCreateV2", times: 2, how: { code: 14, message: "Try again" } });
    assert.equal(await opened({ container_persistent: false }, (terminal) => run(terminal, "echo made")), "made\n");
    assert.equal(asked("SandboxCreateV2") - before, 3);
    service.trouble.push({ method: "SandboxCreateV2", times: 1, how: "unheard" });
    assert.equal(await opened({ container_persistent: false }, (terminal) => run(terminal, "echo made")), "made\n");
    for (const [how, words] of [
      [
        { code: 8, message: "Workspace has too many sandboxes" },
        { message: "Cannot start a Modal sandbox: Workspace has too many sandboxes", hint: /[Tt]ry again later/ },
      ],
      [{ code: 3, message: "Invalid definition" }, { message: /Cannot start a Modal sandbox: Invalid definition/ }],
      [{ lie: Buffer.from("no protobuf") }, { message: /Cannot start a Modal sandbox/ }],
    ] as const) {
      service.trouble.push({ method: "SandboxCreateV2", times: 10, how });
      await assert.rejects(
        opened({}, (terminal) => run(terminal, "true")),
        { name: "TerminalUnavailable", ...words },
      );
      service.trouble.length = 0;
    }
    await assert.rejects(
      opened({ modal_image: "none:none" }, (terminal) => run(terminal, "true")),
      { name: "TerminalUnavailable", hint: "Check terminal.modal_image." },
    );
    await assert.rejects(
      opened({}, (terminal) => run(terminal, "true"), { tokenSecret: "wrong" }),
      { name: "TerminalUnavailable", message: /Token validation failed/, hint: /MODAL_TOKEN_SECRET/ },
    );
    assert.equal(service.sandboxes.size, 0, "no paid resource is left running");
  },
);

test("a caller can stop waiting for a service that does not answer", skip, async () => {
  const stop = new AbortController();
  service.trouble.push({ method: "SandboxGetFromNameV2", times: 1, how: "stall" });
  const watch = new Stopwatch();
  setTimeout(() => stop.abort(new Error("enough")), 300);
  const backend = new ModalBackend({ home: "/home", config: {}, storage, log: quietLog(), ...access });
  await assert.rejects(backend.open({ key: "stalled" }, stop.signal), { message: "enough" });
  watch.assertWithin(2_000, "stopping");
});

test("runs input once if its confirmation is lost; a silent service ends the command as lost", skip, async () => {
  await opened({ container_persistent: false }, async (terminal) => {
    await run(terminal, "true");
    service.trouble.push({ method: "TaskExecStdinWrite", times: 1, how: "unheard" });
    assert.equal((await terminal.run("echo once >> ~/runs", { signal, timeoutMs: 120_000 })).endedBy, "exit");
    assert.equal(await run(terminal, "cat ~/runs"), "once\n");
    service.trouble.push({ method: "TaskExecStdinWrite", times: 1_000, how: "stall" });
    const silent = await terminal.run("echo again >> ~/runs", { signal, timeoutMs: 500 });
    service.trouble.length = 0;
    assert.equal(silent.endedBy, "lost");
    assert.equal(await run(terminal, "cat ~/runs"), "once\n");
  });
});

test("a command whose worker disappears ends as lost and is not repeated", skip, async () => {
  await opened({ container_persistent: false }, async (terminal) => {
    const running = terminal.run("echo begun >> ~/runs; sleep 300", { signal, timeoutMs: 120_000 });
    while ((await terminal.run("cat ~/runs 2>/dev/null", { signal, timeoutMs: 120_000, beside: true })).output === "")
      continue;
    service.cut(/^hermes-task-/);
    const lost = await running;
    assert.deepEqual([lost.endedBy, lost.exitCode], ["lost", undefined]);
    assert.equal(await run(terminal, "cat ~/runs"), "begun\n");
  });
});

// req: R-39
test("passes a stored secret in a command's environment and in no argument list", skip, () => opened({}, givesSecrets));

test("syncs the start directory both ways, and sends declared credential files", skip, () =>
  goesBothWays(
    (config, agent) =>
      new ModalBackend({
        ...agent,
        ...access,
        storage,
        log: quietLog(),
        config: { ...config, container_persistent: false },
      }),
  ),
);
