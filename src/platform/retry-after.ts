import { isObject } from "../contract/common/is-object.ts";

type Headers = { readonly [name: string]: string };

/**
 * The pause that a service asks for, in milliseconds; `undefined`: none. Reads `retry-after-ms`, `retry-after` as
 * seconds, fractions or a date, `x-ratelimit-reset-after`, and the body fields `retry_after` (seconds),
 * `parameters.retry_after` and `retry_after_ms`.
 * @param headers Names in lower case.
 * @param now Epoch ms.
 */
export function retryAfterMs(headers: Headers, body: unknown, now: number): number | undefined {
  const pauses = [
    numberOf(headers["retry-after-ms"]),
    ofHeader(headers["retry-after"], now),
    seconds(numberOf(headers["x-ratelimit-reset-after"])),
    ofBody(body),
  ];
  return pauses.find((pause) => pause !== undefined);
}

/**
 * When a rate-limit bucket is free again, in epoch ms, if the reply says that nothing is left of it. Reads
 * `x-ratelimit-remaining` with `x-ratelimit-reset-after` or `x-ratelimit-reset`, the same names without `x-`, and
 * `ratelimit: "name";r=0;t=30`.
 */
export function exhaustedUntil(headers: Headers, now: number): number | undefined {
  const structured = headers["ratelimit"] ?? "";
  if (/;\s*r=0\b/.test(structured)) {
    const wait = Number(/;\s*t=(\d+)/.exec(structured)?.[1] ?? Number.NaN);
    if (Number.isFinite(wait)) return now + wait * 1_000;
  }
  const field = (name: string): number | undefined =>
    numberOf(headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`]);
  if (field("remaining") !== 0) return undefined;
  const after = field("reset-after");
  if (after !== undefined) return now + after * 1_000;
  const reset = field("reset");
  if (reset === undefined) return undefined;
  // Some services send seconds from now, others a time in seconds or milliseconds.
  return reset > 100_000_000_000 ? reset : reset > 1_000_000_000 ? reset * 1_000 : now + reset * 1_000;
}

function ofHeader(value: string | undefined, now: number): number | undefined {
  const wait = seconds(numberOf(value));
  if (wait !== undefined || value === undefined) return wait;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function ofBody(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const { retry_after, retry_after_ms, parameters } = body;
  if (typeof retry_after_ms === "number") return positive(retry_after_ms);
  if (typeof retry_after === "number") return positive(retry_after * 1_000);
  const inner = isObject(parameters) ? parameters["retry_after"] : undefined;
  return typeof inner === "number" ? positive(inner * 1_000) : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value * 1_000;
}

function positive(ms: number): number | undefined {
  return ms >= 0 ? ms : undefined;
}
