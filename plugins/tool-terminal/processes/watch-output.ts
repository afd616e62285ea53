import { plainText } from "hermes-agent/terminal";

const EVENT_GAP_MS = 15_000;
const MAX_LINES = 20;
const MAX_CHARS = 2_000;
/** Windows in a row with dropped lines after which a pattern is too common to be worth telling. */
const TOO_MANY_WINDOWS = 3;

export interface WatchEvents {
  match(pattern: string, lines: string, suppressed: number): void;
  /** The patterns match too often; no further event comes. */
  disabled(): void;
  now(): number;
}

/** Tells about output lines that contain a pattern, at most once in 15 s. */
export function watchOutput(patterns: readonly string[], events: WatchEvents): (text: string) => void {
  let rest = "";
  let lastAt = -Infinity;
  let dropped = 0;
  let crowded = 0;
  let off = false;
  return (text) => {
    if (off) return;
    const lines = (rest + text).split("\n");
    rest = lines.pop()!.slice(-MAX_CHARS);
    const hits = lines.flatMap((line) => {
      const pattern = patterns.find((candidate) => line.includes(candidate));
      return pattern === undefined ? [] : [{ pattern, line }];
    });
    if (hits.length === 0) return;
    const now = events.now();
    if (now - lastAt < EVENT_GAP_MS) {
      dropped += hits.length;
      return;
    }
    crowded = dropped > 0 ? crowded + 1 : 0;
    if (crowded >= TOO_MANY_WINDOWS) {
      off = true;
      events.disabled();
      return;
    }
    lastAt = now;
    const shown = hits.slice(0, MAX_LINES);
    const suppressed = dropped + hits.length - shown.length;
    dropped = 0;
    events.match(hits[0]!.pattern, plainText(shown.map((hit) => hit.line).join("\n")).slice(0, MAX_CHARS), suppressed);
  };
}

/** Over all processes: more than 15 events in 10 s are followed by 30 s of silence, said once at its start and once at its end. */
export class EventBreaker {
  readonly #now: () => number;
  #recent: number[] = [];
  #silentUntil = -Infinity;
  #missed = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What to tell for an event: itself, a summary before it or instead of it, or nothing. */
  pass(event: string): string | undefined {
    const now = this.#now();
    if (now < this.#silentUntil) {
      this.#missed += 1;
      return undefined;
    }
    const before =
      this.#missed > 0
        ? `[Output watching goes on; ${this.#missed} events of the last half minute were left out.]\n`
        : "";
    this.#missed = 0;
    this.#recent = [...this.#recent.filter((at) => now - at < 10_000), now];
    if (this.#recent.length <= 15) return before + event;
    this.#recent = [];
    this.#silentUntil = now + 30_000;
    this.#missed = 1;
    return "[Watched output comes too often; nothing of it is told for 30 s. Use the process tool to look.]";
  }
}
