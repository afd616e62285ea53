/** Whether a variable of this name holds a secret: its value is hidden while typed and masked everywhere. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NOT_SECRET.has(name);
}

/** Values of variables whose names say that they are secrets, each once, longest first, so that a redactor masks the widest match. */
export function secretValuesOf(variables: Iterable<readonly [name: string, value: string | undefined]>): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of variables) {
    if (value !== undefined && value.length >= SHORTEST && isSecretName(name)) values.add(value);
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** How a secret is shown: whole length hidden, head and tail kept where enough stays unknown. */
export function maskSecret(value: string): string {
  return value.length < 18 ? "***" : `${value.slice(0, 6)}...${value.slice(-4)}`;
}

/** Masking a shorter text would blot out ordinary words. */
const SHORTEST = 6;
const SECRET_NAME = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|DSN)S?(_|$)|(APIKEY|TOKEN|SECRET|PASSWORD)$/i;
/** Names of files and variables that hold a secret, not the secret. */
const NOT_SECRET = new Set(["TERMINAL_SSH_KEY", "ssh_key", "key_env"]);
