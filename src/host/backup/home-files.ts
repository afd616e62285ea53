import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LeftOut } from "../../contract/services/backup-service.ts";
import { isSecretFile } from "../../safety/secrets/secret-files.ts";

/** A file of a home for a backup. */
export interface HomeFile {
  /** Relative to the home, with `/`. */
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
  /** `database`: SQLite, which other processes may be writing. */
  readonly kind: "file" | "database";
}

/** Folders that Hermes can make again, or that are of no use elsewhere; at the top of a home. */
const REBUILT = new Set([
  ".import",
  "audio_cache",
  "backups",
  "browser_recordings",
  "cache",
  "checkpoints",
  "hermes-agent",
  "image_cache",
  "logs",
  "node",
  "packages",
  "sandboxes",
  "state-snapshots",
  "venv",
]);
/** Folders of that name anywhere. */
const REBUILT_ANYWHERE = new Set(["node_modules", ".venv", "__pycache__"]);
/** State of running processes, and what SQLite keeps beside a database. */
const TRANSIENT =
  /(?:-wal|-shm|-journal|\.lock|\.pid|\.part|\.tmp|\.sock)$|^(?:gateway_state\.json|processes\.json|\.DS_Store)$|^\.restart_|^index(?:\.ts)?\.db(?:[-.].*)?$/;
const DATABASE = /\.(?:db|sqlite|sqlite3)$/;
/** Files and folders at the top of a home that hold keys and sign-ins. */
const SECRETS = new Set([
  ".env",
  ".anthropic_oauth.json",
  "auth",
  "auth.json",
  "mcp-tokens",
  "pairing",
  "platforms",
  "slack_tokens.json",
  "webhook_subscriptions.json",
  "weixin",
]);
const STORED_SIGN_IN = /"[\w-]*(?:access_token|refresh_token|token|secret|password|api_?key)"\s*:\s*"[^"]/i;
const READ_FOR_SECRETS = 1 << 20;

/** Whether a backup of the original may restore this file: it is no state of a process. */
export function isLasting(path: string): boolean {
  const parts = ownParts(path);
  return (
    !REBUILT.has(parts[0] ?? "") &&
    !parts.some((part) => REBUILT_ANYWHERE.has(part)) &&
    !TRANSIENT.test(parts.at(-1) ?? "")
  );
}

/** Whether a path holds a key or a sign-in, judged by its name. */
export function isSecretPath(path: string): boolean {
  const [first = "", ...rest] = ownParts(path);
  return SECRETS.has(first) || (first !== "skills" && isSecretFile(`/${[first, ...rest].join("/")}`));
}

/** The parts of a path below the home it belongs to: `profiles/lab/.env` is `.env` of the profile. */
function ownParts(path: string): readonly string[] {
  const parts = path.split("/");
  return parts[0] === "profiles" && parts.length > 2 ? parts.slice(2) : parts;
}

/**
 * Finds the files of a home that a backup contains. Links to files become files; links to folders outside are left
 * out.
 * @param options.secretValues Known secrets: without `withSecrets`, a file that contains one is left out.
 */
export function homeFiles(
  home: string,
  options: { readonly withSecrets: boolean; readonly secretValues: readonly string[] },
): { readonly files: readonly HomeFile[]; readonly leftOut: readonly LeftOut[] } {
  const files: HomeFile[] = [];
  const leftOut: LeftOut[] = [];
  const values = options.secretValues.filter((value) => value.length >= 8);

  function visit(folder: string): void {
    for (const name of readdirSync(join(home, folder)).toSorted()) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (!isLasting(path)) continue;
      const whole = join(home, path);
      const stat = statSync(whole, { throwIfNoEntry: false });
      if (stat === undefined) leftOut.push({ path, why: "it is a link to nothing" });
      else if (stat.isDirectory()) {
        if (!lstatSync(whole).isSymbolicLink()) visit(path);
        else leftOut.push({ path, why: `it is a link to the folder ${realpathSync(whole)}` });
      } else if (stat.isFile()) add(path, stat.mode & 0o777, stat.mtimeMs);
    }
  }

  function add(path: string, mode: number, mtimeMs: number): void {
    const kind = DATABASE.test(path) ? "database" : "file";
    const why = options.withSecrets ? undefined : secretIn(path, kind);
    if (why === undefined) files.push({ path, mode, mtimeMs, kind });
    else leftOut.push({ path, why });
  }

  function secretIn(path: string, kind: HomeFile["kind"]): string | undefined {
    if (isSecretPath(path)) return "it holds keys or sign-ins";
    // A plain open and close of a database would drop the locks of SQLite; config.yaml is copied without its keys.
    if (kind === "database" || isSettings(path)) return undefined;
    const whole = join(home, path);
    if (statSync(whole).size > READ_FOR_SECRETS) return undefined;
    const text = readFileSync(whole, "latin1");
    if (values.some((value) => text.includes(value))) return "it contains a key";
    return path.includes("plugin-data/") && STORED_SIGN_IN.test(text) ? "it holds a sign-in of a plugin" : undefined;
  }

  visit("");
  return { files, leftOut };
}

/** Whether this is a `config.yaml`, of the home or of a profile. */
export function isSettings(path: string): boolean {
  return ownParts(path).join("/") === "config.yaml";
}

const KEY_LINE =
  /^(\s*(?:- )?["']?(?:[\w-]*[_-])?(?:api_?key|token|secret|password|key)["']?\s*:\s*)(?!["']?\$\{)(\S.*)$/gim;

/** The text of a `config.yaml` with empty keys. `${NAME}` stays. */
export function withoutKeys(text: string, secretValues: readonly string[]): string {
  const cut = text.replace(KEY_LINE, (line, name: string, value: string) =>
    /^(?:true|false|null|~|\d+|#.*|""|''|[[{|>].*)$/i.test(value.trim()) ? line : `${name}""`,
  );
  return secretValues
    .filter((value) => value.length >= 8)
    .reduce(
      (rest, value) => rest.replaceAll(`"${value}"`, '""').replaceAll(`'${value}'`, '""').replaceAll(value, '""'),
      cut,
    );
}
