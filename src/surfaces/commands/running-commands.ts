import { runSlashCommand, type SlashResult } from "./run-slash-command.ts";
import type { SlashHost } from "./slash-host.ts";

/** The slash commands of one surface that are under way, so that whoever sits there can stop them. */
export class RunningCommands {
  readonly #stops = new Set<AbortController>();

  get any(): boolean {
    return this.#stops.size > 0;
  }

  async run(line: string, host: SlashHost): Promise<SlashResult> {
    const stop = new AbortController();
    this.#stops.add(stop);
    try {
      return await runSlashCommand(line, { ...host, signal: AbortSignal.any([host.signal, stop.signal]) });
    } finally {
      this.#stops.delete(stop);
    }
  }

  /** Returns whether there was one that had not been told yet. */
  stop(): boolean {
    const told = [...this.#stops].filter(({ signal }) => !signal.aborted);
    for (const one of told) one.abort(new Error("stopped by you"));
    return told.length > 0;
  }
}
