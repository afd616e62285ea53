import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;
const CODE_MS = 3_600_000;
const MAX_PENDING = 3;
const ONE_REQUEST_MS = 600_000;
const MAX_FAILURES = 5;
const LOCKOUT_MS = 3_600_000;

export interface PendingPairing {
  readonly platform: string;
  /** Names the request for `approveRequest`. */
  readonly id: string;
  /** The start of the code's digest; the code is not stored. */
  readonly digest: string;
  readonly userId: string;
  readonly userName: string;
  readonly at: number;
}

export interface ApprovedPairing {
  readonly platform: string;
  readonly userId: string;
  readonly userName: string;
  readonly at: number;
}

interface Pending {
  readonly hash: string;
  readonly salt: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly created_at: number;
}

/**
 * Pairing codes that give chat users access. Uses the file format of the original, so that every process can read
 * them.
 */
export class Pairing {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(home: string, now: () => number = Date.now) {
    const [usual, former] = [join(home, "platforms", "pairing"), join(home, "pairing")];
    this.#folder = !existsSync(usual) && existsSync(former) ? former : usual;
    this.#now = now;
  }

  isPaired(platform: string, userId: string): boolean {
    return Object.hasOwn(this.#approved(platform), userId);
  }

  pairedUsers(platform: string): readonly string[] {
    return Object.keys(this.#approved(platform));
  }

  /** Creates a code for a new user; `undefined` after too many requests or failures. */
  offer(platform: string, userId: string, userName: string): string | undefined {
    const now = this.#now();
    const limits = this.#limits();
    const pending = this.#pending(platform);
    if (
      this.#lockedOut(platform) ||
      now - (limits[`${platform}:${userId}`] ?? -Infinity) < ONE_REQUEST_MS ||
      Object.keys(pending).length >= MAX_PENDING
    )
      return undefined;
    const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
    const salt = randomBytes(16).toString("hex");
    this.#write(`${platform}-pending.json`, {
      ...pending,
      [randomBytes(8).toString("hex")]: {
        hash: digestOf(salt, code),
        salt,
        user_id: userId,
        user_name: userName,
        created_at: now / 1000,
      },
    });
    this.#write("_rate_limits.json", { ...limits, [`${platform}:${userId}`]: now });
    return code;
  }

  /** Gives access to the user with this code. */
  approve(platform: string, code: string): ApprovedPairing | "unknown" | "locked" {
    if (this.#lockedOut(platform)) return "locked";
    const typed = code.trim().toUpperCase();
    const pending = this.#pending(platform);
    const found = Object.entries(pending).find(([, { salt, hash }]) => same(digestOf(salt, typed), hash));
    if (found === undefined) {
      this.#noteFailure(platform);
      return "unknown";
    }
    return this.#give(platform, found[0], pending);
  }

  /** Gives access to the user of a pending request, for an owner who sees who asks. `undefined`: there is no such request. */
  approveRequest(platform: string, id: string): ApprovedPairing | undefined {
    const pending = this.#pending(platform);
    return Object.hasOwn(pending, id) ? this.#give(platform, id, pending) : undefined;
  }

  #give(platform: string, entry: string, pending: { readonly [entry: string]: Pending }): ApprovedPairing {
    const { [entry]: request, ...rest } = pending;
    const { user_id, user_name } = request!;
    this.#write(`${platform}-approved.json`, {
      ...this.#approved(platform),
      [user_id]: { user_name, approved_at: this.#now() / 1000 },
    });
    this.#write(`${platform}-pending.json`, rest);
    return { platform, userId: user_id, userName: user_name, at: this.#now() };
  }

  /** @returns whether the user had access. */
  revoke(platform: string, userId: string): boolean {
    const { [userId]: gone, ...rest } = this.#approved(platform);
    if (gone === undefined) return false;
    this.#write(`${platform}-approved.json`, rest);
    return true;
  }

  /** @returns the number of deleted requests. */
  clearPending(): number {
    const waiting = this.list().pending;
    for (const platform of new Set(waiting.map((one) => one.platform))) this.#write(`${platform}-pending.json`, {});
    return waiting.length;
  }

  list(): { readonly pending: readonly PendingPairing[]; readonly approved: readonly ApprovedPairing[] } {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder).sort() : [];
    const of = (ending: string): readonly string[] =>
      names.flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
    return {
      pending: of("-pending.json").flatMap((platform) =>
        Object.entries(this.#pending(platform)).map(([id, { hash, user_id, user_name, created_at }]) => ({
          platform,
          id,
          digest: hash.slice(0, 8),
          userId: user_id,
          userName: user_name,
          at: created_at * 1000,
        })),
      ),
      approved: of("-approved.json").flatMap((platform) =>
        Object.entries(this.#approved(platform)).map(([userId, { user_name, approved_at }]) => ({
          platform,
          userId,
          userName: user_name,
          at: approved_at * 1000,
        })),
      ),
    };
  }

  /** The requests that have not expired. */
  #pending(platform: string): { readonly [entry: string]: Pending } {
    const all = this.#read(`${platform}-pending.json`) as { readonly [entry: string]: Pending };
    return Object.fromEntries(
      Object.entries(all).filter(([, { created_at }]) => this.#now() - created_at * 1000 < CODE_MS),
    );
  }

  #approved(platform: string): {
    readonly [userId: string]: { readonly user_name: string; readonly approved_at: number };
  } {
    return this.#read(`${platform}-approved.json`) as never;
  }

  #limits(): { readonly [key: string]: number } {
    return this.#read("_rate_limits.json") as never;
  }

  #lockedOut(platform: string): boolean {
    return (this.#limits()[`_lockout:${platform}`] ?? 0) > this.#now();
  }

  #noteFailure(platform: string): void {
    const limits = this.#limits();
    const failures = (limits[`_failures:${platform}`] ?? 0) + 1;
    const locked = failures >= MAX_FAILURES;
    this.#write("_rate_limits.json", {
      ...limits,
      [`_failures:${platform}`]: locked ? 0 : failures,
      ...definedFields({ [`_lockout:${platform}`]: locked ? this.#now() + LOCKOUT_MS : undefined }),
    });
  }

  /** Reads a pairing file. An unreadable file gives no user access. */
  #read(name: string): object {
    try {
      const value: unknown = JSON.parse(readFileSync(join(this.#folder, name), "utf8"));
      return typeof value === "object" && value !== null ? value : {};
    } catch {
      return {}; // Missing or damaged.
    }
  }

  #write(name: string, value: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, name);
    const next = `${file}.${process.pid}`;
    writeFileSync(next, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(next, file);
  }
}

function digestOf(salt: string, code: string): string {
  return createHash("sha256").update(Buffer.from(salt, "hex")).update(code).digest("hex");
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
