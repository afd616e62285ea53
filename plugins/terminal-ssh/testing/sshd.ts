import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "hermes-agent/plugin";
import { lacksProgram, waitFor } from "hermes-agent/testing";

const SSHD = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));

/** Why no server can be started here; `undefined` when it can. */
export const WITHOUT_SSHD =
  SSHD === undefined ? "no sshd here (Debian: openssh-server)" : lacksProgram("ssh", "ssh-keygen") || undefined;

/** A real sshd on a loopback port, run by the tests' user, with keys made for it. */
export class Sshd implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-sshd-"));
  port = 0;
  #server: ChildProcess | undefined;

  static async start(): Promise<Sshd> {
    const sshd = new Sshd();
    await sshd.#start();
    return sshd;
  }

  /** The section `terminal` of a configuration that connects to it. */
  config(more: JsonObject = {}): JsonObject {
    return {
      ssh_host: "127.0.0.1",
      ssh_user: userInfo().username,
      ssh_port: this.port,
      ssh_key: this.#file("client"),
      ssh_known_hosts: this.#file("known"),
      ...more,
    };
  }

  /**
   * Kills the processes that serve the connections, as a crash of the host's server would. The server itself continues.
   * Resolves when our clients have noticed it: until then, anything sent to them goes to a host that is lost.
   */
  async cut(): Promise<void> {
    const clients = () =>
      spawnSync("pgrep", ["-P", String(process.pid), "-f", `^([^ ]*/)?ssh .*${this.#file("client")}`], {
        encoding: "utf8",
      })
        .stdout.split("\n")
        .filter(Boolean);
    const before = clients();
    for (const pid of this.connections()) kill(pid);
    await waitFor(() => !clients().some((pid) => before.includes(pid)));
  }

  /** The host goes down, with all its connections. */
  async down(): Promise<void> {
    await this.cut();
    const gone = new Promise((resolve) => this.#server!.once("exit", resolve));
    this.#server!.kill("SIGTERM");
    await gone;
  }

  /** It is back, under the same name and with the same keys. */
  async up(): Promise<void> {
    this.#server = spawn(SSHD!, ["-D", "-e", "-f", this.#file("config")], { stdio: "ignore" });
    for (let tries = 0; !(await answers(this.port)); tries += 1) {
      if (tries > 1_200 || this.#server.exitCode !== null)
        throw new Error(`sshd does not answer on port ${this.port}.`);
      await wait(50);
    }
  }

  /** Numbers of the processes that serve connections. */
  connections(): number[] {
    const pids = (parent: number): number[] => {
      const children = readMaybe(`/proc/${parent}/task/${parent}/children`).split(" ").filter(Boolean).map(Number);
      return children
        .filter((pid) => readMaybe(`/proc/${pid}/comm`).startsWith("sshd"))
        .flatMap((pid) => [pid, ...pids(pid)]);
    };
    return pids(this.#server!.pid!);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #file(name: string): string {
    return join(this.folder, name);
  }

  async #start(): Promise<void> {
    for (const name of ["client", "host"])
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", this.#file(name)]);
    writeFileSync(this.#file("authorized"), readFileSync(this.#file("client.pub")), { mode: 0o600 });
    this.port = await freePort();
    writeFileSync(this.#file("known"), `[127.0.0.1]:${this.port} ${readFileSync(this.#file("host.pub"), "utf8")}`);
    mkdirSync(this.#file("home"));
    // sshd run by root wants this folder.
    if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
    const settings = {
      Port: this.port,
      ListenAddress: "127.0.0.1",
      HostKey: this.#file("host"),
      AuthorizedKeysFile: this.#file("authorized"),
      PidFile: "none",
      StrictModes: "no",
      UsePAM: "no",
      PasswordAuthentication: "no",
      PermitRootLogin: "prohibit-password",
      MaxStartups: "100:30:200",
      // Ignore the user's profile.
      SetEnv: `HOME=${this.#file("home")}`,
    };
    writeFileSync(
      this.#file("config"),
      Object.entries(settings)
        .map(([key, value]) => `${key} ${value}\n`)
        .join(""),
    );
    await this.up();
  }
}

function readMaybe(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // It ended meanwhile.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended with the one that started it.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
