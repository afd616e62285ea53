import type { LogLine } from "../../contract/common/log.ts";
import type { LogLevel } from "../../contract/common/logger.ts";
import { maskField } from "../../safety/secrets/mask-value.ts";
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

/**
 * The line as JSON, with huge details cut. Values that JSON cannot represent are described in text. Each text is masked
 * before it is cut and before it becomes JSON.
 */
export function writeLine(line: LogLine, redact: (text: string) => string): string {
  const maskedText = (key: string, value: unknown): unknown =>
    typeof value === "string" ? shortened(value, (start) => maskField(key, start, redact)) : value;
  try {
    return JSON.stringify(line, (key, value: unknown) => maskedText(key, plain(value)));
  } catch {
    return JSON.stringify({
      time: line.time,
      level: line.level,
      name: line.name,
      message: redact(line.message),
      detail: "(could not be written as JSON)",
    });
  }
}

const MAX_TEXT = 20_000;
const EDGE = 8_000;

function plain(value: unknown): unknown {
  if (value instanceof Error)
    return { error: value.message, stack: value.stack, ...definedFields({ cause: value.cause }) };
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return String(value);
  return value;
}

/** More is masked than is shown, so that no secret survives at the edge, but not all of a huge text. */
function shortened(text: string, mask: (text: string) => string): string {
  if (text.length <= MAX_TEXT) return mask(text);
  return `${mask(text.slice(0, MAX_TEXT + EDGE)).slice(0, MAX_TEXT)}... (${text.length - MAX_TEXT} more)`;
}
