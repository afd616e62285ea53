/** What was sent, estimated, and what the service counted. */
export interface Counted {
  readonly sent: number;
  readonly counted: number;
}

export interface Cut {
  /** The counts alone prove it. Otherwise the service should be asked. */
  readonly sure: boolean;
  /** The window that explains it. */
  readonly window: number;
}

/** Windows that servers are started with. */
const SIZES = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144];
/** Small counts say nothing: some servers count only what was not cached. */
const LEAST = 1_024;

/**
 * Whether a service read only part of a request: it counted clearly fewer tokens than were sent. Some servers cut the
 * beginning of a request that is longer than their window, and answer as if nothing were missing.
 * @param before The request of the same session with the highest count.
 * @param ratio Real tokens for an estimated one, from requests that were not cut.
 */
export function looksCut(
  { sent, counted }: Counted,
  before: Counted | undefined,
  ratio: number | undefined,
): Cut | undefined {
  if (counted < LEAST) return undefined;
  const window = SIZES.find((size) => size >= counted) ?? counted;
  const full = counted >= window * 0.97;
  const share = counted / sent;
  // Far less than any text needs, and exactly a window.
  if (sent >= 1_500 && share < 0.35 && full) return { sure: true, window };
  const grew = before === undefined ? 0 : sent - before.sent;
  const more = before === undefined ? 0 : counted - before.counted;
  // The request grew, and the count did not.
  if (before !== undefined && grew >= Math.max(800, before.sent * 0.2) && more <= counted * 0.02)
    return counted >= before.counted * 0.85 ? { sure: true, window } : { sure: false, window };
  const slow = before !== undefined && grew >= 200 && more < grew * (ratio ?? 1) * 0.4;
  const few = sent >= 1_500 && share < (ratio ?? 1) * 0.8;
  return slow || few ? { sure: false, window } : undefined;
}
