import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { SilenceWatch, type SilenceLimits } from "./silence-watch.ts";

const TYPING_MS = 4_000;

export interface LifeSignPorts {
  readonly log: Logger;
  limits(): SilenceLimits;
  /** Shows the platform's typing indicator. */
  typing(): Promise<void>;
  say(text: string): Promise<void>;
  /** Ends the running turn. */
  interrupt(reason: string): Promise<unknown>;
}

/** Shows a typing indicator while a turn runs, and reports and ends a turn without activity. */
export class LifeSigns {
  readonly #ports: LifeSignPorts;
  readonly #silence: SilenceWatch;
  /** The running tool, named in the warning. */
  #tool: string | undefined;
  #typing: NodeJS.Timeout | undefined;
  #promptIsOpen = false;

  constructor(ports: LifeSignPorts) {
    this.#ports = ports;
    this.#silence = new SilenceWatch(
      () => ports.limits(),
      (kind, ms) => this.#silent(kind, ms),
    );
  }

  /** The turn was active. */
  touch(): void {
    this.#silence.touch();
  }

  onFact(fact: Fact): void {
    if (fact.type === "turn.started") this.#start();
    if (fact.type === "tool.called") this.#tool = fact.tool;
    if (fact.type === "tool.settled") this.#tool = undefined;
    if (fact.type === "turn.ended") this.stop();
  }

  /** A user's thinking time does not count as inactivity. @param busy A turn continues after the answer. */
  promptIsOpen(waiting: boolean, busy: boolean): void {
    this.#promptIsOpen = waiting;
    if (waiting) this.stop();
    else if (busy) this.#start();
  }

  stop(): void {
    clearInterval(this.#typing);
    this.#typing = undefined;
    this.#silence.stop();
  }

  #start(): void {
    if (this.#promptIsOpen) return;
    this.#silence.start();
    if (this.#typing !== undefined) return;
    const show = (): void => void this.#ports.typing().catch(() => undefined); // Only an indicator.
    show();
    this.#typing = setInterval(show, TYPING_MS).unref();
  }

  #silent(kind: "quiet" | "over", silentMs: number): void {
    const { say, interrupt, log } = this.#ports;
    const where = `there was no activity for ${durationText(silentMs)}${this.#tool === undefined ? "" : ` (running ${this.#tool})`}`;
    const message =
      kind === "quiet"
        ? say(`⏳ Still working, but ${where}. /stop ends it.`)
        : say(`⚠ I stopped this turn: ${where}.`).then(() => interrupt("no activity for too long"));
    message.catch((cause: unknown) => log.error("Cannot warn about or end an inactive turn.", { cause }));
  }
}

function durationText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
