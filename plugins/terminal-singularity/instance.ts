import { mkdirSync } from "node:fs";
import { TerminalUnavailable, type Logger } from "hermes-agent/plugin";
import { HAS_DETACHED_PROCESS, type Channel, type ClientProgram } from "hermes-agent/terminal";
import { imageFile, lastWords } from "./image-file.ts";
import type { InstanceOptions } from "./instance-options.ts";

const START_LIMIT_MS = 120_000;

/**
 * The instance of one task: started when a shell is wanted in it, stopped with it. Its files outlive it in the overlay.
 */
export class Instance {
  readonly #runtime: ClientProgram;
  readonly #name: string;
  readonly #options: InstanceOptions;
  readonly #log: Logger;
  #running: Promise<void> | undefined;

  /** @param runs One of that name was left running. */
  constructor(runtime: ClientProgram, name: string, options: InstanceOptions, log: Logger, runs: boolean) {
    this.#runtime = runtime;
    this.#name = name;
    this.#options = options;
    this.#log = log;
    if (runs) this.#running = Promise.resolve();
  }

  /**
   * @throws {TerminalUnavailable} It is gone, or cannot be started. After one that is gone, the next call starts
   *   another.
   */
  async startShell(): Promise<Channel> {
    const known = this.#running !== undefined;
    this.#running ??= this.#start();
    try {
      await this.#running;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
    if (known && !(await this.#runs())) {
      this.#running = undefined;
      const saved = this.#options.overlay === undefined ? "with all its files" : "but its overlay keeps the files";
      throw new TerminalUnavailable(`The instance of this task (${this.#name}) is gone, ${saved}.`, {
        hint: "The next command starts a new instance from the same image.",
      });
    }
    return instanceShell(this.#runtime, this.#name, this.#options.variables);
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    this.#running = undefined;
    await stopInstance(this.#runtime, this.#name);
  }

  async #runs(): Promise<boolean> {
    return (await instances(this.#runtime))?.includes(this.#name) === true;
  }

  async #start(): Promise<void> {
    const { image, imageFolder, overlay, limits } = this.#options;
    const file = await imageFile(this.#runtime, image, imageFolder);
    if (overlay !== undefined) mkdirSync(overlay, { recursive: true, mode: 0o700 });
    const place = overlay === undefined ? ["--writable-tmpfs"] : ["--overlay", overlay];
    const start = (some: readonly string[]) =>
      this.#runtime.ask(["instance", "start", "--containall", "--no-home", ...place, ...some, file, this.#name], {
        timeoutMs: START_LIMIT_MS,
        variables: this.#options.variables,
      });
    let { code, error } = await start(limits);
    if (code !== 0 && limits.length > 0 && /cgroup|rootless|systemd|cpus|memory/i.test(error)) {
      this.#log.warning(
        "The container runtime cannot limit CPU and memory on this system. The instance runs without limits.",
        { cause: error },
      );
      ({ code, error } = await start([]));
    }
    if (code !== 0) throw notStarted(image, error);
  }
}

/**
 * Killing the client kills the processes that it started. A shell below it survives, sees the end of its input, and
 * ends what it runs.
 */
export function instanceShell(runtime: ClientProgram, name: string, variables?: Record<string, string>): Channel {
  return runtime.channel(["exec", `instance://${name}`, "sh", "-c", "bash --norc --noprofile; exit $?"], variables);
}

/** A bash in an instance that runs already. @throws {TerminalUnavailable} */
export async function visitInstance(runtime: ClientProgram, name: string): Promise<Channel> {
  const running = await instances(runtime);
  if (running === undefined) throw new TerminalUnavailable(`${runtime.client} cannot list the running instances.`);
  if (!running.includes(name)) throw new TerminalUnavailable(`The instance ${name} is not running.`, { gone: true });
  return instanceShell(runtime, name);
}

/** Something in it that was left to outlive its agent goes on, and the instance with it: then false. */
export async function stopInstance(runtime: ClientProgram, name: string): Promise<boolean> {
  if ((await runtime.ask(["exec", `instance://${name}`, "sh", "-c", HAS_DETACHED_PROCESS])).code === 0) return false;
  await runtime.ask(["instance", "stop", name]);
  return true;
}

/** Names of the instances that run; `undefined` when the runtime does not tell. */
export async function instances(runtime: ClientProgram): Promise<readonly string[] | undefined> {
  const { code, out } = await runtime.ask(["instance", "list", "--json"]);
  if (code !== 0) return undefined;
  try {
    const { instances: running } = JSON.parse(out) as {
      readonly instances?: readonly { readonly instance: string }[] | null;
    };
    return (running ?? []).map(({ instance }) => instance);
  } catch {
    return []; // An answer that is no list names none.
  }
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /overlay|fuse/i,
    "This system cannot mount the overlay. Set terminal.container_persistent to false to use memory instead.",
  ],
  [
    /user namespace|setuid|privilege|permission denied/i,
    "Ask the system's administrator to allow user namespaces or to install the runtime's setuid component.",
  ],
];

function notStarted(image: string, error: string): TerminalUnavailable {
  const hint = HINTS.find(([pattern]) => pattern.test(error))?.[1];
  return new TerminalUnavailable(`Cannot start an instance of ${image}: ${lastWords(error)}`, {
    hint: hint ?? "Run `hermes terminals check singularity` to try again.",
  });
}
