import { randomBytes } from "node:crypto";
import type { Logger } from "hermes-agent/plugin";
import { OutputLog } from "../processes/output-log.ts";
import { identityOf } from "../processes/process-identity.ts";
import type { ProcessEnd, ProcessRequest, ProcessRow, ProcessTable } from "../processes/process-table.ts";

/** A command that ends sooner is not recorded. */
const SHOWN_AFTER_MS = 300;
/** How long a follower can still read its last output. */
const READABLE_MS = 1_000;
const EARLY_CHARS = 200_000;

interface About {
  readonly command: string;
  readonly cwd: string;
  /** ID of its terminal backend. */
  readonly backend: string;
  readonly taskId: string;
  readonly sessionId: string;
}

/** A foreground command. */
export interface ForegroundCommand extends Disposable {
  /** The user has stopped it, from any program. */
  readonly stopped: AbortSignal;
  output(text: string): void;
  /** Called when it has started. @param look Returns the PIDs of its processes in its environment. */
  started(look: () => Promise<readonly number[]>): void;
}

interface Running {
  readonly stop: AbortController;
  look(): Promise<void>;
}

/**
 * Running commands in environments whose processes are not visible on this machine: the table shows them, so that other
 * programs can follow and stop them.
 */
export class ForegroundCommands {
  readonly #table: ProcessTable;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #running = new Map<string, Running>();

  /** @param table A separate table object, because another one receives the requests for background processes. */
  constructor(table: ProcessTable, log: Logger, mask: (text: string) => string) {
    this.#table = table;
    this.#log = log;
    this.#mask = mask;
  }

  /** @param portsOf Returns the TCP ports on which such processes listen. */
  begin(about: About, portsOf: (pids: readonly number[]) => Promise<readonly number[]>): ForegroundCommand {
    const id = `proc_${randomBytes(6).toString("hex")}`;
    const stop = new AbortController();
    const startedAt = Date.now();
    let early = "";
    let log: OutputLog | undefined;
    let numbers: (() => Promise<readonly number[]>) | undefined;
    let seen: Pick<ProcessRow, "pid" | "ports"> = { pid: null };
    let end: ProcessEnd | null = null;
    const write = () =>
      this.#table.write({
        ...about,
        ...seen,
        id,
        command: this.#mask(about.command),
        foreground: true,
        identity: null,
        owner: identityOf(process.pid) ?? { pid: process.pid, born: "" },
        startedAt,
        kept: false,
        end,
        notify: null,
        refusal: null,
      });
    const look = async () => {
      const at = Date.now();
      const pids = (await numbers?.()) ?? [];
      const tcp = await portsOf(pids).catch(() => []); // Ports are optional, so ignore errors of the environment.
      seen = { pid: pids[0] ?? null, ports: { tcp, at } };
      if (end === null) write();
    };
    const timer = setTimeout(() => {
      try {
        this.#running.set(id, { stop, look });
        // Another process that sees the row may send a request at once.
        this.#table.listen((asked, request) => void this.#asked(asked, request));
        write();
        log = new OutputLog(this.#table.logFile(id), this.#mask);
        log.push(early);
      } catch (cause) {
        this.#log.warning("Cannot record a running command; `hermes ps` does not show it.", { cause });
      }
    }, SHOWN_AFTER_MS);
    return {
      stopped: stop.signal,
      output: (text) => {
        if (log === undefined) early = (early + text).slice(-EARLY_CHARS);
        else log.push(text);
      },
      started: (asking) => void (numbers = asking),
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        this.#running.delete(id);
        if (log === undefined || end !== null) return;
        log.close();
        end = { at: Date.now(), exitCode: null, reason: "exited", source: "" };
        try {
          write();
        } catch {
          // Readers will detect later that its agent has ended.
        }
        setTimeout(() => this.#table.remove(id), READABLE_MS).unref();
      },
    };
  }

  async #asked(id: string, request: ProcessRequest): Promise<void> {
    const one = this.#running.get(id);
    if (one === undefined || request === "keep" || !this.#table.withdraw(id, request)) return;
    if (request === "stop") return one.stop.abort();
    try {
      await one.look();
    } catch (cause) {
      this.#log.warning("Cannot inspect a running command.", { cause });
    }
  }

  [Symbol.dispose](): void {
    this.#table[Symbol.dispose]();
  }
}
