import { createHash } from "node:crypto";
import type { Json } from "hermes-agent/plugin";
import type { ListedTool } from "./clean-definition.ts";
import type { ServerEntry } from "../server/server-entry.ts";

/**
 * A server's offer at the moment when the user accepted it. Sessions get this offer, whatever the server changes later.
 */
export interface Pin {
  /** Digest of the command or URL; a different one is a different server. */
  readonly server: string;
  readonly tools: readonly ListedTool[];
  /** Whether it has resources and prompts. */
  readonly has: readonly ("resources" | "prompts")[];
}

export interface Drift {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export const NO_DRIFT: Drift = { added: [], changed: [], removed: [] };

/** The identity of the server. */
export function identityOf({ place }: Pick<ServerEntry, "place">): string {
  return digest(place.kind === "http" ? [place.url] : [place.command, ...place.args]);
}

/** Everything about one tool that the user accepted. */
export function toolDigest({ name, description, input, destructive }: ListedTool): string {
  return digest([name, description, input, destructive]);
}

export function driftOf(pin: Pin, now: readonly ListedTool[]): Drift {
  const before = new Map(pin.tools.map((tool) => [tool.name, toolDigest(tool)]));
  const after = new Map(now.map((tool) => [tool.name, toolDigest(tool)]));
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    changed: [...after].flatMap(([name, print]) => (before.has(name) && before.get(name) !== print ? [name] : [])),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

export function isDrift({ added, changed, removed }: Drift): boolean {
  return added.length + changed.length + removed.length > 0;
}

/** Parses a stored value; `undefined` when it is not a pin or belongs to another server. */
export function readPin(value: Json | undefined, identity: string): Pin | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const pin = value as unknown as Pin;
  return pin.server === identity && Array.isArray(pin.tools)
    ? { ...pin, has: Array.isArray(pin.has) ? pin.has : [] }
    : undefined;
}

function digest(value: unknown): string {
  return createHash("sha256").update(stable(value)).digest("hex");
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${stable(inner)}`)
    .join(",")}}`;
}
