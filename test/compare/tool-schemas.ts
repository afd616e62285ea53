import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parameters of a tool, one a line: `todos[].status` → `cancelled|completed|in_progress|pending, required`. */
export type Taken = { readonly [argument: string]: string };

/** The parameters of hermes-agent 0.19.0's tools, recorded by `compare.ts --witness`. */
export const SCHEMAS = join(import.meta.dirname, "schemas.json");

export function witnessedSchemas(): { readonly [tool: string]: Taken } {
  return JSON.parse(readFileSync(SCHEMAS, "utf8")) as { readonly [tool: string]: Taken };
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
}

export function takenBy(schema: Schema, at = ""): Taken {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, one]) => {
        const path = at === "" ? name : `${at}.${name}`;
        return [
          [path, `${kindOf(one)}${schema.required?.includes(name) === true ? ", required" : ""}`],
          ...Object.entries(takenBy(one, path)),
          ...Object.entries(takenBy(one.items ?? {}, `${path}[]`)),
        ];
      }),
  );
}

function kindOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.toSorted().join("|");
  if (schema.items !== undefined) return `${kindOf(schema.items)}[]`;
  const types =
    schema.oneOf?.map(kindOf) ?? (typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["anything"]));
  return types.toSorted().join("|");
}
