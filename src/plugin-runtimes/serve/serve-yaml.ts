import type { Json } from "../../contract/common/json.ts";

/** YAML for a plugin. A whole number beyond 2^53 keeps its digits on the wire, so that Python reads the number. */
export async function parseYaml(text: string): Promise<Json> {
  const { parse } = await import("yaml");
  try {
    return { value: withDigits((parse(text, { intAsBigInt: true }) as unknown) ?? null) };
  } catch (cause) {
    return { error: (cause as Error).message };
  }
}

function withDigits(value: unknown): Json {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : rawJSON(String(value));
  }
  if (Array.isArray(value)) return value.map(withDigits);
  if (typeof value !== "object" || value === null || value instanceof Date) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDigits(inner)]));
}

/** Serialises as these digits; the types of this Node version do not declare it. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string): Json };

/**
 * The text of a plugin's value.
 * @param whole The places of whole numbers that arrived as digits, as lists of keys and positions.
 */
export async function printYaml(value: Json, whole: Json | undefined): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(Array.isArray(whole) ? withNumbers(value, whole) : value);
}

function withNumbers(value: Json, places: readonly Json[]): unknown {
  const root = { value } as { value: unknown };
  for (const place of places) {
    if (!Array.isArray(place)) continue;
    let at: { [key: string]: unknown } = root;
    let last = "value";
    for (const key of place) {
      at = (at[last] ?? {}) as { [key: string]: unknown };
      last = String(key);
    }
    const digits = at[last];
    if (typeof digits === "string" && /^-?\d+$/.test(digits)) at[last] = BigInt(digits);
  }
  return root.value;
}
