import { credentialPaths, within } from "hermes-agent/plugin";
import { join } from "node:path";
import { CACHES, READABLE_STATE, TEMPORARY } from "./known-paths.ts";
import { look, readShort, real, walk } from "./look.ts";
import { gitPlaces, protectedNames } from "./project-paths.ts";
import { workspaceOf } from "./workspace-of.ts";

export type Network = "open" | "proxy" | "off";

/**
 * The paths that commands in a sandbox can see and change: absolute and without links. Later lists win over earlier
 * ones where they overlap.
 */
export interface Profile {
  /** May be changed. Everything else may only be read. */
  readonly write: readonly string[];
  /** Folders that look empty and files that look empty. */
  readonly hideFolders: readonly string[];
  readonly hideFiles: readonly string[];
  /** Inside what may be changed, may only be read. */
  readonly keep: readonly string[];
  /** Inside what is hidden, may be read. */
  readonly show: readonly string[];
  /**
   * Protected names that do not exist: made as empty folders, which git does not see, and removed with the last shell.
   */
  readonly placeholders: readonly string[];
  readonly network: Network;
}

export interface Places {
  /** Where the task started. */
  readonly cwd: string;
  readonly home: string;
  readonly agentHome: string;
  /** Where the pipes of all shells lie; each sees its own only. */
  readonly pipes: string;
  readonly path: string;
  /** The program that runs the agent, which may be in the agent's home. */
  readonly node: string;
  /** The agent's own paths inside folders that commands may write. */
  readonly own: readonly string[];
  readonly write: readonly string[];
  readonly read: readonly string[];
  readonly network: Network;
}

/**
 * The profile for a shell that starts now. Looks at the file system once and resolves links, so that a link cannot move
 * a protected name elsewhere.
 */
export function makeProfile(places: Places): Profile {
  const { home } = places;
  const workspace = workspaceOf(places.cwd, places);
  const found = workspace.flatMap((folder) => walk(folder, workspace.length));
  const git = found.flatMap((seen) => gitPlaces(seen));
  // Names that are not there yet are occupied at the root of the one task, not in every folder of a home.
  const saved = found.map(({ folder }) => protectedNames(folder, workspace.length === 1 && folder === workspace[0]));
  const caches = CACHES.map((path) => join(home, path)).flatMap(existing);
  const write = unique([
    ...TEMPORARY(),
    ...workspace,
    ...caches,
    ...places.write.flatMap(existing),
    ...git.flatMap((one) => one.write),
  ]);

  const readable = places.read.flatMap(existing);
  const hidden = [
    ...credentialPaths(home).filter((path) => !isHarmless(path)),
    places.agentHome,
    join(home, ".hermes"),
    ...found.flatMap((seen) => seen.secrets),
  ].flatMap(existing);
  const allowed = (path: string) => !readable.some((open) => within(path, open) !== undefined);
  const folders = hidden.filter((path) => allowed(path) && look(path) === "folder");
  const files = hidden.filter((path) => allowed(path) && look(path) === "file");

  // Programs on PATH run later and outside the sandbox, so commands inside cannot add any, except in the task's own
  // folders.
  const programs = places.path
    .split(":")
    .filter((path) => path.startsWith("/"))
    .flatMap(existing);
  const onPath = programs.filter((path) => caches.some((cache) => within(path, cache) !== undefined));
  return {
    write,
    hideFolders: unique(folders),
    hideFiles: unique(files),
    keep: unique([
      ...git.flatMap((one) => one.keep),
      ...saved.flatMap((one) => one.keep),
      ...onPath,
      ...places.own.flatMap(existing),
    ]),
    show: unique([
      ...existing(places.node).filter((path) => folders.some((hide) => within(path, hide) !== undefined)),
      ...READABLE_STATE.map((path) => join(places.agentHome, path)).flatMap(existing),
      ...write.filter((path) => folders.some((hide) => within(path, hide) !== undefined)),
    ]),
    placeholders: unique([...git.flatMap((one) => one.placeholders), ...saved.flatMap((one) => one.placeholders)]),
    network: places.network,
  };
}

/**
 * Settings of a package manager that hold no credential: without them nothing can be installed from a registry of one's
 * own.
 */
function isHarmless(path: string): boolean {
  if (!/\/\.(npmrc|yarnrc\.yml|pypirc|terraformrc)$|\/\.m2\/settings\.xml$|\/gradle\.properties$/.test(path))
    return false;
  const text = look(path) === "file" ? readShort(path) : undefined;
  return text !== undefined && !/auth|passw|token|secret|credential|api_?key/i.test(text);
}

function existing(path: string): readonly string[] {
  const found = real(path);
  return found === undefined ? [] : [found];
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
