import type { Json } from "../../contract/common/json.ts";

/** A rule of the person's as `config.yaml` holds it: a line, or a line with commands it must and must not cover. */
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
    throw new Error(`A rule of the configuration cannot be read: ${JSON.stringify(value)}`);
  const { rule, examples, until } = value as {
    readonly rule?: Json;
    readonly examples?: { readonly allow?: Json; readonly deny?: Json };
    readonly until?: Json;
  };
  if (typeof rule !== "string" || rule.trim() === "")
    throw new Error(`A rule of the configuration has no text: ${JSON.stringify(value)}`);
  return {
    rule,
    examples: { allow: texts(examples?.allow), deny: texts(examples?.deny) },
    until: until === undefined ? undefined : endOf(until, rule),
  };
}

/** A day counts to its end, where the person is. @throws for what is no time: a rule that was to end must not go on for ever. */
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
      `The rule "${rule}" ends at a time that cannot be read: ${JSON.stringify(until)}. It is a day (2026-12-31) or a moment (2026-12-31T18:00:00Z).`,
    );
  return at;
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
