import { isSecretName } from "../safety/secret-names.ts";

/** Values of variables or settings whose names say that they are secrets, each once, longest first, so that a redactor masks the widest match. */
export function secretValuesOf(variables: Iterable<readonly [name: string, value: string | undefined]>): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of variables) {
    if (value !== undefined && value.length >= SHORTEST && holdsSecret(name)) values.add(value);
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** Whether what stands under this name is a secret itself, and not where one lies. */
export function holdsSecret(name: string): boolean {
  return isSecretName(name) && !NAMES_A_PLACE.test(name);
}

/** Masking a shorter text would blot out ordinary words. */
const SHORTEST = 6;
/** Where a secret lies, not the secret: a key's file, the variable that holds it. */
const NAMES_A_PLACE = /(^|_)(ssh_key|key_env|file|path|dir|url)$/i;
