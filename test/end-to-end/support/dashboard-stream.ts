import { eventsIn, type ReceivedEvent } from "../../../src/surfaces/dashboard/page/event-stream.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import type { DashboardScene } from "./dashboard-scene.ts";

/** Server-sent events of the dashboard. */
export interface Stream extends AsyncDisposable {
  readonly status: number;
  readonly events: ReceivedEvent[];
  /** The first event after `from` that fits. */
  find(fits: (event: ReceivedEvent) => boolean, from?: number): Promise<ReceivedEvent>;
}

/** Subscribes as a page does; `query` names topics and a session. */
export async function listen(scene: DashboardScene, query: string): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(new URL(`/api/events?${query}`, scene.url), {
    headers: { "x-hermes-session-token": scene.token },
    signal: stop.signal,
  });
  const events: ReceivedEvent[] = [];
  const read = (async () => {
    if (response.status !== 200) return void (await response.body?.cancel());
    for await (const event of eventsIn(response.body!.pipeThrough(new TextDecoderStream()))) events.push(event);
  })().catch(() => undefined);
  return {
    status: response.status,
    events,
    find: (fits, from = 0) =>
      waitFor(() => Promise.resolve(events.slice(from).find(fits)), {
        what: "the event arrives",
        state: () => JSON.stringify(events),
      }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await read;
    },
  };
}
