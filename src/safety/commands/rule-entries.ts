import type { Json } from "../../contract/common/json.ts";

/** A rule of the user in `config.yaml`: a line, or a line with commands it must and must not cover. */
export interface RuleEntry {
  readonly rule: string;
  readonly examples: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** From this moment on an allowing rule allows nothing any more. Epoch ms. */
  readonly until?: number;
}

/** @throws What is neither a rule nor a list of them: a policy that cannot be read must not pass for an empty one. */
export function ruleEntries(value: Json | undefined): readonly RuleEntry[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(ruleEntry);
}

function ruleEntry(value: Json): RuleEntry {
  if (typeof value === "string") return { rule: value, examples: { allow: [], deny: [] } };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`Cannot read a rule in the configuration: ${JSON.stringify(value)}`);
  const { rule, examples, until } = value as {
    readonly rule?: Json;
    readonly examples?: { readonly allow?: Json; readonly deny?: Json };
    readonly until?: Json;
  };
  if (typeof rule !== "string" || rule.trim() === "")
    throw new Error(`A rule in the configuration has no text: ${JSON.stringify(value)}`);
  return {
    rule,
    examples: { allow: texts(examples?.allow), deny: texts(examples?.deny) },
    until: until === undefined ? undefined : endOf(until, rule),
  };
}

/**
 * A date counts to its end, in the user's time zone. @throws for an invalid time: a temporary rule must not last
 * forever.
 */
function endOf(until: Json, rule: string): number {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(until)) ?? [];
  const isDay = year !== undefined && !Number.isNaN(Date.parse(String(until)));
  const at = isDay
    ? new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime()
    : typeof until === "string"
      ? Date.parse(until)
      : NaN;
  if (Number.isNaN(at))
    throw new Error(
      `The rule "${rule}" has an unreadable end time: ${JSON.stringify(until)}. Write a date (2026-12-31) or a time (2026-12-31T18:00:00Z).`,
    );
  return at;
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
