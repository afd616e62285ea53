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

const SHORTEST_KEY = 4;

export function isUsableKey(value: string | undefined): value is string {
  return value !== undefined && unusable(value) === undefined;
}

/** Why a value cannot be a key; `undefined` if it may be one. Never shows more than a placeholder. */
function unusable(value: string): string | undefined {
  const key = value.trim();
  if (key === "") return "it is empty";
  if (PLACEHOLDERS.has(key.toLowerCase())) return `"${key}" is a placeholder`;
  const count = `${key.length} character${key.length === 1 ? "" : "s"}`;
  return key.length < SHORTEST_KEY ? `it has ${count}, and a key has at least ${SHORTEST_KEY}` : undefined;
}

/** Why none of these variables gives a key: none is set, or the value of one does not count. */
function whyNoKey(names: readonly string[], env: (name: string) => string | undefined): string {
  return (
    ignoredKey(names, env) ?? (names.length === 0 ? "none is set for this address" : `${names.join(" or ")} is not set`)
  );
}

/** Which of these variables has a value that does not count as a key, and why. */
export function ignoredKey(names: readonly string[], env: (name: string) => string | undefined): string | undefined {
  for (const name of names) {
    const value = env(name);
    const reason = value === undefined ? undefined : unusable(value);
    if (reason !== undefined) return `the value of ${name} is not a key: ${reason}`;
  }
  return undefined;
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
  /** Where the key comes from: a setting or a variable. Without a key: why there is none. */
  readonly origin: string;
}

/** What a configuration file says, and the name of that setting. */
export interface WrittenKey {
  readonly key: string | undefined;
  readonly setting: string;
}

/**
 * @param written What configuration files say, by priority; they come before every variable.
 * @throws {UserError} It names a variable that is not set.
 */
export function given(
  written: readonly WrittenKey[],
  names: readonly string[],
  { env }: { env(name: string): string | undefined },
): GivenKey {
  const first = written.find(({ key }) => key !== undefined);
  const unset = unsetVariableIn(first?.key ?? "");
  if (unset !== undefined)
    throw new UserError(`The configuration reads the key from ${unset}, but ${unset} is not set.`, {
      hint: `Add ${unset}=… to .env: \`hermes config set ${unset} KEY\`.`,
      exitCode: 78,
    });
  if (first !== undefined) return { key: first.key, origin: first.setting };
  const found = firstKey(names, env);
  return { key: found?.key, found, origin: found?.name ?? whyNoKey(names, env) };
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
