import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** The data of a provider with the names of its methods: enough to list and choose it without its code. */
export function describeProvider(provider: object): {
  readonly id: string;
  readonly label: string | undefined;
  readonly data: JsonObject;
} {
  const { id, label, name, display_name } = provider as { readonly [key: string]: unknown };
  let data: JsonObject | undefined;
  return {
    id: text(id) ?? text(name) ?? "",
    label: text(label) ?? text(display_name),
    // Computed on access: a request registers dozens of providers and uses one.
    get data() {
      return (data ??= dataOf(provider));
    },
  };
}

function dataOf(provider: object): JsonObject {
  const {
    id,
    label: _label,
    name: _name,
    display_name: _display,
    methods,
    ...rest
  } = JSON.parse(JSON.stringify(provider)) as { readonly [key: string]: Json | undefined };
  return {
    ...(rest as JsonObject),
    ...definedFields({ methods: text(id) === undefined ? (methods ?? methodsOf(provider)) : undefined }),
  };
}

function methodsOf(provider: object): readonly string[] {
  const names = new Set<string>();
  for (
    let at: object | null = provider;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== "constructor" && typeof value === "function") names.add(name);
  }
  return [...names].sort();
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
