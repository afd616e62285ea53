/** One measured line. `limit` is the project's promise; `ok` tells whether this run met it. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  readonly ok: boolean;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function ms(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;
}

export function ratio(name: string, value: number, base: number, limit: number, baseName: string): Figure {
  const times = value / base;
  return {
    name,
    value: `${ms(value)} = ${times.toFixed(2)} × ${baseName} (${ms(base)})`,
    limit: `≤ ${limit} ×`,
    ok: times <= limit,
  };
}

export function atMost(name: string, value: number, limit: number, unit: (value: number) => string): Figure {
  return { name, value: unit(value), limit: `≤ ${unit(limit)}`, ok: value <= limit };
}
