import { readFileSync, statSync } from "node:fs";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import type { Home } from "../environment/home.ts";
import { scriptHash, scriptsOf } from "./script-hash.ts";

/** The user's consents: an event, a command, and the content of the command's scripts. */
export interface Consents {
  /** `unbound`: given, and the entry says nothing of the scripts' content. */
  of(
    event: string,
    command: string,
  ): { readonly consent: "given" | "missing" | "changed"; readonly unbound?: true; readonly agreedAt?: string };
  /** To the scripts as they are now. `agreedAt` keeps the time of an agreement that is only bound to them. */
  give(hooks: readonly { readonly event: string; readonly command: string; readonly agreedAt?: string }[]): void;
  /** @returns how many were taken back. */
  revoke(command: string): number;
}

/**
 * `shell-hooks-allowlist.json`, the original's file. Its entries know no hash: one of a script that is as old as it was
 * then counts, and so does one written by hand.
 */
export function openConsents(home: Home, userHome: string, now: () => number): Consents {
  const file = home.file("shell-hooks-allowlist.json");
  return {
    of(event, command) {
      const entry = read(file).find((one) => one["event"] === event && one["command"] === command);
      if (entry === undefined) return { consent: "missing" };
      const agreedAt = typeof entry["approved_at"] === "string" ? { agreedAt: entry["approved_at"] } : {};
      if (!stillHolds(entry, command, userHome)) return { consent: "changed", ...agreedAt };
      return {
        consent: "given",
        unbound: typeof entry["script_sha256"] === "string" ? undefined : true,
        ...agreedAt,
      };
    },
    give(hooks) {
      const others = read(file).filter(
        (one) => !hooks.some(({ event, command }) => one["event"] === event && one["command"] === command),
      );
      const given = hooks.map(({ event, command, agreedAt }) => ({
        approved_at: agreedAt ?? new Date(now()).toISOString(),
        command,
        event,
        script_mtime_at_approval: mtimeOf(command, userHome),
        script_sha256: scriptHash(command, userHome),
      }));
      write(file, [...others, ...given]);
    },
    revoke(command) {
      const all = read(file);
      const left = all.filter((one) => one["command"] !== command);
      if (left.length < all.length) write(file, left);
      return all.length - left.length;
    },
  };
}

function stillHolds(entry: JsonObject, command: string, userHome: string): boolean {
  const hash = entry["script_sha256"];
  if (typeof hash === "string") return hash === scriptHash(command, userHome);
  const then = entry["script_mtime_at_approval"];
  const now = mtimeOf(command, userHome);
  // It writes microseconds, or none.
  return typeof then !== "string" || now === null || then.slice(0, 19) === now.slice(0, 19);
}

function mtimeOf(command: string, userHome: string): string | null {
  const [script] = scriptsOf(command, userHome);
  const stat = script === undefined ? undefined : statSync(script, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.mtime.toISOString();
}

/** The stored consents. An unreadable file counts as empty, so no hook runs without consent. */
function read(file: string): readonly JsonObject[] {
  try {
    const approvals = (JSON.parse(readFileSync(file, "utf8")) as JsonObject)["approvals"];
    return Array.isArray(approvals) ? (approvals as readonly Json[]).filter(isObject) : [];
  } catch {
    return []; // Missing or damaged: no consents.
  }
}

function write(file: string, approvals: readonly JsonObject[]): void {
  writeAtomically(file, `${JSON.stringify({ approvals }, null, 2)}\n`);
}
