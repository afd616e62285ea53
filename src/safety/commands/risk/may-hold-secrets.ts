import { AGENT_SECRETS, type Places, within } from "../../paths/path-zones.ts";
import { HOME_CREDENTIALS } from "../../paths/protected-paths.ts";
import { isSecretFile } from "../../secrets/secret-files.ts";
import { BRACKET, hasMark, MANY, QUESTION, STAR, UNKNOWN } from "../parse/marks.ts";

/** Paths below a home that hold secrets; a folder stands for everything below it. */
const BELOW_HOME: readonly string[] = [".ssh", ...HOME_CREDENTIALS];
/** Paths below the agent's home that hold secrets; a folder stands for everything below it. */
const BELOW_AGENT: readonly string[] = [...AGENT_SECRETS, "state.db"];
/** Source code and documentation: no store of secrets has a name that ends like this. */
const SOURCE =
  /\.(?:md|rst|adoc|tex|html?|css|scss|less|[cm]?[jt]sx?|vue|svelte|py|pyi|ipynb|go|rs|c|h|cc|cpp|hpp|java|kt|swift|rb|php|cs|lua|pl|r|jl|scala|ex|exs|erl|hs|ml|sql|proto|png|jpe?g|gif|svg|webp|mp[34]|pub|pdf|docx?|xlsx?|pptx?|log)$/i;

/** Names of files in the folders of `BELOW_HOME`, besides those that say themselves that they hold a secret. */
const INSIDE =
  /^(?:config(?:\.(?:json|ya?ml|toml))?|hosts\.ya?ml|auth\.(?:json|toml)|credentials?(?:\..*)?|.*tokens?(?:\..*)?|id_.*|.*\.(?:key|pem|p12|pfx|asc|gpg|kdbx)|cookies(?:\.sqlite)?|login data|logins\.json|key[34]\.db|access_tokens\.db)$/i;

export interface ReadPlaces extends Places {
  /** The session's folder: what is in it may be read. */
  readonly cwd?: string;
}

/**
 * Whether a read may include a stored secret. The path may hold patterns and unknown parts. A recursive read includes
 * everything below the path.
 */
export function mayHoldSecrets(path: string, recursive: boolean, places: ReadPlaces): boolean {
  if (!path.startsWith("/")) return false;
  const agentHome = places.agentHome ?? `${places.home}/.hermes`;
  if (!hasMark(path)) return recursive && containsSecrets(path, agentHome, places);
  const first = firstMark(path);
  const known = path.slice(0, first);
  const inFolder = places.cwd !== undefined && known.startsWith(`${places.cwd}/`);
  const homes = inFolder ? [places.home] : homesOf(known, places.home);
  if (!homes.some((home) => meet(known, home)) && !meet(known, agentHome)) return false;
  const candidates = secretPaths(homes, agentHome, known);
  if (candidates.length === 0) return false;
  const looks = pattern(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const into =
    !SOURCE.test(path) &&
    (path[first] !== UNKNOWN || recursive) &&
    (hasMark(name) || INSIDE.test(name) || isSecretFile(path));
  return candidates.some(
    (secret) =>
      looks.whole.test(secret) ||
      (into && beginsInside(looks.parts, secret)) ||
      (recursive && ancestors(secret).some((folder) => looks.whole.test(folder))),
  );
}

function containsSecrets(path: string, agentHome: string, { home, cwd }: ReadPlaces): boolean {
  for (const own of [home, agentHome]) if (within(own, path) !== undefined) return true;
  if (cwd !== undefined && within(path, cwd) !== undefined) return false;
  if (/^\/(?:home|Users)(?:\/[^/]+)?$|^(?:\/var)?\/root$/.test(path)) return true;
  return secretPaths(homesOf(path, home), agentHome, `${path}/`).some((secret) => secret.startsWith(`${path}/`));
}

/** The homes that a path with this beginning may lie in. */
function homesOf(known: string, home: string): readonly string[] {
  const other = /^\/(?:home|Users)\/[^/]+(?=\/)|^(?:\/var)?\/root(?=\/|$)/.exec(known)?.[0];
  return other === undefined || other === home ? [home] : [home, other];
}

/** The secrets of one home, by the first name below it. */
const indexed = new Map<string, ReadonlyMap<string, readonly string[]>>();

function secretsOf(home: string, names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const key = names === BELOW_HOME ? home : `${home}\0agent`;
  const known = indexed.get(key);
  if (known !== undefined) return known;
  const index = Map.groupBy(
    names.map((name) => `${home}/${name}`),
    (path) => firstName(path, home).toLowerCase(),
  );
  if (indexed.size > 20) indexed.clear();
  indexed.set(key, index);
  return index;
}

const firstName = (path: string, home: string): string => path.slice(home.length + 1).split("/", 1)[0]!;

/** The secrets that a path with this beginning may be, or contain. */
function secretPaths(homes: readonly string[], agentHome: string, known: string): readonly string[] {
  return [...homes.map((home) => [home, BELOW_HOME] as const), [agentHome, BELOW_AGENT] as const].flatMap(
    ([home, names]) => {
      if (!meet(known, home)) return [];
      const index = secretsOf(home, names);
      // The first name below the home is known when a slash follows it.
      const first = known.startsWith(`${home}/`) ? firstName(known, home) : "";
      return first !== "" && known.length > home.length + 1 + first.length
        ? (index.get(first.toLowerCase()) ?? [])
        : [...index.values()].flat();
    },
  );
}

/** One of the two is the beginning of the other. */
const meet = (known: string, home: string): boolean => `${home}/`.startsWith(known) || known.startsWith(`${home}/`);

function firstMark(path: string): number {
  for (let at = 0; at < path.length; at++) if (hasMark(path[at]!)) return at;
  return path.length;
}

interface Pattern {
  readonly whole: RegExp;
  /** One expression for each name between slashes; undefined from the first unknown part on. */
  readonly parts: readonly (RegExp | undefined)[];
}

function pattern(path: string): Pattern {
  const names = path.split("/").map(nameSource);
  // An unknown folder may be several, or none.
  const whole = names.reduce(
    (source, name, at) =>
      at === 0 ? name : `${source}${name === ".*" && at < names.length - 1 ? "(?:/.*)?" : `/${name}`}`,
    "",
  );
  return {
    whole: new RegExp(`^${whole}$`, "i"),
    parts: names.map((name) => (name.includes(".*") ? undefined : new RegExp(`^${name}$`, "i"))),
  };
}

function nameSource(name: string): string {
  let source = "";
  for (const char of name) {
    // A shell's pattern matches a leading dot only where it names the dot.
    const dot = source === "" ? "(?!\\.)" : "";
    if (char === STAR) source += `${dot}[^/]*`;
    else if (char === QUESTION || char === BRACKET) source += `${dot}[^/]`;
    else if (char === MANY) continue;
    else if (hasMark(char)) source += source.endsWith(".*") ? "" : ".*";
    else source += char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
  }
  return source;
}

/** Whether the pattern goes on below a secret folder: `~/.c*` + `/gcloud/x`. */
function beginsInside(parts: readonly (RegExp | undefined)[], secret: string): boolean {
  const names = secret.split("/");
  for (const [at, name] of names.entries()) {
    const part = at < parts.length ? parts[at] : null;
    if (part === null) return false;
    if (part === undefined) return true;
    if (!part.test(name)) return false;
  }
  return true;
}

const ancestors = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)).filter((folder) => folder !== "");
