import { spawn, type ChildProcess } from "node:child_process";
import { processChannel, type Channel } from "../shell/channel.ts";

export interface ClientAnswer {
  /** `null`: it could not be started, or did not end in time. */
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/**
 * A command-line client of places (`docker`, `apptainer`): asked one thing at a time, or left open as a shell there.
 */
export class ClientProgram {
  /** A name on PATH or a path. */
  readonly client: string;
  readonly #environment: RegExp;

  /** @param environment The variables of ours that the client needs to find its places; it gets no other. */
  constructor(client: string, environment: RegExp) {
    this.client = client;
    this.#environment = environment;
  }

  /**
   * Runs one client command to its end. @param variables Passed to the client's environment, so that no value appears
   * in argv.
   */
  async ask(
    args: readonly string[],
    options: { readonly variables?: Record<string, string>; readonly timeoutMs?: number } = {},
  ): Promise<ClientAnswer> {
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
        resolve({
          code,
          out: Buffer.concat(out).toString("utf8").trim(),
          error: (Buffer.concat(error).toString("utf8") + more).trim(),
        });
      };
      child.once("error", (cause) => end(null, cause.message));
      child.once("close", (code) => end(code));
    });
  }

  /** Starts a client command that stays open, with three pipes. */
  channel(args: readonly string[], variables?: Record<string, string>): Channel {
    return processChannel(this.#start(args, variables), this.client);
  }

  #start(args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
    const own = Object.entries(process.env).filter(
      ([name, value]) => value !== undefined && this.#environment.test(name),
    );
    return spawn(this.client, args, {
      stdio: "pipe",
      detached: true,
      env: { ...(Object.fromEntries(own) as Record<string, string>), ...variables },
    });
  }
}
