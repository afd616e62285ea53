import { setTimeout as sleep } from "node:timers/promises";
import { foldName, type IrcLine } from "./irc-line.ts";

/** Number of lines that servers accept at once. */
const AT_ONCE = 4;

export interface SayResult {
  /** Number of lines that the server has confirmed. */
  readonly arrived: number;
  /** Why the next line was refused. */
  readonly refused?: string;
  readonly lost?: true;
}

export interface SentMessage {
  /** Sends lines in order. */
  say(target: string, lines: readonly string[]): Promise<SayResult>;
  take(line: IrcLine): void;
  /** Reports that the connection is lost. */
  lost(): void;
}

/**
 * Sends lines and tracks their outcome: a `PING` follows every few lines, and the server reports refused lines before
 * it answers the `PING`.
 * @param linesPerSecond Servers disconnect clients that send faster.
 */
export function saying(write: (line: string) => void, linesPerSecond: number): SentMessage {
  const lineMs = 1_000 / linesPerSecond;
  let gone = false;
  let asked = 0;
  let waiting:
    | { readonly target: string; readonly token: string; refused?: string; answered(arrived: boolean): void }
    | undefined;
  /** When the rate limit allows the next line. */
  let paidAt = 0;
  return {
    async say(target, lines) {
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        const part = lines.slice(at, at + AT_ONCE);
        await pay(part.length);
        if (gone) return { arrived: at, lost: true };
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const asking: NonNullable<typeof waiting> = { target, token: `said${++asked}`, answered: resolve };
        waiting = asking;
        for (const line of part) write(`PRIVMSG ${target} :${line}`);
        write(`PING :${asking.token}`);
        const answered = await promise;
        waiting = undefined;
        if (asking.refused !== undefined) return { arrived: at, refused: asking.refused };
        if (!answered) return { arrived: at, lost: true };
      }
      return { arrived: lines.length };
    },
    take({ command, params }) {
      if (waiting === undefined) return;
      if (command === "PONG" && params.at(-1) === waiting.token) waiting.answered(true);
      else if (/^[4-7]\d\d$/.test(command) && foldName(params[1] ?? "") === foldName(waiting.target))
        waiting.refused = params.at(-1) ?? command;
    },
    lost() {
      gone = true;
      waiting?.answered(false);
    },
  };

  async function pay(lines: number): Promise<void> {
    const now = performance.now();
    paidAt = Math.max(now, paidAt) + lines * lineMs;
    await sleep(Math.max(0, paidAt - now - AT_ONCE * lineMs), undefined, { ref: false });
  }
}
