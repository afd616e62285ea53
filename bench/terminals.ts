import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalOpener } from "../src/plugin.ts";
import { quietLog } from "../src/testing/index.ts";
import { DockerBackend } from "../plugins/terminal-docker/docker-backend.ts";
import { IMAGE, realDocker } from "../plugins/terminal-docker/testing/real-engines.ts";
import { LocalBackend } from "../plugins/terminal-local/local-backend.ts";
import { SshBackend } from "../plugins/terminal-ssh/ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "../plugins/terminal-ssh/testing/sshd.ts";
import { atMost, median, ms, type Figure } from "./figures.ts";

/** A terminal backend without Hermes: a shell there behind pipes, and one process for each command. */
interface Raw {
  readonly backend: TerminalOpener;
  readonly shell: readonly string[];
  readonly once: readonly string[];
  readonly onceName: string;
  /** How much longer a command in the persistent shell may take than through the bare pipe, in ms. */
  readonly limitMs: number;
}

/**
 * A command in a persistent shell, on real backends: its cost compared with a bare pipe to a shell there, and with a
 * separate process.
 */
export async function terminalFigures(rounds: number): Promise<readonly Figure[]> {
  return [...(await local(rounds)), ...(await docker(rounds)), ...(await ssh(rounds))];
}

async function local(rounds: number): Promise<readonly Figure[]> {
  return measured("local", rounds, {
    backend: new LocalBackend({ auto_source_bashrc: false }, quietLog()),
    shell: ["bash", "--norc"],
    once: ["bash", "-c", "true"],
    onceName: "a separate process",
    limitMs: 1,
  });
}

async function docker(rounds: number): Promise<readonly Figure[]> {
  const engine = await realDocker();
  if (typeof engine === "string") return [skipped("docker", engine)];
  await using _ = engine;
  const name = `hermes-bench-${process.pid}`;
  spawnSync("docker", ["run", "-d", "--name", name, "--network", "none", IMAGE, "sleep", "600"]);
  try {
    const backend = new DockerBackend({ ...engine.config, docker_persist_across_processes: false }, quietLog());
    return await measured("docker", rounds, {
      backend,
      shell: ["docker", "exec", "-i", name, "bash"],
      once: ["docker", "exec", name, "true"],
      onceName: "docker exec",
      limitMs: 2,
    });
  } finally {
    spawnSync("docker", ["rm", "-f", name]);
  }
}

async function ssh(rounds: number): Promise<readonly Figure[]> {
  if (WITHOUT_SSHD !== undefined) return [skipped("ssh", WITHOUT_SSHD)];
  await using host = await Sshd.start();
  const folder = mkdtempSync(join(tmpdir(), "hermes-bench-ssh-"));
  const config = host.config();
  const to = [
    "-q",
    "-i",
    String(config["ssh_key"]),
    "-p",
    String(config["ssh_port"]),
    "-o",
    `UserKnownHostsFile=${String(config["ssh_known_hosts"])}`,
    "-o",
    "ControlMaster=auto",
    "-o",
    `ControlPath=${folder}/master`,
    "-o",
    "ControlPersist=60",
    `${String(config["ssh_user"])}@127.0.0.1`,
  ];
  try {
    return await measured("ssh", rounds, {
      backend: new SshBackend(config, { log: quietLog(), home: folder }),
      shell: ["ssh", ...to, "bash"],
      once: ["ssh", ...to, "true"],
      onceName: "ssh over the same connection",
      limitMs: 5,
    });
  } finally {
    spawnSync("ssh", [...to.slice(0, -1), "-O", "exit", to.at(-1)!]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(
  place: string,
  rounds: number,
  { backend, shell, once, onceName, limitMs }: Raw,
): Promise<readonly Figure[]> {
  const { signal } = new AbortController();
  const terminal = await backend.open({ key: "bench", cwd: "/" }, signal);
  const pipe = new BarePipe(spawn(shell[0]!, shell.slice(1)));
  const [saved, bare, own]: [number[], number[], number[]] = [[], [], []];
  try {
    const inShell = () => terminal.run("true", { signal, timeoutMs: 10_000 });
    const alone = async () => void spawnSync(once[0]!, once.slice(1));
    for (const warm of [inShell, () => pipe.run("true"), alone]) await warm();
    // In turn, so that a busy machine slows all three.
    for (let round = 0; round < rounds; round += 1) {
      for (let each = 0; each < 5; each += 1) {
        saved.push(await timed(inShell));
        bare.push(await timed(() => pipe.run("true")));
      }
      own.push(await timed(alone));
    }
  } finally {
    pipe.end();
    await backend[Symbol.asyncDispose]?.();
  }
  const over = Math.max(0, median(saved) - median(bare));
  const times = median(own) / median(saved);
  return [
    {
      ...atMost(`${place}: a command in the persistent shell, over a bare pipe to a shell there`, over, limitMs, ms),
      value: `${ms(over)} (${ms(median(saved))} and ${ms(median(bare))})`,
    },
    {
      name: `${place}: ${onceName}`,
      value: `${ms(median(own))} = ${times.toFixed(1)} × the persistent shell`,
      limit: "",
      ok: true,
    },
  ];
}

/** A shell's pipes and a mark after each command: the minimum cost of a persistent shell. */
class BarePipe {
  readonly #shell: ChildProcessWithoutNullStreams;
  #number = 0;

  constructor(shell: ChildProcessWithoutNullStreams) {
    this.#shell = shell;
  }

  run(command: string): Promise<void> {
    const mark = `done-${(this.#number += 1)}`;
    return new Promise((resolve) => {
      const look = (bytes: Buffer) => {
        if (!bytes.includes(mark)) return;
        this.#shell.stdout.off("data", look);
        resolve();
      };
      this.#shell.stdout.on("data", look);
      this.#shell.stdin.write(`${command}\necho ${mark}\n`);
    });
  }

  end(): void {
    this.#shell.kill();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function skipped(place: string, reason: string): Figure {
  return { name: `${place}: not measured, ${reason}`, value: "–", limit: "", ok: true };
}
