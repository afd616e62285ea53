import { runSlashCommand, type SlashResult } from "./run-slash-command.ts";
import type { SlashHost } from "./slash-host.ts";

const SLOW_MS = 500;

/** The slash commands of one surface that are under way, so that whoever sits there can stop them. */
export class RunningCommands {
  readonly #stops = new Map<AbortController, number>();

  get any(): boolean {
    return this.#stops.size > 0;
  }

  /** One of them takes so long that a person may want to stop it. */
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

  /** Returns whether there was one that had not been told yet. */
  stop(): boolean {
    const message = [...this.#stops.keys()].filter(({ signal }) => !signal.aborted);
    for (const one of message) one.abort(new Error("stopped by you"));
    return message.length > 0;
  }
}
