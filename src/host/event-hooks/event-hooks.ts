import type { CommandVerdict, EventHookInfo } from "../../contract/services/hook-service.ts";
import type { CommandInfo } from "../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { bounded } from "../../engine/async/bounded.ts";
import type { Home } from "../environment/home.ts";
import type { PluginHosts } from "../plugins/registry/plugin-hosts.ts";
import { systemClock } from "../app/system-clock.ts";
import { EventHook } from "./event-hook.ts";
import { readEventHooks, type FoundEventHook } from "./read-event-hooks.ts";

/** A hook may answer for a command; this limits the wait for it. */
const COMMAND_MS = 5_000;
/** At the end, for handlers that are only beginning: an interpreter takes its time on a small or busy machine. */
const START_MS = 10_000;
/** Then for events not yet delivered. */
const REST_MS = 3_000;

/** The user's event hooks. Emitting an event never waits for them. */
export class EventHooks {
  readonly #all: readonly FoundEventHook[];
  readonly #hooks: readonly EventHook[];
  readonly #log: Logger;

  static async open(home: Home, hosts: PluginHosts, log: Logger): Promise<EventHooks> {
    return new EventHooks(await readEventHooks(home.file("hooks"), home.file("cache", "event-hooks.json")), hosts, log);
  }

  private constructor(all: readonly FoundEventHook[], hosts: PluginHosts, log: Logger) {
    this.#all = all;
    this.#log = log;
    this.#hooks = all.flatMap((found) =>
      found.run === undefined
        ? []
        : [new EventHook(found, () => hosts.handler(found.run!.plugin, found.run!.file), log)],
    );
    for (const { name, dir, problem } of all)
      if (problem !== undefined) log.warning(`The hook "${name}" in ${dir}: ${problem}.`);
    for (const { found } of this.#hooks) log.info(`Loaded the hook "${found.name}" for ${found.events.join(", ")}.`);
  }

  list(): readonly EventHookInfo[] {
    return this.#all.map(({ name, description, dir, events, problem }) => ({
      name,
      description,
      dir,
      events,
      problem,
    }));
  }

  /** Whether any hook subscribes to an event of this namespace. */
  subscribesTo(namespace: string): boolean {
    return this.#hooks.some(({ found }) => found.events.some((event) => event.startsWith(`${namespace}:`)));
  }

  /** Hooks that subscribe to the exact event receive it before those that subscribe to the namespace. */
  emit(event: string, context: JsonObject): readonly Promise<Json | undefined>[] {
    const by = (how: "exact" | "wild") => this.#hooks.filter((hook) => hook.wants(event) === how);
    return [...by("exact"), ...by("wild")].map((hook) => hook.call(event, context));
  }

  /** The first that decides about the command. One that fails or takes too long decides nothing. */
  async command(
    { session_id, platform, command, raw_command, args }: CommandInfo,
    user_id: string,
  ): Promise<CommandVerdict | undefined> {
    const output = this.emit(`command:${command}`, {
      platform,
      user_id,
      session_id,
      command,
      raw_command,
      args,
      raw_args: args,
    });
    if (output.length === 0) return undefined;
    const over = AbortSignal.timeout(COMMAND_MS);
    for (const answer of output) {
      const late = Promise.withResolvers<undefined>();
      over.addEventListener("abort", () => late.resolve(undefined), { once: true });
      if (over.aborted) break;
      const verdict = verdictOf(await Promise.race([answer, late.promise]), command);
      if (verdict !== undefined) return verdict;
    }
    if (over.aborted)
      this.#log.warning(
        `A hook did not answer about /${command} within ${COMMAND_MS / 1000} s; the command runs without it.`,
      );
    return undefined;
  }

  /** Waits a short time for undelivered events. */
  async close(): Promise<void> {
    await bounded(Promise.all(this.#hooks.map(({ begun }) => begun)), START_MS, systemClock);
    await bounded(Promise.all(this.#hooks.map(({ idle }) => idle)), REST_MS, systemClock);
  }
}

function verdictOf(answer: Json | undefined, command: string): CommandVerdict | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  const { decision, message, command_name, raw_args } = answer as JsonObject;
  const text = typeof message === "string" && message !== "" ? message : undefined;
  if (decision === "deny") return { action: "block", message: text ?? `A hook blocked the command \`/${command}\`.` };
  if (decision === "handled") return { action: "handled", message: text };
  if (decision === "rewrite" && typeof command_name === "string" && command_name !== "")
    return { action: "rewrite", command: command_name, args: typeof raw_args === "string" ? raw_args : undefined };
  return undefined;
}
