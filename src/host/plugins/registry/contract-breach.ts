import type { LogDetail } from "../../../contract/common/logger.ts";

/** Marks a log entry under a plugin's name that the plugin did not write: it broke a rule, which fails its check. */
export const BREACH = { breach: true } as const;

export function isBreach(detail: LogDetail | undefined): boolean {
  return detail !== undefined && "breach" in detail && detail["breach"] === true;
}
