import type { Availability, Probe } from "../common/availability.ts";
import type { PluginContext } from "./plugin.ts";
import type { TerminalBackend } from "../providers/terminal.ts";

/** The part of a backend that is loaded with its first terminal. */
export type TerminalOpener = Pick<TerminalBackend, "open" | "settle" | typeof Symbol.asyncDispose>;

/**
 * Offers a backend, and puts it away with its plugin.
 * @param about What is known of it before any of its code is loaded.
 * @param load Called once, when a terminal is wanted.
 */
export function provideTerminal(
  ctx: PluginContext,
  about: Omit<TerminalBackend, keyof TerminalOpener>,
  load: () => Promise<TerminalOpener>,
): void {
  let opener: Promise<TerminalOpener> | undefined;
  const close = async () => {
    await (await opener)?.[Symbol.asyncDispose]();
  };
  const settle = async () => (await (await opener)?.settle?.()) ?? [];
  ctx.provide("terminal", {
    ...about,
    settle,
    open: async (options, signal) => (await (opener ??= load())).open(options, signal),
    [Symbol.asyncDispose]: close,
  });
  ctx.onUnload(close);
}

/**
 * Properties of an environment that files can be synced with.
 * @param config The section `terminal` of the configuration.
 */
export function syncing(label: string, config: PluginContext["config"]): Pick<TerminalBackend, "label" | "synced"> {
  return config["sync_cwd_to_workspace"] === true
    ? { label: `${label}, the start directory synced`, synced: process.cwd() }
    : { label };
}

/** Available when all of these variables are set. */
export function needsVariables(probe: Probe, names: readonly string[]): Availability {
  const missing = names.filter((name) => probe.env(name) === undefined);
  return missing.length === 0
    ? { ok: true }
    : { ok: false, reason: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set.`, needs: missing };
}
