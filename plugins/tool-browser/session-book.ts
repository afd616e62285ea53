import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { BrowserProvider, Json, JsonObject, PluginContext } from "hermes-agent/plugin";

/** Path of the session book below the home. A home without it never opened a session. */
export const BOOK = "plugin-data/tool-browser.json";

/** A session that a service runs, and who uses it. */
interface Lease {
  readonly provider: string;
  readonly id: string;
  /** Process that uses it, and the machine that the process is on. */
  readonly pid: number;
  readonly machine: string;
  /** Of several processes that had one pid after each other. */
  readonly owner: string;
  readonly at: number;
  /** When its owner last said that it uses it. */
  readonly seenAt: number;
}

const PREFIX = "session ";
const RENEW_MS = 30_000;
/** An owner that said nothing for so long is gone, wherever it was. */
const LOST_MS = 4 * RENEW_MS;
/** No service keeps one for so long. */
const FORGET_MS = 24 * 3_600_000;
const CLOSE_MS = 15_000;
const LAST_MS = 5_000;

/**
 * Sessions at services that are not known to have ended, in the plugin's storage. An entry is written before a session
 * is used and removed once its service confirms the end. A later process ends the sessions of one that is gone.
 */
export class SessionBook {
  readonly #ctx: Pick<PluginContext, "storage" | "use" | "log">;
  readonly #owner = randomUUID();
  readonly #used = new Map<string, Lease>();
  #renewing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Pick<PluginContext, "storage" | "use" | "log">) {
    this.#ctx = ctx;
  }

  /** Before it is used. */
  async enter(provider: string, id: string): Promise<void> {
    const lease: Lease = {
      provider,
      id,
      pid: process.pid,
      machine: hostname(),
      owner: this.#owner,
      at: Date.now(),
      seenAt: Date.now(),
    };
    this.#used.set(keyOf(lease), lease);
    await this.#ctx.storage.set(keyOf(lease), { ...lease });
    this.#timer ??= setInterval(() => void (this.#renewing = this.#renew()), RENEW_MS).unref();
  }

  /** Asks the service to end the session. If that fails, the session stays in the book. */
  async end(provider: BrowserProvider, id: string): Promise<boolean> {
    const key = keyOf({ provider: provider.name, id });
    this.#used.delete(key);
    if (this.#used.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const ended = await closed(provider, id);
    // Finish a pending write before removing the entry.
    await this.#renewing;
    if (ended) await this.#ctx.storage.delete(key);
    else
      this.#ctx.log.warning(
        `Session of ${provider.name} could not be ended. The next start tries again. Until then it may cost money.`,
        { session: id },
      );
    return ended;
  }

  /** Ends the sessions of processes that are gone. @returns Those that could not be ended. */
  async sweep(): Promise<readonly string[]> {
    const swept = (await this.#abandoned()).map(async (lease) => {
      const provider = await this.#ctx.use("browser", lease.provider).catch(() => undefined); // Its plugin, or its key, is gone.
      if (provider !== undefined && (await this.end(provider, lease.id)))
        this.#ctx.log.info(`Session of ${lease.provider} ended; an earlier run left it open.`, {
          session: lease.id,
        });
      else if (Date.now() - lease.at > FORGET_MS) await this.#ctx.storage.delete(keyOf(lease));
      else return [`${lease.provider} ${lease.id}`];
      return [];
    });
    return (await Promise.all(swept)).flat();
  }

  /** Sessions that no process uses and that were not ended. */
  async abandoned(): Promise<readonly string[]> {
    return (await this.#abandoned()).map(({ provider, id }) => `${provider} ${id}`);
  }

  async #abandoned(): Promise<readonly Lease[]> {
    const keys = (await this.#ctx.storage.keys()).filter((key) => key.startsWith(PREFIX));
    const leases = (await Promise.all(keys.map((key) => this.#ctx.storage.get(key)))).flatMap(leaseOf);
    return leases.filter((lease) => !this.#used.has(keyOf(lease)) && this.#isAbandoned(lease));
  }

  #isAbandoned({ owner, machine, pid, seenAt }: Lease): boolean {
    if (owner === this.#owner || Date.now() - seenAt > LOST_MS) return true;
    return machine === hostname() && (pid === process.pid || !runs(pid));
  }

  async #renew(): Promise<void> {
    for (const [key, lease] of this.#used) {
      const fresh = { ...lease, seenAt: Date.now() };
      this.#used.set(key, fresh);
      await this.#ctx.storage
        .set(key, fresh)
        .catch((cause: unknown) => this.#ctx.log.warning("Cannot record that a session is in use.", { cause }));
    }
  }
}

async function closed(provider: BrowserProvider, id: string): Promise<boolean> {
  if ((await inTime(async () => provider.close_session(id), CLOSE_MS)) === true) return true;
  await inTime(async () => provider.emergency_cleanup?.(id), LAST_MS);
  return false;
}

/** The result within that time; nothing if the provider throws against its contract. */
async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const late = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([work(), promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

function keyOf({ provider, id }: Pick<Lease, "provider" | "id">): string {
  return `${PREFIX}${provider} ${id}`;
}

function leaseOf(value: Json | undefined): readonly Lease[] {
  const { provider, id, at, seenAt } = (value ?? {}) as JsonObject;
  return typeof provider === "string" && typeof id === "string" && typeof at === "number" && typeof seenAt === "number"
    ? [value as unknown as Lease]
    : [];
}
