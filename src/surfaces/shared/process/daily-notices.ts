import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "../../../contract/common/fingerprint.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { App } from "../../../contract/services/app.ts";
import { isTerminal } from "./is-terminal.ts";

const FILE = "notices-shown.json";

/**
 * The notices to print before a one-shot: errors always, others once a day each, and only if notes go to a terminal.
 * `display.notices` changes that. `hermes doctor` lists all. Without notices it reads no file.
 */
export function dueNotices(
  { config, home }: Pick<App, "config" | "home">,
  notices: readonly Notice[],
  now: { readonly terminal: boolean; readonly at: Date } = { terminal: isTerminal(2), at: new Date() },
): readonly Notice[] {
  if (notices.every(({ level }) => level === "error")) return notices;
  const when = config.get("display.notices");
  if (when === "always") return notices;
  if (when === "never" || !now.terminal) return notices.filter(({ level }) => level === "error");
  const today = dayOf(now.at);
  const shown = readShown(home, today);
  const due = notices.filter(({ level, text }) => level === "error" || !shown.has(fingerprint(text)));
  const fresh = due.filter(({ level }) => level !== "error");
  if (fresh.length > 0) writeShown(home, today, [...shown, ...fresh.map(({ text }) => fingerprint(text))]);
  return due;
}

/** The user's day. */
function dayOf(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Fingerprints of the notices that were printed today. */
function readShown(home: string, today: string): ReadonlySet<string> {
  try {
    const saved: unknown = JSON.parse(readFileSync(join(home, "cache", FILE), "utf8"));
    if (!isObject(saved) || saved["day"] !== today || !Array.isArray(saved["shown"])) return new Set();
    return new Set(saved["shown"].map(String));
  } catch {
    return new Set(); // None was printed yet.
  }
}

function writeShown(home: string, day: string, shown: readonly string[]): void {
  const folder = join(home, "cache");
  const stage = join(folder, `${FILE}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(stage, JSON.stringify({ day, shown }), { mode: 0o600 });
    renameSync(stage, join(folder, FILE));
  } catch {
    // On a disk that cannot be written they are printed again.
  }
}
