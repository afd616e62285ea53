import { setTimeout as sleep } from "node:timers/promises";
import { foldName, type IrcLine } from "./irc-line.ts";

/** Servers bear a few lines at once. */
const AT_ONCE = 4;

export interface SayResult {
  /** Lines that the server has taken for certain. */
  readonly arrived: number;
  /** Why the next one was not taken. */
  readonly refused?: string;
  readonly lost?: true;
}

export interface SentMessage {
  /** One after another. */
  say(target: string, lines: readonly string[]): Promise<SayResult>;
  take(line: IrcLine): void;
  /** The connection is gone. */
  lost(): void;
}

/**
 * Says lines and knows what became of them: behind every few a `PING` asks, and what the server had to say against a line comes before its
 * answer.
 * @param linesPerSecond Servers put out whoever goes on faster.
 */
export function saying(write: (line: string) => void, linesPerSecond: number): SentMessage {
  const lineMs = 1_000 / linesPerSecond;
  let gone = false;
  let asked = 0;
  let waiting:
    | { readonly target: string; readonly token: string; refused?: string; told(answered: boolean): void }
    | undefined;
  /** When what was said is paid for. */
  let paidAt = 0;
  return {
    async say(target, lines) {
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        const part = lines.slice(at, at + AT_ONCE);
        await pay(part.length);
        if (gone) return { arrived: at, lost: true };
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const asking: NonNullable<typeof waiting> = { target, token: `said${++asked}`, told: resolve };
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
      if (command === "PONG" && params.at(-1) === waiting.token) waiting.told(true);
      else if (/^[4-7]\d\d$/.test(command) && foldName(params[1] ?? "") === foldName(waiting.target))
        waiting.refused = params.at(-1) ?? command;
    },
    lost() {
      gone = true;
      waiting?.told(false);
    },
  };

  async function pay(lines: number): Promise<void> {
    const now = performance.now();
    paidAt = Math.max(now, paidAt) + lines * lineMs;
    await sleep(Math.max(0, paidAt - now - AT_ONCE * lineMs), undefined, { ref: false });
  }
}
