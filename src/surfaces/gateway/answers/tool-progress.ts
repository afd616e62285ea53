import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { LiveMessage, type LiveMessagePorts } from "./live-message.ts";
import { ProgressLines, type ProgressWays } from "./progress-lines.ts";

export interface ToolProgressPorts {
  readonly log: Logger;
  ways(): ProgressWays;
  toolOf(name: string): Pick<ToolDeclaration, "emoji" | "interactive"> | undefined;
  mask(text: string): string;
  /** How a message is written again in place; `undefined` where the platform cannot. */
  editing(): Pick<LiveMessagePorts, "send" | "edit"> | undefined;
  /** A message of its own, where none can be written again. */
  note(text: string): Promise<unknown>;
}

export interface ProgressTimes {
  /** Between two changes of the message. */
  readonly editMs: number;
  /** Between two messages, where none can be changed. */
  readonly noteMs: number;
}

const TIMES: ProgressTimes = { editMs: 1_500, noteMs: 30_000 };
/** Lines of the message that is changed, and of one that is not. What came before is counted. */
const EDITED_LINES = 12;
const NOTED_LINES = 4;
const MAX_CHARS = 3_000;
/** Messages of one turn where none can be changed. */
const MAX_NOTES = 10;

/** What the agent does in a turn, shown in its chat: one message that is written again, or now and then a message where that cannot be. */
export class ToolProgress {
  readonly #ports: ToolProgressPorts;
  readonly #times: ProgressTimes;
  #lines: ProgressLines;
  #live: LiveMessage | undefined;
  #notes = 0;
  #noted = 0;
  #due: NodeJS.Timeout | undefined;

  constructor(ports: ToolProgressPorts, times: ProgressTimes = TIMES) {
    this.#ports = ports;
    this.#times = times;
    this.#lines = new ProgressLines((name) => ports.toolOf(name));
  }

  onFact(fact: Fact): void {
    if (fact.type === "turn.started") void this.end();
    if (!this.#lines.onFact(fact, this.#ports.ways())) return;
    const editing = this.#ports.editing();
    if (editing === undefined) return this.#noteLater();
    this.#live ??= new LiveMessage({ ...editing, everyMs: this.#times.editMs });
    this.#live.show(this.#text(this.#lines.lines, EDITED_LINES));
  }

  /** The turn is over. What it shows last stays. */
  async end(): Promise<void> {
    clearTimeout(this.#due);
    this.#due = undefined;
    const { lines } = this.#lines;
    const live = this.#live;
    this.#live = undefined;
    this.#lines = new ProgressLines((name) => this.#ports.toolOf(name));
    this.#notes = this.#noted = 0;
    await live?.close(this.#text(lines, EDITED_LINES));
  }

  /** A turn that is over before it is due was short enough to need no such message. */
  #noteLater(): void {
    if (this.#notes >= MAX_NOTES) return;
    this.#due ??= setTimeout(() => {
      this.#due = undefined;
      this.#notes++;
      const { lines } = this.#lines;
      const fresh = lines.slice(this.#noted);
      this.#noted = lines.length;
      if (fresh.length > 0)
        this.#ports
          .note(this.#text(fresh, NOTED_LINES))
          .catch((cause: unknown) =>
            this.#ports.log.warning("What the agent does could not be shown in its chat.", { cause }),
          );
    }, this.#times.noteMs);
  }

  #text(lines: readonly string[], most: number): string {
    let saved = lines.slice(-most);
    while (saved.length > 1 && saved.join("\n").length > MAX_CHARS) saved = saved.slice(1);
    const before = lines.length - saved.length;
    return this.#ports.mask([...(before === 0 ? [] : [`… ${before} before`]), ...saved].join("\n").slice(0, MAX_CHARS));
  }
}
