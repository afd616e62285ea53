import { looksLikeCredential } from "hermes-agent/terminal";

const ALLOWED = new Set([
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TMP",
  "TEMP",
  "USER",
  "LOGNAME",
  "SHELL",
  "TZ",
  "COLORTERM",
  "NO_COLOR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
]);
const ALLOWED_PREFIX = /^(LC_|XDG_)/;

/**
 * Selects the variables of the agent's environment that commands get: those a shell needs, and those in
 * `terminal.env_passthrough`. Names that look like a credential never pass, listed or not.
 */
export function childEnvironment(from: NodeJS.ProcessEnv, passthrough: readonly string[]): Record<string, string> {
  const named = new Set(passthrough);
  const saved: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || looksLikeCredential(name)) continue;
    if (ALLOWED.has(name) || ALLOWED_PREFIX.test(name) || named.has(name)) saved[name] = value;
  }
  saved["PATH"] ??= "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  saved["TERM"] ??= "dumb";
  return saved;
}

/** Selects the variables that a profile may add: all but credentials and the shell's own bookkeeping. */
export function profileEnvironment(printed: string): Record<string, string> {
  const saved: Record<string, string> = {};
  for (const line of printed.split("\0")) {
    const at = line.indexOf("=");
    const name = line.slice(0, at);
    if (
      at > 0 &&
      /^[A-Za-z_]\w*$/.test(name) &&
      !looksLikeCredential(name) &&
      !/^(_|PWD|OLDPWD|SHLVL|BASH_.*)$/.test(name)
    )
      saved[name] = line.slice(at + 1);
  }
  return saved;
}
