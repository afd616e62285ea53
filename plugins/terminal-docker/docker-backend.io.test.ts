import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import { NewUser } from "../../test/end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../../test/servers/openai.ts";
import { goesBothWays } from "../../test/servers/clouds/file-transfer.ts";
import { givesSecrets } from "../../test/servers/clouds/given-secrets.ts";
import { outlivesItsAgent } from "../tool-terminal/testing/outlives-its-agent.ts";
import { closedOff } from "./closed-off.ts";
import { DockerBackend } from "./docker-backend.ts";
import { realDocker } from "./testing/real-engines.ts";

const engine = await realDocker();
after(() => (typeof engine === "string" ? undefined : engine[Symbol.asyncDispose]()));
const options = { skip: typeof engine === "string" ? engine : false };
const { signal } = new AbortController();

async function opened<T>(
  more: JsonObject,
  use: (run: (command: string) => Promise<string>, terminal: Terminal) => Promise<T>,
  key = "docker-task",
): Promise<T> {
  await using backend = new DockerBackend(
    { ...(engine as { config: JsonObject }).config, docker_persist_across_processes: false, ...more },
    quietLog(),
  );
  const terminal = await backend.open({ key }, signal);
  return await use(async (command) => (await terminal.run(command, { signal, timeoutMs: 120_000 })).output, terminal);
}

const docker = (...args: string[]) => execFileSync("docker", args, { encoding: "utf8" });
const containers = (key: string) =>
  docker("ps", "-a", "-q", "--filter", `label=hermes-task-id=${key}`).split("\n").filter(Boolean);

const capabilities = (bits: string) => bits.padStart(16, "0");

// req: terminal.docker-caps
test(
  "commands run as an unprivileged user with a home, a name and a workspace, and cannot gain privileges",
  options,
  async () => {
    await opened({}, async (run) => {
      assert.equal(
        await run(
          "[ $(id -u) = 0 ] || echo no root; [ $(id -g) = 0 ] || echo nor its group; grep -E '^(CapBnd|CapEff|NoNewPrivs)' /proc/self/status",
        ),
        `no root\nnor its group\nCapEff:\t${capabilities("0")}\nCapBnd:\t${capabilities("b")}\nNoNewPrivs:\t1\n`,
      );
      assert.equal(
        await run(
          "pwd; echo $HOME; id -un; echo made > note; echo made > /workspace/note; stat -c %u note /workspace/note | sort -u | grep -c $(id -u); touch /etc/note || echo closed",
        ),
        "/home/hermes\n/home/hermes\nhermes\n1\ntouch: cannot touch '/etc/note': Permission denied\nclosed\n",
      );
    });
  },
);

test("root, if configured, has only the capabilities that package managers need", options, async () => {
  // CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID.
  const expected = `0\nCapEff:\t${capabilities("cb")}\nCapBnd:\t${capabilities("cb")}\nNoNewPrivs:\t1\n`;
  const asked = "id -u; touch /etc/note; grep -E '^(CapBnd|CapEff|NoNewPrivs)' /proc/self/status";
  assert.equal(await opened({ docker_user: "root" }, (run) => run(asked)), expected);
  assert.equal(await opened({ docker_extra_args: ["--user", "0:0"] }, (run) => run(asked)), expected);
});

test("runs with the user's id, without the capabilities to change it, if configured", options, async () => {
  assert.equal(
    await opened({ docker_run_as_host_user: true }, (run) => run("id -u; id -g")),
    `${process.getuid!()}\n${process.getgid!()}\n`,
  );
});

test("files created in a mounted folder belong to the folder's owner", options, async () => {
  const folder = mkdtempSync(join(tmpdir(), "docker-workspace-"));
  try {
    if (process.getuid!() === 0) chownSync(folder, 4321, 4322);
    await using backend = new DockerBackend(
      {
        ...(engine as { config: JsonObject }).config,
        docker_persist_across_processes: false,
        docker_mount_cwd_to_workspace: true,
      },
      quietLog(),
      { startDirectory: folder },
    );
    const terminal = await backend.open({ key: "docker-mounted" }, signal);
    const { output } = await terminal.run("pwd; echo made > note; [ -w ~ ] && id -un", { signal, timeoutMs: 120_000 });
    assert.equal(output, "/workspace\nhermes\n");
    const [made, owner] = [statSync(join(folder, "note")), statSync(folder)];
    assert.deepEqual([made.uid, made.gid], [owner.uid, owner.gid]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// req: R-71
test("saves files in a mounted folder before a command changes them, and rollback restores them", options, async () => {
  using prompter = new NewUser({ DOCKER_HOST: process.env["DOCKER_HOST"] ?? "" });
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "echo new > made.txt; rm kept.txt" } }] },
    { text: "Removed it." },
  ]);
  prompter.connect(
    "custom",
    server.url,
    `terminal: ${JSON.stringify({ ...(engine as { config: JsonObject }).config, backend: "docker", docker_mount_cwd_to_workspace: true, docker_persist_across_processes: false })}\n`,
  );
  prompter.write("kept.txt", "first words\n");
  const cleaned = await prompter.run(["chat", "-q", "clean up"]);
  assert.deepEqual([cleaned.status, readdirSync(prompter.folder)], [0, ["made.txt"]], cleaned.err);
  assert.match(
    (await prompter.run(["rollback"])).out,
    /^Changes in docker outside the mounted files cannot be undone/m,
  );
  const back = await prompter.run(["rollback", "restore", "1"]);
  assert.deepEqual([back.status, readdirSync(prompter.folder)], [0, ["kept.txt"]], back.err);
});

test("a container without network has none, and the engine enforces the limits", options, async () => {
  await opened({ docker_network: false, container_memory: 128, container_cpu: 0.5 }, async (run) => {
    assert.equal(await run("cat /proc/net/dev | sed -n '3,$p' | grep -cv lo:"), "0\n");
    const [id] = containers("docker-task");
    const limits = docker(
      "inspect",
      "-f",
      "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}",
      id!,
    ).trim();
    assert.ok(["134217728 500000000 512", "0 0 <nil>"].includes(limits), limits);
  });
});

// req: terminal.backend-docker
test("a container sees only explicitly mounted folders of this machine", options, async () => {
  const folder = mkdtempSync(join(tmpdir(), "docker-mount-"));
  try {
    writeFileSync(join(folder, "note"), "from here");
    chmodSync(folder, 0o777);
    assert.equal(await opened({}, (run) => run(`cat '${folder}/note' 2>/dev/null || echo nothing`)), "nothing\n");
    assert.equal(
      await opened({ docker_volumes: [`${folder}:/mnt`] }, (run) => run("cat /mnt/note; printf back > /mnt/answer")),
      "from here",
    );
    assert.equal(readFileSync(join(folder, "answer"), "utf8"), "back");
    assert.equal(closedOff({ docker_volumes: [`${folder}:/mnt`] }), false);
    assert.equal(closedOff({}), true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("passes only declared variables, and no command line contains their values", options, async () => {
  process.env["DOCKER_TEST_FORWARDED"] = "forwarded value";
  process.env["DOCKER_TEST_OTHER"] = "other";
  try {
    const seen = await opened(
      { docker_forward_env: ["DOCKER_TEST_FORWARDED"], docker_env: { SET: "two words" } },
      (run) => run('echo "$DOCKER_TEST_FORWARDED|$SET|$DOCKER_TEST_OTHER"'),
    );
    assert.equal(seen, "forwarded value|two words|\n");
    assert.equal(
      await opened({ env_passthrough: ["DOCKER_TEST_FORWARDED"] }, (run) =>
        run('echo "$DOCKER_TEST_FORWARDED|$DOCKER_TEST_OTHER"'),
      ),
      "forwarded value|\n",
    );
  } finally {
    delete process.env["DOCKER_TEST_FORWARDED"];
    delete process.env["DOCKER_TEST_OTHER"];
  }
});

// req: R-39
test(
  "passes a stored secret in a command's environment, in no argument list and not in the container's environment",
  options,
  () =>
    opened(
      {},
      async (run, terminal) => {
        await givesSecrets(terminal);
        assert.doesNotMatch(docker("inspect", ...containers("docker-secrets")), /wander|second line/);
      },
      "docker-secrets",
    ),
);

// req: terminal.auto-cleanup
test(
  "removes a container with its task, or keeps it stopped so that the next start finds its files",
  options,
  async () => {
    await opened({}, (run) => run("true"), "docker-once");
    assert.deepEqual(containers("docker-once"), []);
    const saved = { docker_persist_across_processes: true };
    await opened(saved, (run) => run("echo kept > ~/note"), "docker-kept");
    const [id] = containers("docker-kept");
    assert.equal(docker("inspect", "-f", "{{.State.Running}}", id!).trim(), "false");
    assert.equal(await opened(saved, (run) => run("cat ~/note"), "docker-kept"), "kept\n");
    assert.deepEqual(containers("docker-kept"), [id]);
    await opened({ ...saved, container_memory: 256 }, (run) => run("true"), "docker-kept");
    assert.equal(containers("docker-kept").length, 2, "other options make another container");
  },
);

// row 52 of the fault matrix
test("reports an image that does not exist, with a hint", options, async () => {
  await assert.rejects(
    opened({ docker_image: "localhost/none:none" }, (run) => run("true")),
    { name: "TerminalUnavailable", message: /localhost\/none:none/ },
  );
});

// field: T12
test("shows the end of the log of a container that ends at once, and removes it", options, async () => {
  const broken = (name: string, script: string): string => {
    const replace = `p=$(command -v sh); rm "$p"; printf '%s\\n' '#!/bin/bash' "$1" >"$p"; chmod 755 "$p"`;
    docker(
      "run",
      "--name",
      name,
      "--entrypoint",
      "bash",
      (engine as { config: JsonObject }).config["docker_image"] as string,
      "-c",
      replace,
      "-",
      script,
    );
    docker("commit", name, `hermes-test:${name}`);
    docker("rm", name);
    return `hermes-test:${name}`;
  };
  for (const [name, script, message] of [
    [
      "missing-library",
      "echo libz.so.1 is missing >&2; exit 3",
      /ended with exit code 3\. The end of its log: libz\.so\.1 is missing$/,
    ],
    [
      "six-lines",
      "for n in 1 2 3 4 5 6; do echo line $n; done; exit 0",
      /ended with exit code 0\. The end of its log: line 2 \| .* \| line 6$/,
    ],
    ["silent", "exit 7", /ended with exit code 7, and its log is empty$/],
  ] as const) {
    const image = broken(name, script);
    const run = opened({ docker_image: image }, async (command) => command("sleep 2; true"), `docker-${name}`);
    await assert.rejects(run, { name: "TerminalUnavailable", message });
    assert.deepEqual(containers(`docker-${name}`), [], "nothing is left behind");
  }
});

// field: T13
test("a container that cannot start is removed", options, async () => {
  for (const args of [
    ["--ulimit", "nofile=99999999:99999999"],
    ["--device", "/dev/none"],
    ["--workdir", "relative"],
  ]) {
    await assert.rejects(
      opened({ docker_extra_args: args }, (run) => run("true"), "docker-never-starts"),
      { name: "TerminalUnavailable", message: /Cannot start a container/ },
      args.join(" "),
    );
    assert.deepEqual(containers("docker-never-starts"), [], args.join(" "));
  }
});

test("syncs the start directory both ways, and sends declared credential files", options, () =>
  goesBothWays(
    (config, agent) =>
      new DockerBackend(
        { ...(engine as { config: JsonObject }).config, docker_persist_across_processes: false, ...config },
        quietLog(),
        agent,
      ),
  ),
);

// req
test(
  "a persistent process in a container survives its agent, and another agent can list, follow, write to and stop it",
  options,
  () => outlivesItsAgent({ id: "docker", config: (engine as { config: JsonObject }).config }),
);
