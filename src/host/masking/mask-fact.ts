import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import type { SessionView, ViewEntry } from "../../contract/conversation/session.ts";
import type { Json } from "../../contract/common/json.ts";

export type Mask = (text: string) => string;

/**
 * A fact with what people, models and tools wrote in it masked. Ids, classes and the like stay: a secret may be an
 * ordinary word.
 */
export function maskFact(fact: Fact, mask: Mask): Fact {
  return maskFields(fact as unknown as Fields, FREE, mask) as unknown as Fact;
}

export function maskRecorded(recorded: Recorded, mask: Mask): Recorded {
  const fact = maskFact(recorded.fact, mask);
  return fact === recorded.fact ? recorded : { ...recorded, fact };
}

export function maskView(view: SessionView, mask: Mask): SessionView {
  return {
    ...view,
    entries: view.entries.map((entry) => ({ ...maskAll(entry, mask), kind: entry.kind }) as ViewEntry),
  };
}

/** Every text in a value, keys included. The same object when nothing was masked. */
export function maskAll<T>(value: T, mask: Mask): T {
  return maskJson(value as Json, mask) as T;
}

type Fields = { readonly [key: string]: Json };

/** Places of free text in facts: as is, in parts of a message, in an outcome, or anywhere below. */
const FREE: { readonly [key: string]: "deep" | "parts" | "fields" | "messages" } = {
  messages: "messages",
  results: "messages",
  parts: "parts",
  shown: "parts",
  args: "deep",
  data: "deep",
  value: "deep",
  risk: "fields",
  decision: "fields",
  outcome: "fields",
  failure: "fields",
  notes: "fields",
  subagent: "fields",
  goal: "deep",
  reasons: "deep",
  effects: "deep",
  rule: "deep",
  where: "deep",
  commands: "deep",
  message: "deep",
  hint: "deep",
  reason: "deep",
  title: "deep",
  summary: "deep",
  system: "deep",
  carried: "deep",
  touched: "deep",
  web: "deep",
  detail: "deep",
  text: "deep",
};

function maskFields(fields: Fields, how: typeof FREE, mask: Mask): Fields {
  let changed: { [key: string]: Json } | undefined;
  for (const [key, value] of Object.entries(fields)) {
    const next = maskField(value, how[key], mask);
    if (next !== value) (changed ??= { ...fields })[key] = next;
  }
  return changed ?? fields;
}

function maskField(value: Json, how: "deep" | "parts" | "fields" | "messages" | undefined, mask: Mask): Json {
  if (how === undefined || value === null) return value;
  if (how === "deep" || typeof value !== "object") return maskJson(value, mask);
  if (how === "messages" && Array.isArray(value))
    return sameOr(
      value,
      value.map((message: Json) => maskFields(message as Fields, FREE, mask)),
    );
  if (how === "fields" || !Array.isArray(value))
    return Array.isArray(value) ? value : maskFields(value as Fields, FREE, mask);
  return sameOr(
    value,
    value.map((part: Json) => maskFields(part as Fields, PART, mask)),
  );
}

/** Of an image and of what a provider signed nothing is touched. */
const PART: typeof FREE = { text: "deep", args: "deep" };

function maskJson(value: Json, mask: Mask): Json {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value))
    return sameOr(
      value,
      value.map((item: Json) => maskJson(item, mask)),
    );
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Fields);
  const masked = entries.map(([key, item]) => [mask(key), maskJson(item, mask)] as const);
  return masked.every(([key, item], at) => key === entries[at]![0] && item === entries[at]![1])
    ? value
    : Object.fromEntries(masked);
}

function sameOr(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}
