import { openStream, Refused } from "./ask.ts";
import { eventsIn, type ReceivedEvent } from "./event-stream.ts";

export interface Subscription {
  /** `sessions`, `approvals`, `jobs`, `status`, `facts`. */
  readonly topics: readonly string[];
  /** The session whose live text, or facts, the page shows. */
  readonly session?: string;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  /** An event; its names are in the server's `event-hub.ts`. */
  readonly on: (event: string, data: never) => void;
  /** Load everything again: events were missed. */
  readonly onReset: () => void;
  /** The connection was lost, or is there again. */
  readonly onState?: (connected: boolean) => void;
}

/** The first and the longest pause before a lost connection is tried again. */
const RETRY_MS = { first: 500, most: 10_000 };
/** The server sends something at least every 15 s. */
const SILENCE_MS = 40_000;

/**
 * Receives what changes, until the signal aborts. A hidden page holds no connection, because a browser has only six for
 * a server; when it is visible again it receives what it missed.
 */
export function subscribe({ topics, session, signal, on, onReset, onState }: Subscription): void {
  let position: string | undefined;
  void run();

  async function run(): Promise<void> {
    for (let pause = RETRY_MS.first; !signal.aborted;) {
      await visible(signal);
      if (signal.aborted) return;
      const hidden = new AbortController();
      const leave = (): void => (document.hidden ? hidden.abort() : undefined);
      document.addEventListener("visibilitychange", leave);
      try {
        for await (const { id, event, data } of open(AbortSignal.any([signal, hidden.signal]))) {
          if (id !== undefined) position = id;
          pause = RETRY_MS.first;
          if (event === "ready") onState?.(true);
          else if (event === "reset") onReset();
          else on(event, data as never);
        }
      } catch (error) {
        if (!signal.aborted && !hidden.signal.aborted) onState?.(false);
        if (error instanceof Refused && error.status === 401) return; // This run of the dashboard has ended.
      } finally {
        document.removeEventListener("visibilitychange", leave);
      }
      if (signal.aborted || hidden.signal.aborted) continue;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, RETRY_MS.most);
    }
  }

  async function* open(stop: AbortSignal): AsyncGenerator<ReceivedEvent> {
    const query = new URLSearchParams({ topics: topics.join(",") });
    if (session !== undefined) query.set("session", session);
    if (position !== undefined) query.set("after", position);
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const pieces = await openStream(`/api/events?${query}`, AbortSignal.any([stop, silent.signal]));
      yield* eventsIn(pieces, () => {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Resolves when the page is visible, or the signal aborts. */
function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}
