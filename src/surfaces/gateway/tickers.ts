import type { App } from "../../contract/services/app.ts";
import type { Ticker } from "../shared/gateway/ticker.ts";

/** Loaded when a gateway starts. */
export const TICKERS: readonly (() => Promise<Ticker>)[] = [
  async () => (await import("./config-ticker.ts")).configTicker,
  async () => (await import("../shared/jobs/cron-ticker.ts")).cronTicker,
  async () => (await import("./housekeeping.ts")).housekeeping,
];

/** Runs the tickers until the signal aborts; resolves when all have stopped. */
export async function runTickers(
  app: App,
  signal: AbortSignal,
  tickers: readonly (() => Promise<Ticker>)[] = TICKERS,
): Promise<void> {
  await Promise.all(tickers.map((load) => run(load, app, signal)));
}

async function run(load: () => Promise<Ticker>, app: App, signal: AbortSignal): Promise<void> {
  const ticker = await load();
  while (!signal.aborted) {
    try {
      await ticker.tick(app, signal);
    } catch (cause) {
      app.log.error(`${ticker.name} failed; retrying.`, { cause });
    }
    const pause = Promise.withResolvers<void>();
    const timer = setTimeout(pause.resolve, ticker.everyMs);
    const stop = (): void => pause.resolve();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await pause.promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
