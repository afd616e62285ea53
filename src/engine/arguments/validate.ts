import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema, Schema } from "../../contract/common/schema.ts";
import { isPlainSchema, mismatch, show } from "./plain-schema.ts";
import { isStandard } from "../tools/tool-declaration.ts";

export type Validated =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly message: string; readonly dangerous?: true };

/**
 * Holds decoded arguments to a tool's schema. Keys a schema does not name are let through unless it says
 * `additionalProperties: false`; keys that would reach a prototype never are. At once for schemas that need no
 * compiling: most calls cost no promise here.
 */
export function validate(args: JsonObject, schema: Schema<unknown>): Validated | Promise<Validated> {
  if (isStandard(schema)) return validateStandard(args, schema);
  const stray = strayKey(args, schema);
  if (stray !== undefined) return { ...refused(`the argument "${stray}" is not one of this tool's`), dangerous: true };
  if (isPlainSchema(schema)) {
    const found = mismatch(args, schema, "");
    return found === undefined ? { ok: true, input: args } : refused(found);
  }
  return (compiled.get(schema) ?? compile(schema)).then((check) => {
    const found = check(args);
    return found === undefined ? { ok: true, input: args } : refused(found);
  });
}

function refused(what: string): Extract<Validated, { ok: false }> {
  return { ok: false, message: `Invalid arguments: ${what}.` };
}

/** Names every object inherits. A tool that means one of them says so in its schema. */
function strayKey(args: JsonObject, schema: JsonSchema): string | undefined {
  return Object.keys(args).find(
    (key) =>
      (key === "__proto__" || key === "constructor" || key === "prototype") &&
      !Object.hasOwn((schema.properties as object | undefined) ?? {}, key),
  );
}

async function validateStandard(args: JsonObject, schema: Exclude<Schema<unknown>, JsonSchema>): Promise<Validated> {
  const result = await schema["~standard"].validate(args);
  if (result.issues === undefined) return { ok: true, input: result.value };
  return refused(
    result.issues
      .slice(0, 5)
      .map(({ message, path }) => `${show((path ?? []).map(step).join("."))}: ${message}`)
      .join("; "),
  );
}

function step(part: unknown): string {
  return String(typeof part === "object" && part !== null && "key" in part ? part.key : part);
}

type Check = (args: Json) => string | undefined;
const compiled = new WeakMap<JsonSchema, Promise<Check>>();

/** Ajv is loaded when the first schema needs it, and a schema is compiled once. */
function compile(schema: JsonSchema): Promise<Check> {
  const compiling = makeCheck(schema);
  compiled.set(schema, compiling);
  return compiling;
}

async function makeCheck(schema: JsonSchema): Promise<Check> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    meta: false,
    strict: false,
    allErrors: false,
    verbose: true,
    ownProperties: true,
    logger: false,
    validateFormats: false,
  });
  const { $schema: _, ...own } = schema;
  let accepts: ReturnType<typeof ajv.compile>;
  try {
    accepts = ajv.compile(own);
  } catch (cause) {
    // Plugins of the original write what no reader of schemas takes, such as `"required": true` in a property; their
    // handlers judge for themselves.
    return () => `the schema of the tool cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
  return (args) => {
    if (accepts(args)) return undefined;
    const error = accepts.errors?.[0];
    if (error === undefined) return "they do not fit the schema";
    return `${show(error.instancePath.slice(1).replaceAll("/", "."))} ${error.message ?? "does not fit the schema"}${detail(error.params)}${got(error.data)}`;
  };
}

function detail(params: { readonly [key: string]: unknown }): string {
  if (Array.isArray(params.allowedValues))
    return `: ${params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}`;
  return typeof params.additionalProperty === "string" ? ` ("${params.additionalProperty}")` : "";
}

function got(data: unknown): string {
  return typeof data === "object" && data !== null ? "" : `; it is ${JSON.stringify(data)?.slice(0, 80)}`;
}
