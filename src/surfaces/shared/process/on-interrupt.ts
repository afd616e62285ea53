import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { onHangup } from "./on-hangup.ts";

/** Ctrl-C, SIGTERM and a terminal that is gone stop what runs; a second Ctrl-C or SIGTERM ends the program at once. What is stored stays stored. */
export function onInterrupt(
  io: Io,
  stop: (reason: string) => PromiseLike<unknown>,
): Disposable & { readonly count: number } {
  let count = 0;
  // Why it could not be stopped is told by what was to be stopped.
  const ask = (reason: string): void => void stop(reason).then(undefined, () => {});
  const listener = (): void => {
    count += 1;
    if (count > 1) process.exit(EXIT.interrupted);
    io.note(`\n${io.style("yellow", "Stopping… (again to end at once)")}\n`);
    ask("Ctrl-C");
  };
  const terminate = (signal: NodeJS.Signals): void => {
    count += 1;
    // A hangup comes more than once by itself.
    if (count > 1 && signal === "SIGTERM") process.exit(EXIT.interrupted);
    ask(signal);
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", terminate);
  // Whoever is to outlive its terminal (nohup) writes to none.
  const hangup = io.outIsTerminal || io.moving ? onHangup(terminate) : undefined;
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]() {
      process.off("SIGINT", listener);
      process.off("SIGTERM", terminate);
      hangup?.[Symbol.dispose]();
    },
  };
}
