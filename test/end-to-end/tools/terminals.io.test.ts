import assert from "node:assert/strict";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Sshd, WITHOUT_SSHD } from "../../../plugins/terminal-ssh/testing/sshd.ts";
import { NewUser } from "../support/test-user.ts";

const host = WITHOUT_SSHD === undefined ? await Sshd.start() : undefined;
after(() => host?.[Symbol.asyncDispose]());
const options = { skip: WITHOUT_SSHD ?? false };

/** The same as the configuration file would say, as variables. */
function variables(): Record<string, string> {
  const { ssh_host, ssh_user, ssh_port, ssh_key, ssh_known_hosts } = host!.config() as Record<string, string | number>;
  return {
    TERMINAL_SSH_HOST: String(ssh_host),
    TERMINAL_SSH_USER: String(ssh_user),
    TERMINAL_SSH_PORT: String(ssh_port),
    TERMINAL_SSH_KEY: String(ssh_key),
    TERMINAL_SSH_KNOWN_HOSTS: String(ssh_known_hosts),
  };
}

// req: terminal.backend-ssh
test("`--terminal ssh` runs the commands of one turn on the other host", options, async () => {
  using user = new NewUser(variables());
  const { status, out, err } = await user.run(["chat", "-q", "run printenv SSH_CONNECTION HOME", "--terminal", "ssh"]);
  assert.equal(status, 0, err);
  assert.match(out, new RegExp(`127\\.0\\.0\\.1 ${host!.port}\\b`));
  assert.match(out, new RegExp(`${host!.folder}/home`));
  const here = await user.run(["chat", "-q", "run printenv HOME"]);
  assert.doesNotMatch(here.out, new RegExp(host!.folder));
});

// req: R-24
test("a command that runs on another host can be listed and stopped from another terminal", options, async () => {
  using user = new NewUser(variables());
  const turn = user.run(["chat", "-q", "run sleep 300", "--terminal", "ssh", "--yolo"]);
  let listed: { id: string; kind: string; place: string; session: string; command: string }[] = [];
  for (let tries = 0; tries < 200 && listed.length === 0; tries += 1)
    listed = JSON.parse((await user.run(["ps", "--json"])).out) as typeof listed;
  const [command] = listed;
  assert.deepEqual(
    [listed.length, command!.kind, command!.place, command!.command],
    [1, "command", "ssh", "sleep 300"],
  );
  const stopped = await user.run(["ps", "stop", command!.id]);
  assert.equal(stopped.out, `Stopped ${command!.id}.\n`, stopped.err);
  assert.match((await turn).out, /Stopped by the user/);
  assert.equal((await user.run(["ps"])).out, "No processes are running.\n");
});

test("says that a rollback cannot undo changes on another host", options, async () => {
  using user = new NewUser(variables());
  await user.run(["chat", "-q", "run touch made", "--terminal", "ssh", "--yolo"]);
  const { out } = await user.run(["rollback", "list"]);
  assert.match(
    out,
    /No turn of this conversation has a checkpoint with changed files\.\n\nChanges in ssh cannot be undone/,
  );
});

// req: terminal.env-variables, terminal.env-type
test("variables override the file for the backend and its settings", options, async () => {
  using user = new NewUser(variables());
  user.write("~/.hermes/config.yaml", "terminal:\n  env_type: ssh\n  ssh_host: nowhere.invalid\n");
  const checked = await user.run(["terminals", "check", "--json"]);
  const ssh = (JSON.parse(checked.out) as { id: string; ok: boolean; chosen: boolean; detail: string }[]).find(
    ({ id }) => id === "ssh",
  )!;
  assert.deepEqual([ssh.ok, ssh.chosen, checked.status], [true, true, 0], ssh.detail);
  assert.match(
    (await user.run(["terminals", "list"])).out,
    /MODAL_TOKEN_ID, MODAL_TOKEN_SECRET are not set\.\n.*hermes config set MODAL_TOKEN_ID/,
    "the list shows the command that helps",
  );
  using managed = new NewUser({ TERMINAL_MODAL_MODE: "managed", MODAL_TOKEN_ID: "a", MODAL_TOKEN_SECRET: "b" });
  assert.match(
    (await managed.run(["terminals", "check", "modal"])).out,
    /✗ modal +terminal\.modal_mode is managed/,
    "an unsupported mode is refused",
  );
  using another = new NewUser({ ...variables(), TERMINAL_ENV: "local" });
  another.write("~/.hermes/config.yaml", "terminal:\n  env_type: ssh\n");
  const other = await another.run(["terminals", "list", "--json"]);
  assert.deepEqual(
    (JSON.parse(other.out) as { id: string; chosen: boolean }[]).filter(({ chosen }) => chosen).map(({ id }) => id),
    ["local"],
  );
});

// req: terminal.docker-image-default
test("docker uses the default image until another is set, in the settings and in the engine", async () => {
  using user = new NewUser();
  const asked = async (more: { readonly [name: string]: string }) => {
    using engine = new NewUser({
      TERMINAL_ENV: "docker",
      ...more,
      HERMES_DOCKER_BINARY: user.write(
        "engine",
        `#!/bin/sh\nprintf '%s\\n' "$*" >> '${user.folder}/calls'\n[ "$1" != run ]\n`,
      ),
    });
    chmodSync(join(user.folder, "engine"), 0o755);
    rmSync(join(user.folder, "calls"), { force: true });
    await engine.run(["terminals", "check", "docker"]);
    const [, image] = /^run .* --entrypoint sh (\S+) -c /m.exec(readFileSync(join(user.folder, "calls"), "utf8")) ?? [];
    return { set: (await engine.run(["config", "get", "terminal.docker_image"])).out.trim(), image };
  };
  const unset = "nikolaik/python-nodejs:python3.11-nodejs20";
  assert.deepEqual(await asked({}), { set: unset, image: unset });
  assert.deepEqual(await asked({ TERMINAL_DOCKER_IMAGE: "alpine:3" }), { set: "alpine:3", image: "alpine:3" });
});

// req: terminal.seven-backends
test("reports an unavailable backend with a hint before it asks the model", async () => {
  using user = new NewUser();
  const unset = await user.run(["chat", "-q", "run ls", "--terminal", "ssh"]);
  assert.equal(unset.status, 1);
  assert.match(unset.err, /terminal\.ssh_host/);
  const unknown = await user.run(["chat", "-q", "run ls", "--terminal", "nowhere"]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.err, /Backends: daytona, docker, local, modal, singularity, ssh, vercel_sandbox/);
  using wrong = new NewUser({ TERMINAL_SSH_HOST: "127.0.0.1", TERMINAL_SSH_PORT: "1" });
  const checked = await wrong.run(["terminals", "check", "ssh"]);
  assert.equal(checked.status, 1);
  assert.match(checked.out, /✗ ssh +Cannot connect to 127\.0\.0\.1 \(port 1\).*Connection refused\n.*ssh_port/);
});

test("`terminals check` fails when the backend in use does not work, and only then", async () => {
  const statusWith = async (backend: string) => {
    using user = new NewUser({ TERMINAL_ENV: backend, TERMINAL_SSH_HOST: "127.0.0.1", TERMINAL_SSH_PORT: "1" });
    const { status, out } = await user.run(["terminals", "check"]);
    return {
      status,
      line: out
        .split("\n")
        .find((line) => line.includes("(in use)"))
        ?.trim(),
    };
  };
  const local = await statusWith("local");
  assert.match(local.line!, /^✓ local .* \(in use\)$/);
  assert.equal(local.status, 0, "modal has no key, so Hermes does not connect to it");
  const ssh = await statusWith("ssh");
  assert.deepEqual([ssh.status, ssh.line!.slice(0, 5)], [1, "✗ ssh"]);
  const unknown = await statusWith("nowhere");
  assert.equal(unknown.status, 1);
  assert.match(unknown.line!, /^✗ nowhere +There is no such backend\. \(in use\)$/);
});
