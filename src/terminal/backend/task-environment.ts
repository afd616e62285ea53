import type { JsonObject } from "../../contract/common/json.ts";
import type { Terminal, TerminalOptions } from "../../contract/providers/terminal.ts";
import { openPersistentShell } from "../shell/channel-shell.ts";
import type { StartShell } from "../shell/channel.ts";
import type { PersistentTerminals } from "./persistent-terminals.ts";
import { openSync } from "./open-sync.ts";
import { EnvironmentFiles } from "./backend-files.ts";
import type { ChannelShellOptions } from "../shell/shell-talk.ts";
import { slowProgress } from "./slow-progress.ts";
import type { SyncingAgent } from "./terminal-sync.ts";

/** Where the commands of one task run: another host, a container, a sandbox of a service. */
export interface TaskEnvironment {
  readonly startShell: StartShell;
  /** The agent whose files are synchronized into the environment; none without a home. */
  readonly agent?: SyncingAgent;
  /** Run when the task is done. Default: nothing is left to do. */
  leave?(): Promise<void>;
  /**
   * Working directory of a task that names none. Default: what `terminal.cwd` says, where that is a path of any place.
   */
  readonly cwd?: string;
  /**
   * The environment's name, by which a later process finds it again. Present only if processes in it can outlive the
   * agent: then `leave` keeps them.
   */
  where?(): string | Promise<string>;
  /** Commands beside each other at most. */
  readonly maxBeside: number;
  /** The task's first shell reads the profile of the place's user. Default false. */
  readonly login?: boolean;
  /** Default: what a kept shell takes. */
  readonly startTimeoutMs?: number;
}

/**
 * The terminal of a task: the open one, or a new one whose first shell has started.
 * @param config The section `terminal` of the configuration.
 * @param signal Ends only the waiting: a service that does not answer may still create the environment, and the next
 * caller gets it.
 * @throws {TerminalUnavailable}
 */
export async function openEnvironment(
  terminals: PersistentTerminals,
  { key, cwd, signal, onProgress }: TerminalOptions & { readonly signal: AbortSignal },
  config: JsonObject,
  place: TaskEnvironment,
): Promise<Terminal> {
  signal.throwIfAborted();
  const known = terminals.get(key);
  if (known !== undefined) return known;
  const sync = await openSync(config, place.agent ?? {});
  signal.throwIfAborted();
  const lifetime = config["lifetime_seconds"];
  const more: Partial<ChannelShellOptions> =
    place.startTimeoutMs === undefined ? {} : { startTimeoutMs: place.startTimeoutMs };
  using slow = slowProgress(onProgress, "Starting the terminal backend");
  const over = new AbortController();
  const opening = terminals.open(
    {
      key,
      cwd: cwd ?? sync?.folder ?? place.cwd ?? placeDirectory(config),
      start: (from) =>
        openPersistentShell(place.startShell, { ...from, ...more, login: place.login === true && !from.beside }),
      files: (made) => new EnvironmentFiles(made),
      sync,
      idleMs: (typeof lifetime === "number" ? lifetime : 300) * 1_000,
      maxBeside: place.maxBeside,
      where: place.where,
    },
    () => place.leave?.(),
    slow.say,
  );
  const given = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true, signal: over.signal }),
  );
  try {
    return await Promise.race([opening, given]);
  } finally {
    over.abort();
    opening.catch(() => undefined); // The caller may have stopped waiting.
  }
}

/** `terminal.cwd` where it means something in a place that is not this machine, else the home directory there. */
export function placeDirectory(config: JsonObject): string {
  const configured = config["cwd"];
  return typeof configured === "string" && /^[/~]/.test(configured) ? configured : "~";
}

/** A number of the configuration that is more than nothing. */
export function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** A key may hold anything; the name of what is made for its task may not. */
export function taskName(key: string): string {
  return /^[\w-]{1,40}$/.test(key) ? key : digest(key).slice(0, 24);
}

/**
 * A sandbox name that depends only on the task and `made` (home, image, size), so that a later start finds the sandbox
 * again.
 */
export function sandboxName(key: string, made: readonly unknown[]): string {
  return `hermes-${taskName(key)}-${digest(JSON.stringify(made)).slice(0, 10)}`;
}

/**
 * Looked up when it is wanted: the kit is loaded for every first command, and `node:crypto` takes longer to load than
 * all of it.
 */
function digest(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}
