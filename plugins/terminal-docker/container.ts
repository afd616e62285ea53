import { hash } from "node:crypto";
import { TerminalUnavailable, type Logger } from "hermes-agent/plugin";
import { HAS_DETACHED_PROCESS, plainText, randomHex, type Channel } from "hermes-agent/terminal";
import { runAs, welcome } from "./command-user.ts";
import type { ContainerOptions } from "./container-options.ts";
import type { Engine } from "./engine.ts";

/** A first start may have to fetch the image. */
const RUN_LIMIT_MS = 600_000;
/** Lines of the log that say why a container ended. */
const LOG_LINES = 5;
/**
 * A container's main process does nothing. It ends after an hour without other processes, in case its agent is gone
 * without ending it. Its files remain, and a later shell starts it again. Works in the smallest images.
 */
const SUPERVISOR =
  "trap 'exit 0' TERM INT; n=0; while [ $n -lt 180 ]; do sleep 20 & wait $!; set -- /proc/[0-9]*; if [ $# -gt 2 ]; then n=0; else n=$((n + 1)); fi; done";

export interface ContainerOwner {
  readonly key: string;
  /** Tells containers of one home of the agent from those of another. */
  readonly profile: string;
}

/** The container of one task: found again, started or made when a shell is wanted in it. */
export class Container {
  readonly #engine: Engine;
  readonly #owner: ContainerOwner;
  readonly #options: ContainerOptions;
  readonly #log: Logger;
  #id: Promise<string> | undefined;

  constructor(engine: Engine, owner: ContainerOwner, options: ContainerOptions, log: Logger) {
    this.#engine = engine;
    this.#owner = owner;
    this.#options = options;
    this.#log = log;
  }

  /**
   * @throws {TerminalUnavailable} It is gone, or cannot be made. After one that is gone, the next call makes another.
   */
  async startShell(): Promise<Channel> {
    const known = this.#id !== undefined;
    const id = await (this.#id ??= this.#find());
    if (known && !(await this.#runs(id))) {
      this.#id = undefined;
      throw new TerminalUnavailable(`The container of this task (${id.slice(0, 12)}) is gone, with all its files.`, {
        hint: "The next command starts a new container from the same image.",
      });
    }
    const shell = this.#engine.shell(id);
    // The engine only says that the container is not running; why is in its log.
    const closed = shell.closed.then(async (words) => {
      const end = await this.#endOf(id);
      return end === undefined ? words : `${words}; the container ${end}`;
    });
    return { ...shell, closed };
  }

  /** As the engine names it. */
  async name(): Promise<string> {
    return (this.#id ??= this.#find());
  }

  /**
   * Ends all that runs in it and keeps its files, or removes it. Something in it that was left to outlive us goes on,
   * and the container with it.
   */
  async leave(keep: boolean): Promise<void> {
    const id = await this.#id?.catch(() => undefined);
    this.#id = undefined;
    if (id === undefined || (await this.#engine.ask(["exec", id, "sh", "-c", HAS_DETACHED_PROCESS])).code === 0) return;
    await this.#engine.ask(keep ? ["stop", "-t", "1", id] : ["rm", "-f", id]);
  }

  async #find(): Promise<string> {
    try {
      return (await this.#found()) ?? (await this.#make());
    } catch (error) {
      this.#id = undefined;
      throw error;
    }
  }

  /** One that this task left behind, made with the same options. */
  async #found(): Promise<string | undefined> {
    const labels = this.#labels.flatMap((label) => ["--filter", `label=${label}`]);
    const { code, out } = await this.#engine.ask(["ps", "-a", "-q", "--no-trunc", ...labels]);
    const id = code === 0 ? out.split("\n")[0] : undefined;
    if (id === undefined || id === "") return undefined;
    if (await this.#runs(id)) return id;
    return undefined;
  }

  /** True when it runs, if need be because it was started again. */
  async #runs(id: string): Promise<boolean> {
    const { code, out } = await this.#engine.ask(["inspect", "--type", "container", "-f", "{{.State.Running}}", id]);
    if (code !== 0) return false;
    return out === "true" || (await this.#engine.ask(["start", id])).code === 0;
  }

  /** How the container ended, with the end of its log; `undefined` while it runs, or if it is gone. */
  async #endOf(id: string): Promise<string | undefined> {
    const state = ["inspect", "--type", "container", "-f", "{{.State.Running}} {{.State.ExitCode}}", id];
    const { code, out } = await this.#engine.ask(state);
    const exitCode = /^false (-?\d+)$/.exec(out)?.[1];
    if (code !== 0 || exitCode === undefined) return undefined;
    const log = await this.#engine.ask(["logs", "--tail", String(LOG_LINES), id]);
    const lines = plainText(`${log.out}\n${log.error}`)
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .slice(-LOG_LINES)
      .join(" | ");
    return `ended with exit code ${exitCode}${lines === "" ? ", and its log is empty" : `. The end of its log: ${lines}`}`;
  }

  async #make(): Promise<string> {
    const { image, limits, variables } = this.#options;
    const as = runAs(this.#options.user, await this.#userOf(image), this.#engine.rootless);
    const args = [...as.args, ...this.#options.args];
    const labels = this.#labels.flatMap((label) => ["--label", label]);
    let init = ["--init"];
    let limited = [...limits];
    for (let tries = 0; ; tries += 1) {
      const attempt = `hermes-attempt=${randomHex(16)}`;
      const { code, out, error } = await this.#engine.ask(
        [
          "run",
          "-d",
          ...init,
          "--label",
          attempt,
          ...labels,
          ...args,
          ...limited,
          "--entrypoint",
          "sh",
          image,
          "-c",
          SUPERVISOR,
        ],
        { variables, timeoutMs: RUN_LIMIT_MS },
      );
      if (code === 0) {
        const id = out.split("\n").at(-1)!.trim();
        const end = await this.#endOf(id);
        if (end !== undefined) {
          await this.#engine.ask(["rm", "-f", id]);
          throw notMade(image, `it ${end}`);
        }
        if (as.unknown !== undefined) await this.#welcome(id, as.unknown);
        return id;
      }
      // A container that was made and did not start stays behind otherwise. Not every engine prints its id.
      const made = await this.#engine.ask(["ps", "-a", "-q", "--no-trunc", "--filter", `label=${attempt}`]);
      for (const id of made.code === 0 ? made.out.split("\n").filter(Boolean) : [])
        await this.#engine.ask(["rm", "-f", id]);
      if (tries < 3 && init.length > 0 && /init|catatonit/.test(error)) init = [];
      else if (tries < 3 && limited.length > 0 && /cgroup|pids|memory|cpu/i.test(error)) {
        limited = [];
        this.#log.warning(
          "The container engine cannot limit CPU, memory and processes on this system. The container runs without limits.",
          { cause: error },
        );
      } else throw notMade(image, error);
    }
  }

  /** The user of an image. Pulls the image if it is missing. */
  async #userOf(image: string): Promise<string> {
    const asked = ["image", "inspect", "-f", "{{.Config.User}}", image];
    const { code, out } = await this.#engine.ask(asked);
    if (code === 0) return out;
    const pulled = await this.#engine.ask(["pull", "-q", image], { timeoutMs: RUN_LIMIT_MS });
    if (pulled.code !== 0) throw notMade(image, pulled.error);
    return (await this.#engine.ask(asked)).out;
  }

  /** Failure is not fatal: a user without a home can work. */
  async #welcome(id: string, user: { readonly uid: number; readonly gid: number }): Promise<void> {
    const asRoot = (script: string) => this.#engine.ask(["exec", "-u", "0:0", id, "sh", "-c", script]);
    const opened = await asRoot(welcome.open);
    const settled = opened.code === 0 ? await this.#engine.ask(["exec", id, "sh", "-c", welcome.settle]) : opened;
    const closed = opened.code === 0 ? await asRoot(welcome.close(opened.out, user)) : opened;
    const failed = [settled, closed].find(({ code }) => code !== 0);
    if (failed !== undefined)
      this.#log.warning("The container's user has no home directory or no name in the container.", {
        image: this.#options.image,
        cause: failed.error,
      });
  }

  get #labels(): readonly string[] {
    // A key may hold anything; a label may not.
    const task = /^[\w.-]{1,100}$/.test(this.#owner.key) ? this.#owner.key : hash("sha256", this.#owner.key);
    return [
      "hermes-agent=1",
      `hermes-task-id=${task}`,
      `hermes-profile=${this.#owner.profile}`,
      `hermes-options=${this.#options.fingerprint}`,
    ];
  }
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /short-name|unqualified-search/i,
    "Podman needs the registry in the image name. Set terminal.docker_image to the full name.",
  ],
  [
    /pull access|not found|no such image|manifest|registry|resolving|lookup/i,
    "Check terminal.docker_image, or pull the image with `docker pull`.",
  ],
  [/permission denied|dial unix|daemon/i, "Check that the engine is running and that this user may use it."],
];

function notMade(image: string, error: string): TerminalUnavailable {
  const text =
    error
      .split("\n")
      .filter((line) => line.trim() !== "" && !/ --help\b/.test(line))
      .at(-1) ?? "the engine gave no reason";
  const hint = HINTS.find(([pattern]) => pattern.test(error))?.[1];
  return new TerminalUnavailable(`Cannot start a container from the image ${image}: ${text}`, {
    hint: hint ?? "Run `hermes terminals check docker` to try again.",
  });
}
