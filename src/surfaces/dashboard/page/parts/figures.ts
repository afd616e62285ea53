/** `120 ms`, `3.4 s`, `2 m 5 s`; "" when it is unknown. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return "";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} m` : `${minutes} m ${seconds % 60} s`;
}

/** `830`, `12.4k`, `3.1M`. */
export function count(number: number): string {
  if (number < 1_000) return String(number);
  return number < 1_000_000 ? `${(number / 1_000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}

/** `$0.0123`; `≥` when the cost of a request is unknown. */
export function dollars(costUsd: number, unknown = 0): string {
  if (costUsd === 0) return unknown > 0 ? "$?" : "$0";
  return `${unknown > 0 ? "≥ " : ""}$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}
