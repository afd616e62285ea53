const WORDS = new Set(
  "KEY KEYS APIKEY TOKEN SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASS CREDENTIAL CREDENTIALS PAT AUTHTOKEN ACCESSKEY SECRETKEY".split(
    " ",
  ),
);
const NOT_SECRET = new Set([
  "SSH_AUTH_SOCK",
  "XAUTHORITY",
  "GPG_KEY_ID",
  "KEY_FILE",
  "MAX_TOKENS",
  "TOKENS",
  "KEY",
  "KEY_ERROR",
  "KEYS",
  "PASS",
  "PAT",
]);

/** A variable or field that is named like a secret: `OPENAI_API_KEY`, `github_token`, `DbPassword`. */
export function isSecretName(name: string): boolean {
  const upper = name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  if (NOT_SECRET.has(upper) || upper.includes("PUBLIC")) return false;
  const parts = upper.split(/[_\-.]/);
  return parts.some(
    (part) => WORDS.has(part) || part.endsWith("TOKEN") || part.endsWith("PASSWORD") || part.endsWith("SECRET"),
  );
}
