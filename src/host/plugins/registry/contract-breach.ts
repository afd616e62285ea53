import type { LogDetail } from "../../../contract/common/logger.ts";

/** Goes along with what is logged under a plugin's name and is not its own words: it broke a rule, which fails its check. */
export const BREACH = { breach: true } as const;

export function isBreach(detail: LogDetail | undefined): boolean {
  return detail !== undefined && "breach" in detail && detail["breach"] === true;
}
