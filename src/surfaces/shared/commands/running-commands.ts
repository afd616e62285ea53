import { runSlashCommand, type SlashResult } from "./run-slash-command.ts";
import type { SlashHost } from "./slash-host.ts";

const SLOW_MS = 500;

/** The running slash commands of one surface, which the user can stop. */
export class RunningCommands {
  readonly #stops = new Map<AbortController, number>();

  get any(): boolean {
    return this.#stops.size > 0;
  }

  /** A command has run so long that the user may want to stop it. */
  get slow(): boolean {
    return [...this.#stops.values()].some((since) => performance.now() - since > SLOW_MS);
  }

  async run(line: string, host: SlashHost): Promise<SlashResult> {
    const stop = new AbortController();
    this.#stops.set(stop, performance.now());
    try {
      return await runSlashCommand(line, { ...host, signal: AbortSignal.any([host.signal, stop.signal]) });
    } finally {
      this.#stops.delete(stop);
    }
  }

  /** Stops all running commands. Returns whether any was not stopped before. */
  stop(): boolean {
    const running = [...this.#stops.keys()].filter(({ signal }) => !signal.aborted);
    for (const one of running) one.abort(new Error("stopped by you"));
    return running.length > 0;
  }
}
