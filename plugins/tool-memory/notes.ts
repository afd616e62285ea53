import { join } from "node:path";

export type Target = "memory" | "user";

/** One of the two stores, as the settings want it. */
export interface Store {
  readonly target: Target;
  /** Below the agent's home. */
  readonly path: string;
  readonly enabled: boolean;
  /** Of the whole file, in characters. */
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

/** Entries stand between lines with nothing but §, as in the files of the original. */
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

/** Characters as a person counts them, and as the original does. */
export function sizeOf(text: string): number {
  return [...text].length;
}

export function usageOf(entries: readonly string[], limit: number): string {
  return `${grouped(sizeOf(printNotes(entries)))}/${grouped(limit)}`;
}

/** With the share, for the model to see early that it gets tight. */
export function fullUsageOf(entries: readonly string[], limit: number): string {
  return `${Math.floor((sizeOf(printNotes(entries)) * 100) / limit)}% — ${usageOf(entries, limit)} chars`;
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
