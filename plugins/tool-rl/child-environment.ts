import { delimiter, dirname } from "node:path";

const PASSED = new Set([
  "PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP", "USER", "LOGNAME", "SHELL", "TZ",
  "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
  "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
  "HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "HF_ENDPOINT", "CUDA_VISIBLE_DEVICES",
]);

/** What a program of the checkout gets of the agent's environment: nobody's secrets, and the programs beside its Python first. */
export function childEnvironment(python: string, more: { readonly [name: string]: string } = {}): { readonly [name: string]: string } {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value !== undefined && (PASSED.has(name) || /^(?:LC_|XDG_)/.test(name)))) as { [name: string]: string };
  const path = kept["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  return { ...kept, PATH: `${dirname(python)}${delimiter}${path}`, PYTHONUNBUFFERED: "1", ...more };
}
