import type { Ticker } from "../gateway/ticker.ts";
import { runScheduler } from "./scheduler.ts";

/** Scheduled jobs beside the chats of a gateway, with a rhythm of their own: neither waits for the other. */
export const cronTicker: Ticker = {
  name: "The schedule",
  everyMs: 1_000,
  tick: (app, signal) => runScheduler(app, signal, {}, "the gateway"),
};
