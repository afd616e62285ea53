import { randomBytes } from "node:crypto";
import type { Logger } from "hermes-agent/plugin";
import { OutputLog } from "../processes/output-log.ts";
import { identityOf } from "../processes/process-identity.ts";
import type { ProcessEnd, ProcessRequest, ProcessRow, ProcessTable } from "../processes/process-table.ts";

/** A command that is over sooner is written down nowhere. */
const SHOWN_AFTER_MS = 300;
/** So long whoever follows it can read its last words. */
const READABLE_MS = 1_000;
const EARLY_CHARS = 200_000;

interface About {
  readonly command: string;
  readonly cwd: string;
  /** Id of the backend it runs in. */
  readonly backend: string;
  readonly taskId: string;
  readonly sessionId: string;
}

/** A command that its call waits for. */
export interface ForegroundCommand extends Disposable {
  /** A person has stopped it, from anywhere. */
  readonly stopped: AbortSignal;
  output(text: string): void;
  /** It is on its way. @param look The numbers of what it runs, as its place has them. */
  started(look: () => Promise<readonly number[]>): void;
}

interface Running {
  readonly stop: AbortController;
  look(): Promise<void>;
}

/** Commands that run now in places whose processes this machine does not show: others see them in the table, can follow and stop them. */
export class ForegroundCommands {
  readonly #table: ProcessTable;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #running = new Map<string, Running>();

  /** @param table Its own: somebody else hears what is asked of background processes. */
  constructor(table: ProcessTable, log: Logger, mask: (text: string) => string) {
    this.#table = table;
    this.#log = log;
    this.#mask = mask;
  }

  /** @param portsOf Which TCP ports such processes of its place listen on. */
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
      const tcp = await portsOf(pids).catch(() => []); // Its place has other worries.
      seen = { pid: pids[0] ?? null, ports: { tcp, at } };
      if (end === null) write();
    };
    const timer = setTimeout(() => {
      try {
        this.#running.set(id, { stop, look });
        // Whoever sees the row may ask at once.
        this.#table.listen((asked, request) => void this.#asked(asked, request));
        write();
        log = new OutputLog(this.#table.logFile(id), this.#mask);
        log.push(early);
      } catch (cause) {
        this.#log.warning("A running command cannot be written down; `hermes ps` does not show it.", { cause });
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
          // Whoever looks sees that its agent is gone, sooner or later.
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
      this.#log.warning("A running command could not be looked at.", { cause });
    }
  }

  [Symbol.dispose](): void {
    this.#table[Symbol.dispose]();
  }
}
