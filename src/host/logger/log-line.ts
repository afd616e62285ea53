import type { LogLine } from "../../contract/common/log.ts";
import type { LogLevel } from "../../contract/common/logger.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export const LEVELS: readonly LogLevel[] = ["debug", "info", "warning", "error"];

export function atLeast(level: LogLevel, least: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** `WARN`, `Warning` and `WARNING` are one level. @returns `undefined` for no level. */
export function parseLevel(text: string): LogLevel | undefined {
  const word = text.toLowerCase();
  return LEVELS.find(
    (level) => level === word || (level === "warning" && word === "warn") || (level === "error" && word === "critical"),
  );
}

/** The line as JSON, with huge details cut. Values that JSON cannot represent are described in text. */
export function writeLine(line: LogLine): string {
  try {
    return JSON.stringify(line, (_, value: unknown) => plain(value));
  } catch {
    return JSON.stringify({
      time: line.time,
      level: line.level,
      name: line.name,
      message: line.message,
      detail: "(could not be written as JSON)",
    });
  }
}

const MAX_TEXT = 20_000;

function plain(value: unknown): unknown {
  if (value instanceof Error)
    return { error: value.message, stack: value.stack, ...definedFields({ cause: value.cause }) };
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return String(value);
  if (typeof value === "string" && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT)}... (${value.length - MAX_TEXT} more)`;
  return value;
}
