import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";

/** Ctrl-C and SIGTERM stop what runs; a second Ctrl-C ends the program at once. What is stored stays stored. */
export function onInterrupt(io: Io, stop: (reason: string) => PromiseLike<unknown>): Disposable & { readonly count: number } {
  let count = 0;
  // Why it could not be stopped is told by what was to be stopped.
  const ask = (reason: string): void => void stop(reason).then(undefined, () => {});
  const listener = (): void => {
    count += 1;
    if (count > 1) process.exit(EXIT.interrupted);
    io.note(`\n${io.style("yellow", "Stopping… (again to end at once)")}\n`);
    ask("Ctrl-C");
  };
  const terminate = (): void => {
    count += 1;
    ask("SIGTERM");
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", terminate);
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]() {
      process.off("SIGINT", listener);
      process.off("SIGTERM", terminate);
    },
  };
}
