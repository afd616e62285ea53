import { join } from "node:path";

export type Target = "memory" | "user";

/** One of the two stores, with its settings. */
export interface Store {
  readonly target: Target;
  /** Relative to the agent's home. */
  readonly path: string;
  readonly enabled: boolean;
  /** Maximum characters of the whole file. */
  readonly limit: number;
}

const FOLDER = "memories";
export const FILES: { readonly [T in Target]: string } = {
  memory: join(FOLDER, "MEMORY.md"),
  user: join(FOLDER, "USER.md"),
};

export function storeOf(target: Target, config: (path: string) => unknown): Store {
  const limit = config(target === "memory" ? "memory.memory_char_limit" : "memory.user_char_limit");
  return {
    target,
    path: FILES[target],
    enabled: config(target === "memory" ? "memory.memory_enabled" : "memory.user_profile_enabled") !== false,
    limit: typeof limit === "number" && limit > 0 ? limit : target === "memory" ? 2200 : 1375,
  };
}

const BETWEEN = "\n§\n";

/** Lines with only § separate the entries, as in the original's files. */
export function parseNotes(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split(/^[ \t]*§[ \t]*$/mu)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export function printNotes(entries: readonly string[]): string {
  return entries.join(BETWEEN);
}

/** Counts code points, as the original does. */
export function sizeOf(text: string): number {
  return [...text].length;
}

export function usageOf(entries: readonly string[], limit: number): string {
  return `${grouped(sizeOf(printNotes(entries)))}/${grouped(limit)}`;
}

/** Includes the percentage, so that the model notices early when space runs out. */
export function fullUsageOf(entries: readonly string[], limit: number): string {
  return `${Math.floor((sizeOf(printNotes(entries)) * 100) / limit)}% — ${usageOf(entries, limit)} chars`;
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
