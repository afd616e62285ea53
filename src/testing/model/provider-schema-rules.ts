/**
 * What providers publish about the schemas of tools, as a checker for tests: a request with a schema that breaks one of
 * these rules is refused as a whole.
 */
type Node = { readonly [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

export type StrictProvider = "openai" | "anthropic" | "gemini" | "moonshot";

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Of Gemini's `parametersJsonSchema` and `Schema`; everything else is an unknown name there. */
const GEMINI = [
  "type format title description nullable enum items maxItems minItems properties required minProperties maxProperties",
  "minLength maxLength pattern example anyOf propertyOrdering default minimum maximum additionalProperties",
].flatMap((words) => words.split(" "));

/** Where a schema breaks a provider's rules. Empty: the provider accepts it. */
export function refusals(provider: StrictProvider, schema: unknown): readonly string[] {
  const found: string[] = [];
  if (!isNode(schema) || schema["type"] !== "object") found.push("root: the type must be object");
  for (const word of ["oneOf", "anyOf", "allOf", "enum", "not"])
    if (isNode(schema) && word in schema) found.push(`root: ${word} is not allowed`);
  look(provider, schema, "root", found);
  return found;
}

function look(provider: StrictProvider, node: unknown, at: string, found: string[]): void {
  if (!isNode(node)) return void found.push(`${at}: a schema must be an object`);
  const { type, properties, required, items } = node;
  if (type !== undefined && !(typeof type === "string" && TYPES.includes(type)) && !Array.isArray(type))
    found.push(`${at}: ${JSON.stringify(type)} is no type`);
  if (type === "array" && !isNode(items)) found.push(`${at}: an array needs items`);
  for (const name of Object.keys(isNode(properties) ? properties : {}))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) found.push(`${at}: the property name ${JSON.stringify(name)}`);
  for (const name of Array.isArray(required) ? required : [])
    if (!isNode(properties) || !(String(name) in properties))
      found.push(`${at}: required ${String(name)} is no property`);
  if (provider === "moonshot" || provider === "gemini") {
    if (type === undefined && !("anyOf" in node)) found.push(`${at}: type is not defined`);
    if (type !== undefined && "anyOf" in node) found.push(`${at}: with anyOf the type belongs into its items`);
    if (Array.isArray(type)) found.push(`${at}: a list of types`);
    for (const word of ["$ref", "const", "oneOf", "allOf"]) if (word in node) found.push(`${at}: ${word}`);
  }
  if (provider === "gemini") {
    for (const word of Object.keys(node)) if (!GEMINI.includes(word)) found.push(`${at}: unknown name ${word}`);
  }
  for (const word of ["additionalProperties"])
    if (word in node && typeof node[word] !== "boolean" && !isNode(node[word])) found.push(`${at}: ${word}`);
  for (const [name, inner] of Object.entries(isNode(properties) ? properties : {}))
    look(provider, inner, `${at}.${name}`, found);
  if (isNode(items)) look(provider, items, `${at}[]`, found);
  for (const [index, branch] of (Array.isArray(node["anyOf"]) ? node["anyOf"] : []).entries())
    look(provider, branch, `${at}|${index}`, found);
  if (isNode(node["additionalProperties"])) look(provider, node["additionalProperties"], `${at}.*`, found);
}
