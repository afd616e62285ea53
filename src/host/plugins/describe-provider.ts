import type { Json, JsonObject } from "../../contract/json.ts";

/** What a provider says of itself that is data, with the names of what it can do: enough to list and choose it without its code. */
export function describeProvider(provider: object): { readonly id: string; readonly label: string | undefined; readonly data: JsonObject } {
  const { id, label, name, display_name, methods, ...rest } = JSON.parse(JSON.stringify(provider)) as { readonly [key: string]: Json | undefined };
  const given = provider as { readonly name?: unknown; readonly display_name?: unknown };
  // Getters of a class are no own properties, and are meant all the same.
  const known = text(id) ?? text(name) ?? text(given.name) ?? "";
  return { id: known, label: text(label) ?? text(display_name) ?? text(given.display_name), data: { ...(rest as JsonObject), ...(text(id) === undefined ? { methods: methods ?? methodsOf(provider) } : {}) } };
}

function methodsOf(provider: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = provider; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (name !== "constructor" && typeof value === "function") names.add(name);
  }
  return [...names].sort();
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
