import type { Ticker } from "../gateway/ticker.ts";
import { runScheduler } from "./scheduler.ts";

/** Runs scheduled jobs in a gateway, independently of its chats. */
export const cronTicker: Ticker = {
  name: "The schedule",
  everyMs: 1_000,
  tick: (app, signal) => runScheduler(app, signal, {}, "the gateway"),
};
