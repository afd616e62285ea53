import { UserError } from "../../contract/common/failure.ts";
import { unsetVariableIn } from "../config/parse-settings.ts";

/** Values that stand where a key belongs and are none. */
const PLACEHOLDERS = new Set([
  "*",
  "**",
  "***",
  "changeme",
  "your_api_key",
  "your_api_key_here",
  "your-api-key",
  "placeholder",
  "example",
  "dummy",
  "null",
  "none",
]);

export function isUsableKey(value: string | undefined): value is string {
  const key = value?.trim() ?? "";
  return key.length >= 4 && !PLACEHOLDERS.has(key.toLowerCase());
}

/** A key and its variable. */
export interface FoundKey {
  readonly name: string;
  readonly key: string;
}

/** The key and those beside it: what `LAB_API_KEY` holds, then `LAB_API_KEY_2` to `LAB_API_KEY_9`. Each key once. */
export function keysBeside(
  first: FoundKey | undefined,
  env: (name: string) => string | undefined,
): readonly FoundKey[] {
  if (first === undefined) return [];
  const more = [2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => firstKey([`${first.name}_${number}`], env) ?? []);
  return [first, ...more].filter(({ key }, at, all) => all.findIndex((one) => one.key === key) === at);
}

/** The first of these variables that holds a key, without the blanks around it. */
export function firstKey(names: readonly string[], env: (name: string) => string | undefined): FoundKey | undefined {
  for (const name of names) {
    const key = env(name);
    if (isUsableKey(key)) return { name, key: key.trim() };
  }
  return undefined;
}

/** A key, and where it was found unless a file holds it. */
export interface GivenKey {
  readonly key: string | undefined;
  readonly found?: FoundKey | undefined;
}

/**
 * @param written What a configuration file says; it comes before every variable.
 * @throws {UserError} It names a variable that is not set.
 */
export function given(
  written: string | undefined,
  names: readonly string[],
  { env }: { env(name: string): string | undefined },
): GivenKey {
  const unset = unsetVariableIn(written ?? "");
  if (unset !== undefined)
    throw new UserError(`The configuration reads the key from ${unset}, but ${unset} is not set.`, {
      hint: `Add ${unset}=… to .env: \`hermes config set ${unset} KEY\`.`,
      exitCode: 78,
    });
  if (written !== undefined) return { key: written };
  const found = firstKey(names, env);
  return { key: found?.key, found };
}

/**
 * Which variable may hold the key of an endpoint that is no provider of ours. A key goes to its own service only, so
 * that a base URL never carries it elsewhere; a server on this machine may get the one that OpenAI's own clients would
 * send.
 */
export function keyNamesFor(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { hostname } = new URL(baseUrl);
  if (isLoopback(hostname) || under(hostname, "openai.com") || under(hostname, "openai.azure.com"))
    return ["OPENAI_API_KEY"];
  if (under(hostname, "openrouter.ai")) return ["OPENROUTER_API_KEY"];
  if (under(hostname, "ollama.com")) return ["OLLAMA_API_KEY"];
  const vendor = vendorOf(hostname);
  return vendor === undefined ? [] : [`${vendor}_API_KEY`];
}

/**
 * The variable that keeps the key of a service which names none: `LAB_API_KEY` for an endpoint called "lab". Never one
 * that belongs to a provider: its key would travel to another address.
 */
export function ownKeyName(name: string, providers: readonly { readonly keyEnv: readonly string[] }[]): string {
  const word =
    name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_|_$/g, "") || "ENDPOINT";
  const plain = `${word}_API_KEY`;
  const taken = plain === "CUSTOM_API_KEY" || providers.some(({ keyEnv }) => keyEnv.includes(plain));
  return taken || /^\d/.test(word) ? `CUSTOM_${plain}` : plain;
}

/** Whether a key for the one address may go to the other. Two absent ones are the same. */
export function sameServer(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || !URL.canParse(left) || !URL.canParse(right)) return left === right;
  return new URL(left).origin === new URL(right).origin;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** `api.acme.com` → `ACME`; nothing for addresses and bare names. */
function vendorOf(hostname: string): string | undefined {
  const labels = hostname.split(".");
  if (labels.length < 2 || /^[\d.]+$|:/.test(hostname) || /\.(local|internal|lan|home)$/.test(hostname))
    return undefined;
  const [first, second = ""] = [labels.at(-3), labels.at(-2)];
  const secondLevel = first !== undefined && /^(co|com|net|org|ac)$/.test(second) ? first : second;
  return secondLevel.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}

function under(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
