import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "hermes-agent/plugin";
import { waitFor } from "hermes-agent/testing";

/** An image for tests: what a small Debian has, taken from this machine, since no registry is asked. */
const PROGRAMS =
  "bash sh echo cat ls mkdir mkfifo mktemp chmod rm mv ln cp sleep dd head tail seq wc tr touch env id stat sync readlink cksum date awk grep sed ps setsid perl pwd true false stty script uname sort printf tty hostname find xargs tar sha256sum rmdir".split(
    " ",
  );
export const IMAGE = "hermes-test:base";

/** An engine that runs for the tests. */
export interface RealEngine extends AsyncDisposable {
  readonly client: "docker" | "podman";
  /** The section `terminal` of a configuration that uses it. */
  readonly config: JsonObject;
}

/** The docker engine of this machine, or one of the tests' own. A text says why there is none. */
export async function realDocker(): Promise<RealEngine | string> {
  const config = { docker_binary: "docker", docker_image: IMAGE, docker_network: false, container_memory: 512 };
  if (spawnSync("docker", ["version"]).status === 0) {
    return (
      whyNotUsable("docker") ?? { client: "docker", config, [Symbol.asyncDispose]: async () => removeAll("docker") }
    );
  }
  if (!has("docker") || !has("dockerd"))
    return "neither a docker engine that answers nor a dockerd to start (Debian: docker.io)";
  if (process.getuid?.() !== 0) return "dockerd needs root";
  const folder = mkdtempSync(join(tmpdir(), "hermes-dockerd-"));
  const host = `unix://${folder}/docker.sock`;
  const options = [
    "--data-root",
    `${folder}/data`,
    "--exec-root",
    `${folder}/exec`,
    "-H",
    host,
    "-p",
    `${folder}/pid`,
    "--iptables=false",
    "--ip6tables=false",
    "--bridge=none",
    "--storage-driver",
    "vfs",
  ];
  const server = spawn("dockerd", options, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { ...process.env, PATH: systemPath() },
  });
  let words = "";
  server.stderr!.on("data", (bytes: Buffer) => void (words = (words + bytes.toString("utf8")).slice(-500)));
  const before = process.env["DOCKER_HOST"];
  process.env["DOCKER_HOST"] = host;
  const end = async () => {
    await stopped(server);
    if (before === undefined) delete process.env["DOCKER_HOST"];
    else process.env["DOCKER_HOST"] = before;
    spawnSync("sh", ["-c", `grep -o '${folder}[^ ]*' /proc/mounts | sort -r | xargs -r umount -l`]);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; spawnSync("docker", ["version"]).status !== 0; tries += 1) {
    if (tries > 240 || server.exitCode !== null) {
      await end();
      return `dockerd does not start here: ${words.split("\n").filter(Boolean).at(-1) ?? "it said nothing"}`;
    }
    await wait(250);
  }
  const why = whyNotUsable("docker");
  if (why !== undefined) {
    await end();
    return why;
  }
  return {
    client: "docker",
    config,
    [Symbol.asyncDispose]: async () => {
      removeAll("docker");
      await end();
    },
  };
}

export function canRunDocker(): boolean {
  return (
    has("docker") && (spawnSync("docker", ["version"]).status === 0 || (has("dockerd") && process.getuid?.() === 0))
  );
}

/** Podman with a storage of the tests' own. A text says why there is none. */
export async function realPodman(): Promise<RealEngine | string> {
  if (!has("podman")) return "no podman here (Debian: podman)";
  const folder = mkdtempSync(join(tmpdir(), "hermes-podman-"));
  // A machine that is a container itself may neither raise limits nor mix kinds of control groups.
  writeFileSync(
    join(folder, "containers.conf"),
    `[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\ncgroup_manager = "cgroupfs"\n${has("runc") ? 'runtime = "runc"\n' : ""}`,
  );
  writeFileSync(
    join(folder, "storage.conf"),
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`,
  );
  process.env["CONTAINERS_CONF"] = join(folder, "containers.conf");
  process.env["CONTAINERS_STORAGE_CONF"] = join(folder, "storage.conf");
  const end = async () => {
    removeAll("podman");
    spawnSync("sh", ["-c", `grep -o '${folder}[^ ]*' /proc/mounts | sort -r | xargs -r umount -l`]);
    delete process.env["CONTAINERS_CONF"];
    delete process.env["CONTAINERS_STORAGE_CONF"];
    rmSync(folder, { recursive: true, force: true });
  };
  const why = whyNotUsable("podman");
  if (why !== undefined) {
    await end();
    return why;
  }
  return {
    client: "podman",
    config: { docker_binary: "podman", docker_image: IMAGE, docker_network: false, container_memory: 512 },
    [Symbol.asyncDispose]: end,
  };
}

/**
 * Kills the client processes that hold our shells, as losing the engine would. Resolves when the agent has noticed it.
 */
export async function killClients(client: string): Promise<void> {
  const known = clients(client);
  for (const pid of known) if (clients(client).includes(pid)) process.kill(pid, "SIGKILL");
  await gone(client, known);
}

/**
 * Removes the containers of a task. Resolves when the clients that held shells in them have ended and the agent has
 * noticed it.
 */
export async function removeContainers(client: string, key: string): Promise<void> {
  const ids = execFileSync(client, ["ps", "-a", "-q", "--no-trunc", "--filter", `label=hermes-task-id=${key}`], {
    encoding: "utf8",
  })
    .split("\n")
    .filter(Boolean);
  const inside = clients(client, ids);
  execFileSync(client, ["rm", "-f", ...ids], { stdio: "ignore" });
  await gone(client, inside);
}

/** Of ours, those that hold a shell; in one of these containers, where some are named. */
function clients(client: string, ids: readonly string[] = [""]): number[] {
  const { stdout } = spawnSync("pgrep", ["-a", "-P", String(process.pid), "-f", `^([^ ]*/)?${client} exec -i`], {
    encoding: "utf8",
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "" && ids.some((id) => line.includes(id)))
    .map((line) => Number(line.split(" ")[0]));
}

async function gone(client: string, known: readonly number[]): Promise<void> {
  await waitFor(() => !clients(client).some((pid) => known.includes(pid)));
}

/** Imports the image and runs a container from it. A text says why that fails; `undefined` where it works. */
function whyNotUsable(client: string): string | undefined {
  const root = mkdtempSync(join(tmpdir(), "hermes-image-"));
  try {
    chmodSync(root, 0o755);
    for (const folder of ["etc", "tmp", "root", "proc", "dev", "sys", "run", "var/tmp", "usr/bin"])
      mkdirSync(join(root, folder), { recursive: true });
    for (const folder of ["tmp", "var/tmp"]) chmodSync(join(root, folder), 0o1777);
    symlinkSync("usr/bin", join(root, "bin"));
    writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
    writeFileSync(join(root, "etc/group"), "root:x:0:\n");
    for (const program of PROGRAMS) copyProgram(program, root);
    const imported = spawnSync("sh", ["-c", `tar -C '${root}' -c . | ${client} import - ${IMAGE}`], {
      encoding: "utf8",
    });
    if (imported.status !== 0) return `${client} imports no image here: ${imported.stderr.trim().split("\n").at(-1)}`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const tried = spawnSync(client, ["run", "--rm", "--network", "none", IMAGE, "sh", "-c", "echo ok"], {
    encoding: "utf8",
  });
  return tried.stdout.trim() === "ok"
    ? undefined
    : `${client} runs no container here: ${tried.stderr.trim().split("\n").at(-1)}`;
}

function copyProgram(program: string, root: string): void {
  const found = ["/usr/bin", "/bin"].map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) return;
  const real = realpathSync(found);
  put(real, join(root, "usr/bin", basename(real)));
  if (basename(real) !== program) symlinkSync(basename(real), join(root, "usr/bin", program));
  for (const library of execFileSync("ldd", [real], { encoding: "utf8" }).match(/\/[^ ]+(?= \()/g) ?? [])
    put(realpathSync(library), join(root, library));
}

function put(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

function removeAll(client: string): void {
  spawnSync("sh", [
    "-c",
    `${client} ps -a -q --filter label=hermes-agent=1 --filter ancestor=${IMAGE} | xargs -r ${client} rm -f`,
  ]);
}

function has(program: string): boolean {
  return systemPath()
    .split(":")
    .some((folder) => existsSync(join(folder, program)));
}

/** Daemons lie in folders that an ordinary user's PATH lacks. */
function systemPath(): string {
  return `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin`;
}

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const timer = setTimeout(() => server.kill("SIGKILL"), 15_000);
  await gone;
  clearTimeout(timer);
}
