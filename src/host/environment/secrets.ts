import { isSecretName } from "../../safety/secrets/secret-names.ts";

/**
 * Values of variables or settings whose names say that they are secrets, each once, longest first, so that a redactor
 * masks the widest match.
 */
export function secretValuesOf(
  variables: Iterable<readonly [name: string, value: string | undefined]>,
): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of variables) {
    const inUrl = value === undefined ? undefined : passwordIn(value);
    if (inUrl !== undefined && inUrl.length >= SHORTEST && !COMMON.has(inUrl.toLowerCase())) values.add(inUrl);
    if (value !== undefined && value.length >= SHORTEST && !COMMON.has(value.toLowerCase()) && holdsSecret(name))
      values.add(value);
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** The password of `postgres://me:password@host`. */
export function passwordIn(value: string): string | undefined {
  return value.includes("://") && value.includes("@") ? /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value)?.[1] : undefined;
}

/** Whether what stands under this name is a secret itself, and not where one lies. */
export function holdsSecret(name: string): boolean {
  return isSecretName(name) && !NAMES_A_PLACE.test(name);
}

/** Whether a variable goes to those plugins only that declare it: a secret, or an address that holds one. */
export function isForDeclarers(name: string, value: string): boolean {
  return isSecretName(name) || (passwordIn(value) !== undefined && !PROXY.test(name));
}

/** Proxy variables. Without them, a plugin behind a proxy has no network. */
const PROXY = /^(https?|all|ftp)_proxy$/i;

/** Masking a shorter text would blot out ordinary words. */
const SHORTEST = 6;
/** Values that protect nothing and are common in text: masking them would blot out ordinary words. */
const COMMON = new Set(
  "password passwd secret default example changeme change-me change_me placeholder postgres mysql mariadb mongodb rabbitmq localhost administrator please-change your-key-here not-needed no-key-required ollama lmstudio".split(
    " ",
  ),
);
/** Where a secret lies, not the secret: a key's file, the variable that holds it. */
const NAMES_A_PLACE = /(^|_)(ssh_key|key_env|file|path|dir|url)$/i;
