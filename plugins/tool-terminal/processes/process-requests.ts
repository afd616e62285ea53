import { TerminalUnavailable, type Logger } from "hermes-agent/plugin";
import type { Reach } from "./detached-elsewhere.ts";
import { environmentPorts } from "./listening-ports.ts";
import type { ProcessRows } from "./process-rows.ts";
import type { ProcessRequest, ProcessTable } from "./process-table.ts";
import type { TrackedProcess } from "./tracked-process.ts";

const DONE = { stop: "stopped", keep: "kept", look: "inspected" } as const;

/** The registry and table that requests act on. */
interface Served {
  readonly log: Logger;
  readonly table: ProcessTable;
  readonly rows: ProcessRows;
  readonly reach: Reach;
  find(id: string): TrackedProcess | undefined;
  stop(entry: TrackedProcess, source: string): Promise<void>;
  keep(entry: TrackedProcess): Promise<void>;
}

/**
 * Handles requests from the user's other processes: `hermes ps stop`, `hermes ps keep`, and listening ports in remote
 * environments.
 */
export class ProcessRequests {
  readonly #served: Served;

  constructor(served: Served) {
    this.#served = served;
  }

  listen(): void {
    try {
      this.#served.table.listen((id, request) => void this.#asked(id, request));
    } catch (cause) {
      this.#served.rows.warn(cause);
    }
  }

  async #asked(id: string, request: ProcessRequest): Promise<void> {
    const entry = this.#served.find(id);
    if (entry === undefined || entry.end !== undefined || !this.#served.table.isAsked(id, request)) return;
    // Clear the refusal of an earlier request before the requester sees that this one was accepted.
    if (request !== "look") this.#served.rows.write(entry);
    if (!this.#served.table.withdraw(id, request)) return;
    try {
      if (request === "look") {
        entry.ports = { tcp: (await this.#portsOf(entry)) ?? [], at: Date.now() };
        this.#served.rows.write(entry);
      } else if (request === "stop") await this.#served.stop(entry, "person");
      else await this.#served.keep(entry);
    } catch (error) {
      this.#served.log.warning(`Background process ${id} could not be ${DONE[request]}.`, { cause: error });
      if (request === "look") return;
      const hint = error instanceof TerminalUnavailable ? error.hint : undefined;
      this.#served.rows.write(entry, [(error as Error).message, hint].filter(Boolean).join(" "));
    }
  }

  async #portsOf(entry: TrackedProcess): Promise<readonly number[] | undefined> {
    const { grip } = entry;
    if (grip === undefined) return entry.lookForPorts?.();
    await using visit = await this.#served.reach({ ...entry, grip });
    return await environmentPorts(visit.terminal, [grip.pid]);
  }
}
