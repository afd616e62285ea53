import type { Logger } from "../../contract/common/logger.ts";

/**
 * Named values with an owner each: tools, toolsets, commands, and one instance per slot.
 * Of several under one name the latest is in force; the earlier ones wait beneath it and return when it is disposed.
 */
export class Registry<T> {
  readonly #kind: string;
  readonly #log: Logger;
  /** Per name, oldest first. Never empty. */
  readonly #stacks = new Map<string, Registered<T>[]>();
  #generation = 0;
  #sorted: readonly Registered<T>[] | undefined;

  /** @param kind What the values are, for warnings: `tool`, `toolset`. */
  constructor(kind: string, log: Logger) {
    this.#kind = kind;
    this.#log = log;
  }

  /**
   * Puts the value in force until disposed. A name that another owner holds is taken over with a warning that names
   * both.
   */
  add(name: string, value: T, owner: string): Disposable {
    const registered: Registered<T> = { name, value, owner };
    const stack = this.#stacks.get(name);
    const beaten = stack?.at(-1);
    if (beaten !== undefined && beaten.owner !== owner) {
      this.#log.warning(`The ${this.#kind} "${name}" of "${beaten.owner}" is replaced by the one of "${owner}".`, {
        name,
        was: beaten.owner,
        now: owner,
      });
    }
    if (stack === undefined) this.#stacks.set(name, [registered]);
    else stack.push(registered);
    this.#changed();
    return { [Symbol.dispose]: () => this.#remove(registered) };
  }

  get(name: string): T | undefined {
    return this.#stacks.get(name)?.at(-1)?.value;
  }

  /** The owner of the active value. */
  owner(name: string): string | undefined {
    return this.#stacks.get(name)?.at(-1)?.owner;
  }

  /** Those in force, sorted by name in code unit order. The same array until something changes. */
  list(): readonly Registered<T>[] {
    this.#sorted ??= [...this.#stacks.values()]
      .map((stack) => stack.at(-1)!)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#sorted;
  }

  /** Grows with every change; what is computed from the registry is good for one generation. */
  get generation(): number {
    return this.#generation;
  }

  #remove(registered: Registered<T>): void {
    const stack = this.#stacks.get(registered.name);
    const at = stack?.indexOf(registered) ?? -1;
    if (stack === undefined || at < 0) return;
    stack.splice(at, 1);
    if (stack.length === 0) this.#stacks.delete(registered.name);
    this.#changed();
  }

  #changed(): void {
    this.#generation++;
    this.#sorted = undefined;
  }
}

export interface Registered<T> {
  readonly name: string;
  readonly value: T;
  readonly owner: string;
}
