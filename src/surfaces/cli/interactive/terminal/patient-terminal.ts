import { ProcessTerminal } from "@earendil-works/pi-tui";
import { KeyStream } from "./key-stream.ts";

/**
 * The terminal of the process. What the user types passes through a `KeyStream` before the base class splits it into
 * keys, and so does what was typed before the program read keys.
 */
export class PatientTerminal extends ProcessTerminal {
  #keys: KeyStream | undefined;
  #read: ((data: string) => void) | undefined;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    const { stdin } = process;
    const before = stdin.listeners("data");
    super.start(onInput, onResize);
    const readers = stdin.listeners("data").filter((listener) => !before.includes(listener));
    const keys = new KeyStream((data) => readers.forEach((reader) => reader(data)), { typedAhead: true });
    const read = (data: string): void => keys.write(data);
    for (const reader of readers) stdin.off("data", reader as (data: string) => void);
    stdin.on("data", read);
    this.#keys = keys;
    this.#read = read;
    // After the first turn the stream reads, after the second it has passed on what waited.
    setImmediate(() => setImmediate(() => keys.ready()));
  }

  override stop(): void {
    if (this.#read !== undefined) process.stdin.off("data", this.#read);
    this.#keys?.[Symbol.dispose]();
    super.stop();
  }
}
