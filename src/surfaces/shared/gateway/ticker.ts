import type { App } from "../../../contract/services/app.ts";

/** Work that a gateway repeats in the background. */
export interface Ticker {
  readonly name: string;
  /** Time from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** The gateway logs errors and continues with the next run. */
  tick(app: App, signal: AbortSignal): Promise<void>;
}
