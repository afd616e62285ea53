import { join } from "node:path";
import { FIRST_SLOTS } from "./boot-script.ts";
import { Pipe } from "./pipe.ts";

/** A named pipe for the output of one command at a time. */
export interface Slot {
  readonly name: string;
  /** The pipe is there: the first ones from the start, others once the shell has made them. */
  made: boolean;
  pipe: Pipe | undefined;
}

/** The named pipes of a shell. A pipe goes to another command only when no process can write to it any longer. */
export class OutputSlots implements Disposable {
  readonly #directory: string;
  readonly #strays: (children: readonly number[]) => readonly number[];
  readonly #all: Slot[] = Array.from({ length: FIRST_SLOTS }, (_, n) => ({
    name: `s${n}`,
    made: true,
    pipe: undefined,
  }));
  readonly #free: Slot[] = this.#all.toReversed();
  /** Slots of commands that left processes behind. */
  readonly #held: Slot[] = [];
  /** Slots of commands that are over, with who was there when each started. */
  readonly #returned: { readonly slot: Slot; readonly before: readonly number[] }[] = [];

  /** @param strays Those of the shell's children that commands have left behind. */
  constructor(directory: string, strays: (children: readonly number[]) => readonly number[]) {
    this.#directory = directory;
    this.#strays = strays;
  }

  /** @param children Of the shell, now. */
  take(children: readonly number[]): Slot {
    if (this.#returned.length > 0) this.#sort(this.#strays(children));
    const free = this.#free.pop();
    if (free !== undefined) {
      // A process that was left behind wrote and ended before its output was read. That output must not appear as the
      // next command's.
      free.pipe?.drain();
      return free;
    }
    const slot = { name: `s${this.#all.length}`, made: false, pipe: undefined };
    this.#all.push(slot);
    return slot;
  }

  open(slot: Slot): Pipe {
    slot.pipe ??= new Pipe(join(this.#directory, slot.name));
    return slot.pipe;
  }

  /**
   * Checked when the next command needs a slot, not earlier. @param before The processes that existed when its command
   * started.
   */
  giveBack(slot: Slot, before: readonly number[]): void {
    this.#returned.push({ slot, before });
  }

  /** A process that a command left behind may still write: then its pipe is not given to another command. */
  #sort(strays: readonly number[]): void {
    for (const { slot, before } of this.#returned.splice(0)) {
      if (strays.length === 0) this.#free.push(slot, ...this.#held.splice(0));
      else if (strays.every((pid) => before.includes(pid))) this.#free.push(slot);
      else this.#held.push(slot);
    }
  }

  [Symbol.dispose](): void {
    for (const { pipe } of this.#all) pipe?.[Symbol.dispose]();
  }
}
