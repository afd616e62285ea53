import type { Json } from "../contract/json.ts";

/** A rule of the person's as `config.yaml` holds it: a line, or a line with commands it must and must not cover. */
export interface RuleEntry {
  readonly rule: string;
  readonly examples: { readonly allow: readonly string[]; readonly deny: readonly string[] };
}

/** @throws What is neither a rule nor a list of them: a policy that cannot be read must not pass for an empty one. */
export function ruleEntries(value: Json | undefined): readonly RuleEntry[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(ruleEntry);
}

function ruleEntry(value: Json): RuleEntry {
  if (typeof value === "string") return { rule: value, examples: { allow: [], deny: [] } };
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`A rule of the configuration cannot be read: ${JSON.stringify(value)}`);
  const { rule, examples } = value as { readonly rule?: Json; readonly examples?: { readonly allow?: Json; readonly deny?: Json } };
  if (typeof rule !== "string" || rule.trim() === "") throw new Error(`A rule of the configuration has no text: ${JSON.stringify(value)}`);
  return { rule, examples: { allow: texts(examples?.allow), deny: texts(examples?.deny) } };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
