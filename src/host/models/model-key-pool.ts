import { hash } from "node:crypto";
import type { ModelClient, ModelEvent, ModelFailure } from "../../contract/providers/model.ts";
import type { FoundKey } from "./model-keys.ts";

export const POOL_STRATEGIES = ["fill_first", "round_robin", "least_used", "random"] as const;
export type PoolStrategy = (typeof POOL_STRATEGIES)[number];

/** The state of one key, under its hash: a replaced key starts over. */
interface KeyPast {
  readonly uses: number;
  /** When it was last taken, counted in turns of the pool. */
  readonly turn: number;
  /** Epoch ms until which it is set aside. */
  readonly restsUntil: number;
}
export type PoolPast = { readonly [hash: string]: KeyPast };

export interface KeyPoolPorts {
  /** The service's name in messages. */
  readonly service: string;
  /** In the order in which `fill_first` takes them; at least two. */
  readonly keys: readonly FoundKey[];
  readonly strategy: PoolStrategy;
  connect(key: string): ModelClient;
  now(): number;
  /** Outlives the process, so that commands that run once take turns too. */
  readonly past: { read(): PoolPast; write(past: PoolPast): void };
  /** A key was set aside. */
  told(text: string): void;
}

/** Failures that another key may not have, and how long this one then rests where the service does not say. */
const RESTS_MS: { readonly [code in ModelFailure["code"]]?: number } = {
  auth: 300_000,
  billing: 3_600_000,
  rate_limit: 60_000,
};
const UNUSED: KeyPast = { uses: 0, turn: 0, restsUntil: 0 };

/**
 * Several keys of one service as one client: a request that one key cannot pay for or is refused goes out again with
 * the next.
 */
export function keyPool(ports: KeyPoolPorts): ModelClient {
  const { keys, past, now } = ports;
  const clients = new Map<string, ModelClient>();
  const of = (all: PoolPast, key: FoundKey): KeyPast => all[hashOf(key)] ?? UNUSED;

  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const tried = new Set<FoundKey>();
      for (;;) {
        const key = next(tried)!;
        tried.add(key);
        note(key, (before, turn) => ({ ...before, uses: before.uses + 1, turn }));
        let message = false;
        let again = false;
        for await (const event of clientOf(key).stream(request, signal)) {
          const restMs = event.type === "end" && event.kind === "failure" ? RESTS_MS[event.failure.code] : undefined;
          if (event.type === "end" && event.kind === "failure" && restMs !== undefined) {
            const { failure } = event;
            note(key, (before) => ({ ...before, restsUntil: now() + (failure.retryAfterMs ?? restMs) }));
            const other = message ? undefined : next(tried);
            ports.told(
              `Key ${key.name} of ${ports.service} is suspended for ${Math.ceil((failure.retryAfterMs ?? restMs) / 1000)} s (${failure.code})${other === undefined ? "" : `; continuing with ${other.name}`}.`,
            );
            again = other !== undefined;
            if (again) break;
          }
          message ||= event.type !== "alive";
          yield event;
        }
        if (!again) return;
      }
    },
  };

  /**
   * Of those that do not rest, what the strategy says. When all rest, the first request takes the one that is ready
   * soonest.
   */
  function next(tried: ReadonlySet<FoundKey>): FoundKey | undefined {
    const all = past.read();
    const ready = keys.filter((key) => !tried.has(key) && of(all, key).restsUntil <= now());
    if (ready.length === 0) return tried.size > 0 ? undefined : least(keys, (key) => of(all, key).restsUntil);
    if (ports.strategy === "random") return ready[Math.floor(Math.random() * ready.length)];
    if (ports.strategy === "fill_first") return ready[0];
    return least(ready, (key) => (ports.strategy === "round_robin" ? of(all, key).turn : of(all, key).uses));
  }

  function note(key: FoundKey, change: (before: KeyPast, turn: number) => KeyPast): void {
    const all = past.read();
    const turn = Math.max(0, ...keys.map((one) => of(all, one).turn)) + 1;
    past.write(
      Object.fromEntries(keys.map((one) => [hashOf(one), one === key ? change(of(all, one), turn) : of(all, one)])),
    );
  }

  function clientOf({ key }: FoundKey): ModelClient {
    const client = clients.get(key) ?? ports.connect(key);
    clients.set(key, client);
    return client;
  }
}

function hashOf({ key }: FoundKey): string {
  return hash("sha256", key).slice(0, 16);
}

/** The first of the least. */
function least(keys: readonly FoundKey[], by: (key: FoundKey) => number): FoundKey | undefined {
  return keys.toSorted((one, other) => by(one) - by(other))[0];
}
