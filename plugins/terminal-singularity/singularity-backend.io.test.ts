import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import { HAS_DETACHED_PROCESS } from "hermes-agent/terminal";
import { quietLog } from "hermes-agent/testing";
import { outlivesItsAgent } from "../tool-terminal/testing/outlives-its-agent.ts";
import { SingularityBackend } from "./singularity-backend.ts";
import { testRuntime, type TestRuntime } from "./testing/runtime.ts";

const found = testRuntime();
after(() => (typeof found === "string" ? undefined : found[Symbol.dispose]()));
const runtime = found as TestRuntime;
const options = { skip: typeof found === "string" ? found : false };
const doubleOnly = {
  skip: typeof found === "string" ? found : found.kind === "real" ? "what is looked at is the double's" : false,
};
const { signal } = new AbortController();

async function opened<T>(
  more: JsonObject,
  use: (run: (command: string) => Promise<string>, terminal: Terminal, backend: SingularityBackend) => Promise<T>,
  key = "task",
): Promise<T> {
  await using backend = new SingularityBackend({ ...runtime.config, ...more }, runtime.home, quietLog());
  const terminal = await backend.open({ key }, signal);
  return await use(
    async (command) => (await terminal.run(command, { signal, timeoutMs: 120_000 })).output,
    terminal,
    backend,
  );
}

// req: terminal.backend-singularity
test(
  "builds an image once, starts an instance, runs commands in it, and stops it with its task",
  doubleOnly,
  async () => {
    const before = runtime.calls().length;
    await opened(
      { singularity_image: "docker://hermes-test/sequence", container_cpu: 2, container_memory: 100 },
      (run) => run("true"),
      "sequence",
    );
    await opened(
      {
        singularity_image: "docker://hermes-test/sequence",
        container_persistent: false,
        container_cpu: 0,
        container_memory: 0,
      },
      (run) => run("true"),
      "sequence",
    );
    const calls = runtime
      .calls()
      .slice(before)
      .map((call) =>
        call
          .replaceAll(HAS_DETACHED_PROCESS, "SOMETHING_KEPT")
          .replaceAll(runtime.home, "HOME")
          .replaceAll(/hermes-[0-9a-f]{8}-\d+-/g, "NAME-")
          .replaceAll(/[0-9a-f-]{36}/g, "UUID")
          .replaceAll(/-[0-9a-f]{12}\.sif/g, "-HASH.sif"),
      );
    const image = "HOME/sandboxes/singularity/images/hermes-test-sequence-HASH.sif";
    assert.deepEqual(calls, [
      "--version",
      "instance list --json",
      "build HOME/sandboxes/singularity/images/.UUID.sif docker://hermes-test/sequence",
      `instance start --containall --no-home --overlay HOME/sandboxes/singularity/overlays/sequence --cpus 2 --memory 100M ${image} NAME-sequence`,
      "exec instance://NAME-sequence sh -c bash --norc --noprofile; exit $?",
      "exec instance://NAME-sequence sh -c SOMETHING_KEPT",
      "instance stop NAME-sequence",
      "--version",
      "instance list --json",
      `instance start --containall --no-home --writable-tmpfs ${image} NAME-sequence`,
      "exec instance://NAME-sequence sh -c bash --norc --noprofile; exit $?",
      "exec instance://NAME-sequence sh -c SOMETHING_KEPT",
      "instance stop NAME-sequence",
    ]);
  },
);

// req: terminal.state-per-task
test("each task has a separate instance and files, and sees nothing of this machine", options, async () => {
  writeFileSync(join(runtime.home, "../outside"), "of this machine");
  await opened({}, async (run, _terminal, backend) => {
    assert.equal(
      await run(`cat '${join(runtime.home, "../outside")}' 2>/dev/null || echo nothing; echo mine > ~/note`),
      "nothing\n",
    );
    const other = await backend.open({ key: "other" }, signal);
    assert.equal(
      (await other.run("cat ~/note 2>/dev/null || echo nothing", { signal, timeoutMs: 120_000 })).output,
      "nothing\n",
    );
  });
});

// req: terminal.auto-cleanup
test("a task's files survive its instance in the overlay, unless container_persistent is off", options, async () => {
  await opened({}, (run) => run("echo kept > ~/kept"), "kept");
  assert.equal(await opened({}, (run) => run("cat ~/kept"), "kept"), "kept\n");
  await opened({ container_persistent: false }, (run) => run("echo kept > ~/kept"), "once");
  assert.equal(
    await opened({ container_persistent: false }, (run) => run("cat ~/kept 2>/dev/null || echo nothing"), "once"),
    "nothing\n",
  );
  const { stdout } = spawnSync(runtime.client, ["instance", "list", "--json"], { encoding: "utf8" });
  assert.doesNotMatch(stdout, /hermes-/);
});

test(
  "passes only declared variables, never those that look like a credential, and no command line contains their values",
  doubleOnly,
  async () => {
    const given = {
      SINGULARITY_TEST_PASSED: "passed value",
      SINGULARITY_TEST_OTHER: "other",
      SINGULARITY_TEST_API_KEY: "secret",
      APPTAINERENV_SMUGGLED: "yes",
    };
    Object.assign(process.env, given);
    try {
      const seen = await opened({ env_passthrough: ["SINGULARITY_TEST_PASSED", "SINGULARITY_TEST_API_KEY"] }, (run) =>
        run('echo "$SINGULARITY_TEST_PASSED|$SINGULARITY_TEST_OTHER|$SINGULARITY_TEST_API_KEY|$SMUGGLED"'),
      );
      assert.equal(seen, "passed value|||\n");
      assert.doesNotMatch(runtime.calls().join("\n"), /passed value/);
    } finally {
      for (const name of Object.keys(given)) delete process.env[name];
    }
  },
);

test("the next agent of the same home stops an instance whose agent has ended", doubleOnly, async () => {
  const gone = spawnSync("true").pid;
  await opened({}, async (run) => {
    await run("true");
    const [, prefix] = /exec instance:\/\/(hermes-[0-9a-f]+)-/.exec(runtime.calls().at(-1)!)!;
    const image = /(\S+\.sif) hermes/.exec(runtime.calls().at(-2)!)![1]!;
    spawnSync(runtime.client, [
      "instance",
      "start",
      "--containall",
      "--no-home",
      "--writable-tmpfs",
      image,
      `${prefix}-${gone}-left`,
    ]);
    spawnSync(runtime.client, [
      "instance",
      "start",
      "--containall",
      "--no-home",
      "--writable-tmpfs",
      image,
      `hermes-00000000-${gone}-anothers`,
    ]);
  });
  await opened({}, (run) => run("true"));
  const { stdout } = spawnSync(runtime.client, ["instance", "list", "--json"], { encoding: "utf8" });
  assert.doesNotMatch(stdout, /-left/);
  assert.match(stdout, /-anothers/);
});

test("runs the instance without limits where processors and memory cannot be limited", doubleOnly, async () => {
  writeFileSync(join(runtime.state, "without-cgroups"), "");
  assert.equal(
    await opened({ container_cpu: 1, container_memory: 64 }, (run) => run("echo runs"), "unlimited"),
    "runs\n",
  );
});

test("reports an image that is missing, invalid or cannot be built, with a hint", options, async () => {
  await assert.rejects(
    opened({ singularity_image: "/no/such/image.sif" }, (run) => run("true")),
    { name: "TerminalUnavailable", message: /No such image: \/no\/such\/image\.sif/, hint: /singularity_image/ },
  );
  writeFileSync(join(runtime.home, "../text"), "no image");
  await assert.rejects(
    opened({ singularity_image: join(runtime.home, "../text") }, (run) => run("true")),
    { name: "TerminalUnavailable", message: /format not recognized/ },
  );
  if (runtime.kind === "double")
    await assert.rejects(
      opened({ singularity_image: "docker://hermes-test/none" }, (run) => run("true")),
      { name: "TerminalUnavailable", message: /Cannot build the image .*denied/ },
    );
});

test("names the clients that it looked for if none is installed", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "/nonexistent";
  try {
    await using backend = new SingularityBackend({}, "/nonexistent", quietLog());
    await assert.rejects(backend.open({ key: "task" }, signal), {
      name: "TerminalUnavailable",
      message: /apptainer is not on PATH; singularity is not on PATH/,
    });
  } finally {
    process.env["PATH"] = path;
  }
});

// req
test(
  "a persistent process in an instance survives its agent, and another agent can list, follow, write to and stop it",
  doubleOnly,
  () => outlivesItsAgent({ id: "singularity", config: runtime.config }),
);
