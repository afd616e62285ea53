import { spawn, type ChildProcess } from "node:child_process";
import type { JsonObject } from "hermes-agent/plugin";
import { processChannel, type Channel } from "hermes-agent/terminal";

/** What the client needs of our environment to find its engine, and nothing of ours that a container could be given. */
const CLIENT_ENVIRONMENT = /^(PATH|HOME|USER|LOGNAME|TMPDIR|SSH_AUTH_SOCK|XDG_.*|DOCKER_.*|CONTAINER.*|PODMAN_.*|STORAGE_.*)$/;

export interface EngineAnswer {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** A container engine, through its command-line client. */
export class Engine {
  /** `docker`, `podman` or a path. */
  readonly client: string;

  constructor(client: string) {
    this.client = client;
  }

  /** Runs one client command to its end. @param variables Handed to the client, for `-e NAME`: a value never stands in argv. */
  async ask(args: readonly string[], options: { readonly variables?: Record<string, string>; readonly timeoutMs?: number } = {}): Promise<EngineAnswer> {
    const child = this.#start(args, options.variables);
    const out: Buffer[] = [];
    const error: Buffer[] = [];
    child.stdout!.on("data", (bytes: Buffer) => void out.push(bytes));
    child.stderr!.on("data", (bytes: Buffer) => void error.push(bytes));
    child.stdin!.on("error", () => {}); // It has ended already.
    child.stdin!.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 30_000);
    return new Promise((resolve) => {
      const end = (code: number | null, more = "") => {
        clearTimeout(timer);
        resolve({ code, out: Buffer.concat(out).toString("utf8").trim(), error: (Buffer.concat(error).toString("utf8") + more).trim() });
      };
      child.once("error", (cause) => end(null, cause.message));
      child.once("close", (code) => end(code));
    });
  }

  /** Starts a bash in a running container. */
  shell(container: string): Channel {
    return processChannel(this.#start(["exec", "-i", container, "bash", "--norc", "--noprofile"]), this.client);
  }

  #start(args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
    const own = Object.entries(process.env).filter(([name, value]) => value !== undefined && CLIENT_ENVIRONMENT.test(name));
    return spawn(this.client, args, { stdio: "pipe", detached: true, env: { ...(Object.fromEntries(own) as Record<string, string>), ...variables } });
  }
}

/** The client that is configured, else the first of docker and podman whose engine answers. */
export async function findEngine(config: JsonObject): Promise<{ readonly engine: Engine } | { readonly reason: string }> {
  const configured = config["docker_binary"];
  const reasons: string[] = [];
  for (const client of typeof configured === "string" && configured !== "" ? [configured] : ["docker", "podman"]) {
    const engine = new Engine(client);
    const { code, error } = await engine.ask(["version", "--format", "{{.Client.Version}} {{if .Server}}{{.Server.Version}}{{end}}"], { timeoutMs: 10_000 });
    if (code === 0) return { engine };
    reasons.push(/ENOENT/.test(error) ? `${client} is not on PATH` : `${client}: ${error.split("\n").at(-1) || "no answer"}`);
  }
  return { reason: `No container engine answers (${reasons.join("; ")}).` };
}
