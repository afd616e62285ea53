import type { Json, JsonObject } from "./json.ts";

/**
 * JSON Schema, draft 2020-12. Written as a literal it costs nothing at start and its bytes are stable in the prompt.
 */
export type JsonSchema = JsonObject;

/**
 * A schema of any library that follows Standard Schema 1 and can print itself as JSON Schema (zod 4, valibot, arktype).
 * See https://standardschema.dev for both interfaces.
 */
export interface StandardSchema<Value> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => JsonObject };
  };
}

type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] }[] };

/** A tool's input schema: a JSON Schema literal, or a Standard Schema. */
export type Schema<Value> = JsonSchema | StandardSchema<Value>;

/** The TypeScript type a JSON Schema literal describes; `Json` wherever the literal is too dynamic to follow. */
export type FromSchema<S> = S extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly const: infer Value }
    ? Value
    : S extends { readonly type: "string" }
      ? string
      : S extends { readonly type: "integer" | "number" }
        ? number
        : S extends { readonly type: "boolean" }
          ? boolean
          : S extends { readonly type: "array"; readonly items: infer Item }
            ? readonly FromSchema<Item>[]
            : S extends { readonly type: "object"; readonly properties: infer Properties }
              ? FromProperties<Properties, S extends { readonly required: readonly (infer Key)[] } ? Key : never>
              : S extends { readonly "~standard": { readonly validate: (value: never) => infer Result } }
                ? Extract<Awaited<Result>, { readonly value: unknown }>["value"]
                : Json;

type FromProperties<Properties, Required> = {
  readonly [Key in keyof Properties as Key extends Required ? Key : never]: FromSchema<Properties[Key]>;
} & {
  readonly [Key in keyof Properties as Key extends Required ? never : Key]?: FromSchema<Properties[Key]>;
};
