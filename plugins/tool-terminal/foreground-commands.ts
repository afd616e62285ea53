import { randomBytes } from "node:crypto";
import type { Logger } from "hermes-agent/plugin";
import { OutputLog } from "./output-log.ts";
import { identityOf } from "./process-identity.ts";
import type { ProcessTable } from "./process-table.ts";

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
}

/** Commands that run now in places whose processes this machine does not show: others see them in the table, can follow and stop them. */
export class ForegroundCommands {
  readonly #table: ProcessTable;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #stops = new Map<string, AbortController>();

  /** @param table Its own: somebody else hears what is asked of background processes. */
  constructor(table: ProcessTable, log: Logger, mask: (text: string) => string) {
    this.#table = table;
    this.#log = log;
    this.#mask = mask;
  }

  begin(about: About): ForegroundCommand {
    const id = `proc_${randomBytes(6).toString("hex")}`;
    const stop = new AbortController();
    const startedAt = Date.now();
    let early = "";
    let log: OutputLog | undefined;
    const write = (end: number | undefined) =>
      this.#table.write({
        ...about,
        id,
        command: this.#mask(about.command),
        foreground: true,
        pid: null,
        identity: null,
        owner: identityOf(process.pid) ?? { pid: process.pid, born: "" },
        startedAt,
        kept: false,
        end: end === undefined ? null : { at: end, exitCode: null, reason: "exited", source: "" },
        notify: null,
        refusal: null,
      });
    const timer = setTimeout(() => {
      try {
        this.#stops.set(id, stop);
        write(undefined);
        this.#table.listen((asked, request) => void (request === "stop" && this.#stops.has(asked) && this.#table.withdraw(asked, request) && this.#stops.get(asked)!.abort()));
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
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        this.#stops.delete(id);
        if (log === undefined) return;
        log.close();
        try {
          write(Date.now());
        } catch {
          // Whoever looks sees that its agent is gone, sooner or later.
        }
        setTimeout(() => this.#table.remove(id), READABLE_MS).unref();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#table[Symbol.dispose]();
  }
}
