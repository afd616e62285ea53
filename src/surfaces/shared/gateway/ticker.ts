import type { App } from "../../../contract/services/app.ts";

/** Work that a gateway does beside its chats, again and again for as long as it runs. */
export interface Ticker {
  readonly name: string;
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  /** What it throws is logged, and the next run comes all the same. */
  tick(app: App, signal: AbortSignal): Promise<void>;
}
