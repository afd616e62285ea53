import type { WatchRules } from "./settings.ts";

/** Whether the rules can report anything. */
export function watchesAny({ domains, entities, all }: WatchRules): boolean {
  return all || domains.length > 0 || entities.length > 0;
}

/** Whether the rules report changes of this entity. */
export function isWatched(entity: string, { domains, entities, ignored, all }: WatchRules): boolean {
  if (ignored.includes(entity)) return false;
  if (domains.length === 0 && entities.length === 0) return all;
  return entities.includes(entity) || domains.includes(entity.split(".")[0]!);
}

/** Lets one report of each entity through in the given time. */
export class Cooldown {
  readonly #ms: number;
  readonly #now: () => number;
  /** When each entity was last reported. */
  readonly #last = new Map<string, number>();

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(ms: number, now: () => number) {
    this.#ms = ms;
    this.#now = now;
  }

  /** Whether the entity may be reported now; if so, its time starts again. */
  passes(entity: string): boolean {
    const now = this.#now();
    const last = this.#last.get(entity);
    if (last !== undefined && now - last < this.#ms) return false;
    this.#last.set(entity, now);
    return true;
  }
}
