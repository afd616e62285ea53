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
  /** Sends and edits a message; `undefined` if the platform cannot edit. */
  editing(): Pick<LiveMessagePorts, "send" | "edit"> | undefined;
  /** Sends a new message, if the platform cannot edit. */
  note(text: string): Promise<unknown>;
}

export interface ProgressTimes {
  /** Time between two edits of the message. */
  readonly editMs: number;
  /** Time between two messages, if the platform cannot edit. */
  readonly noteMs: number;
}

const TIMES: ProgressTimes = { editMs: 1_500, noteMs: 30_000 };
/** Lines shown in an edited message, and in a new one. Earlier lines are only counted. */
const EDITED_LINES = 12;
const NOTED_LINES = 4;
const MAX_CHARS = 3_000;
/** Maximum messages of one turn, if the platform cannot edit. */
const MAX_NOTES = 10;

/** Shows in the chat what a turn does: in one edited message, or in a few messages if the platform cannot edit. */
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

  /** Ends the turn; the last progress stays visible. */
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

  /** A turn that ends before the message is due is short enough to need none. */
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
          .catch((cause: unknown) => this.#ports.log.warning("Cannot show tool progress in the chat.", { cause }));
    }, this.#times.noteMs);
  }

  #text(lines: readonly string[], most: number): string {
    let saved = lines.slice(-most);
    while (saved.length > 1 && saved.join("\n").length > MAX_CHARS) saved = saved.slice(1);
    const before = lines.length - saved.length;
    return this.#ports.mask([...(before === 0 ? [] : [`… ${before} before`]), ...saved].join("\n")).slice(0, MAX_CHARS);
  }
}
