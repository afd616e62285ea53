import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a tool takes, in a line an argument: `todos[].status` → `cancelled|completed|in_progress|pending, required`. */
export type Taken = { readonly [argument: string]: string };

/** What tools of hermes-agent 0.19.0 take, written down by `compare.ts --witness`. */
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
