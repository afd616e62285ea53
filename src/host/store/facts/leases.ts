import { StoreConflict, type Lease } from "../../../contract/conversation/store.ts";
import type { DatabaseFile } from "./database-file.ts";
import { isDead, thisProcess } from "./process-owner.ts";
import { systemClock } from "../../app/system-clock.ts";

/** The database's own clock, in epoch ms: all processes of one home share it. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

export interface LeaseRow {
  readonly fence: number;
  readonly holder: string;
  readonly untilAt: number;
}

interface HeldLease {
  readonly lane: string;
  readonly fence: number;
  readonly lost: AbortController;
  /** Monotonic time in ms until which this process surely holds the lease. */
  sureUntil: number;
}

/** How leases reach the database: in a transaction, waiting their turn. */
export type WriteLeases = <T>(work: (file: DatabaseFile) => T) => Promise<T>;

/** The leases this process holds; one timer renews them all. */
export class LeaseBook {
  readonly #write: WriteLeases;
  readonly #leaseMs: number;
  readonly #held = new Set<HeldLease>();
  #timer: NodeJS.Timeout | undefined;
  #renewing = false;

  constructor(write: WriteLeases, leaseMs: number) {
    this.#write = write;
    this.#leaseMs = leaseMs;
  }

  async take(lane: string, holder: string): Promise<Lease | { readonly heldBy: string; readonly untilAt: number }> {
    const askedAt = systemClock.elapsed();
    const taken = await this.#write(
      (file): { readonly fence: number } | { readonly heldBy: string; readonly untilAt: number } => {
        const current = liveLease(file, lane);
        if (current !== undefined) return { heldBy: current.holder, untilAt: current.untilAt };
        const row = file
          .statement(
            `INSERT INTO leases VALUES (?1, 1, ?2, ?3, ${NOW} + ?4)
           ON CONFLICT (lane) DO UPDATE SET fence = fence + 1, holder = ?2, owner = ?3, until_at = ${NOW} + ?4 RETURNING fence`,
          )
          .get(lane, holder, JSON.stringify(thisProcess()), this.#leaseMs);
        return { fence: Number(row?.["fence"]) };
      },
    );
    if ("heldBy" in taken) return taken;
    const held: HeldLease = {
      lane,
      fence: taken.fence,
      lost: new AbortController(),
      sureUntil: askedAt + this.#leaseMs,
    };
    this.#held.add(held);
    this.#timer ??= setInterval(() => void this.renew(), this.#leaseMs / 3).unref();
    return { fence: held.fence, lost: held.lost.signal, [Symbol.asyncDispose]: () => this.#release(held) };
  }

  async renew(): Promise<void> {
    const askedAt = systemClock.elapsed();
    // The last renewal still waits for the lock: after its time, a lease may belong to another process.
    for (const one of this.#held)
      if (askedAt >= one.sureUntil && this.#renewing) this.#lose(one, "it was not renewed in time");
    if (this.#renewing || this.#held.size === 0) return;
    this.#renewing = true;
    const held = [...this.#held];
    try {
      const saved = await this.#write((file) =>
        held.map((one) => renewLease(file, one.lane, one.fence, this.#leaseMs)),
      );
      held.forEach((one, index) => {
        if (saved[index] === true) one.sureUntil = askedAt + this.#leaseMs;
        else this.#lose(one, "another process took the session over");
      });
    } catch {
      for (const one of held) if (systemClock.elapsed() >= one.sureUntil) this.#lose(one, "it was not renewed in time");
    } finally {
      this.#renewing = false;
    }
  }

  /** A write found that the lease is lost; the holder is notified at once. */
  noticeLoss(lane: string, fence: number): void {
    for (const one of this.#held)
      if (one.lane === lane && one.fence === fence) this.#lose(one, "another process took the session over");
  }

  async releaseAll(): Promise<void> {
    for (const one of this.#held) await this.#release(one);
  }

  #lose(one: HeldLease, why: string): void {
    this.#forget(one);
    one.lost.abort(new StoreConflict(`The lease of session "${one.lane}" was lost: ${why}.`));
  }

  async #release(one: HeldLease): Promise<void> {
    if (!this.#held.has(one)) return;
    this.#forget(one);
    try {
      await this.#write((file) =>
        file
          .statement("UPDATE leases SET until_at = 0, holder = '', owner = '' WHERE lane = ? AND fence = ?")
          .run(one.lane, one.fence),
      );
    } catch {
      // It expires.
    }
  }

  #forget(one: HeldLease): void {
    this.#held.delete(one);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function renewLease(file: DatabaseFile, lane: string, fence: number, leaseMs: number): boolean {
  const { changes } = file
    .statement(`UPDATE leases SET until_at = ${NOW} + ? WHERE lane = ? AND fence = ?`)
    .run(leaseMs, lane, fence);
  return Number(changes) === 1;
}

/** The lease that holds `lane` now; one whose process is gone holds nothing. */
export function liveLease(file: DatabaseFile, lane: string): LeaseRow | undefined {
  const row = file
    .statement(`SELECT fence, holder, owner, until_at FROM leases WHERE lane = ? AND until_at > ${NOW}`)
    .get(lane);
  if (row === undefined || isDead(String(row["owner"]))) return undefined;
  return { fence: Number(row["fence"]), holder: String(row["holder"]), untilAt: Number(row["until_at"]) };
}

/** @throws {StoreConflict} when `fence` is not the latest holder's. */
export function requireFence(file: DatabaseFile, lane: string, fence: number): void {
  const row = file.statement("SELECT fence, holder FROM leases WHERE lane = ?").get(lane);
  if (row !== undefined && Number(row["fence"]) === fence) return;
  const now =
    row === undefined
      ? "it was removed"
      : `${row["holder"] === "" ? "another holder" : `"${row["holder"]}"`} took it over (${row["fence"]})`;
  throw new StoreConflict(`Session "${lane}" is no longer leased under number ${fence}: ${now}.`);
}
