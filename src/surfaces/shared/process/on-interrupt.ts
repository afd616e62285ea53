import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { onHangup } from "./on-hangup.ts";

/**
 * Stops the running work on Ctrl-C, SIGTERM or a closed terminal. A second Ctrl-C or SIGTERM ends the program at
 * once.
 */
export function onInterrupt(
  io: Io,
  stop: (reason: string) => PromiseLike<unknown>,
): Disposable & { readonly count: number } {
  let count = 0;
  // The work itself reports a failure to stop.
  const ask = (reason: string): void => void stop(reason).then(undefined, () => {});
  const listener = (): void => {
    count += 1;
    if (count > 1) process.exit(EXIT.interrupted);
    io.note(`\n${io.style("yellow", "Stopping… (press again to exit at once)")}\n`);
    ask("Ctrl-C");
  };
  const terminate = (signal: NodeJS.Signals): void => {
    count += 1;
    // One hangup can arrive several times.
    if (count > 1 && signal === "SIGTERM") process.exit(EXIT.interrupted);
    ask(signal);
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", terminate);
  // A program that must outlive its terminal (nohup) writes to none.
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
