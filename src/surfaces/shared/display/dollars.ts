/** `$0.0042`, `$1.28`: four decimals for small amounts. */
export function dollars(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
}
