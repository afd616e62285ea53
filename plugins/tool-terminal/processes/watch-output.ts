import { plainText } from "hermes-agent/terminal";

const EVENT_GAP_MS = 15_000;
const MAX_LINES = 20;
const MAX_CHARS = 2_000;
/** Consecutive windows with dropped lines after which a pattern is too common to report. */
const TOO_MANY_WINDOWS = 3;

export interface WatchEvents {
  match(pattern: string, lines: string, suppressed: number): void;
  /** The patterns match too often; no further events follow. */
  disabled(): void;
  now(): number;
}

/** Reports output lines that contain a pattern, at most once in 15 s. */
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

/**
 * For all processes together: after more than 15 events in 10 s, pauses for 30 s and reports the start and end of the
 * pause.
 */
export class EventBreaker {
  readonly #now: () => number;
  #recent: number[] = [];
  #silentUntil = -Infinity;
  #missed = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The text for an event: itself, with or replaced by a summary, or nothing. */
  pass(event: string): string | undefined {
    const now = this.#now();
    if (now < this.#silentUntil) {
      this.#missed += 1;
      return undefined;
    }
    const before =
      this.#missed > 0 ? `[Output watching resumes; ${this.#missed} events of the last 30 s were omitted.]\n` : "";
    this.#missed = 0;
    this.#recent = [...this.#recent.filter((at) => now - at < 10_000), now];
    if (this.#recent.length <= 15) return before + event;
    this.#recent = [];
    this.#silentUntil = now + 30_000;
    this.#missed = 1;
    return "[Too much watched output; notifications pause for 30 s. Use the process tool to read it.]";
  }
}
