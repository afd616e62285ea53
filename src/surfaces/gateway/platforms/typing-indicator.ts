import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { SilenceWatch, type SilenceLimits } from "./silence-watch.ts";

const TYPING_MS = 4_000;

export interface LifeSignPorts {
  readonly log: Logger;
  limits(): SilenceLimits;
  /** The platform's own sign that somebody writes. */
  typing(): Promise<void>;
  say(text: string): Promise<void>;
  /** Ends what runs. */
  interrupt(reason: string): Promise<unknown>;
}

/** What a chat sees of a turn that runs: somebody writes there, and a turn that gives no sign of life is told of and ended. */
export class LifeSigns {
  readonly #ports: LifeSignPorts;
  readonly #silence: SilenceWatch;
  /** The call that runs, for whoever wonders what takes so long. */
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

  /** Something happened. */
  touch(): void {
    this.#silence.touch();
  }

  onFact(fact: Fact): void {
    if (fact.type === "turn.started") this.#start();
    if (fact.type === "tool.called") this.#tool = fact.tool;
    if (fact.type === "tool.settled") this.#tool = undefined;
    if (fact.type === "turn.ended") this.stop();
  }

  /** A person's time to think is not the turn's. @param busy A turn goes on when they have answered. */
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
    const show = (): void => void this.#ports.typing().catch(() => undefined); // Only a sign of life.
    show();
    this.#typing = setInterval(show, TYPING_MS).unref();
  }

  #silent(kind: "quiet" | "over", silentMs: number): void {
    const { say, interrupt, log } = this.#ports;
    const where = `nothing has happened for ${spoken(silentMs)}${this.#tool === undefined ? "" : `; ${this.#tool} runs`}`;
    const message =
      kind === "quiet"
        ? say(`⏳ I am still at it, but ${where}. /stop ends it.`)
        : say(`⚠ I stopped what I was doing: ${where}.`).then(() => interrupt("it gave no sign of life for too long"));
    message.catch((cause: unknown) =>
      log.error("A turn that gives no sign of life could not be dealt with.", { cause }),
    );
  }
}

function spoken(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
