import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { isFolder, makeFolder } from "./make-folder.ts";

/** The active home: all data of the agent. A named profile is a separate home under `<root>/profiles/<name>`. */
export interface Home {
  readonly path: string;
  /** The home of the default profile. */
  readonly root: string;
  /** `default`, the profile's name, or `custom` for a `HERMES_HOME` that is none of ours. */
  readonly profile: string;
  /** Absolute path inside the home; nothing is made. */
  file(...segments: readonly string[]): string;
  /** Absolute path of a folder inside the home; created with mode 0700 if it does not exist. */
  folder(...segments: readonly string[]): string;
}

export interface HomeOptions {
  readonly env: { readonly [name: string]: string | undefined };
  /** The user's home directory. */
  readonly userHome: string;
  /** `-p NAME`. */
  readonly profile?: string;
}

/**
 * Finds the home: `-p NAME`, else `HERMES_HOME`, else what `active_profile` names, else `~/.hermes`. Reads, never
 * writes.
 * @throws {UserError} for a profile that does not exist or a name that cannot be one.
 */
export function resolveHome(options: HomeOptions): Home {
  const fromVariable = options.env["HERMES_HOME"]?.trim() || undefined;
  const given =
    fromVariable === undefined
      ? join(options.userHome, ".hermes")
      : resolve(expandTilde(fromVariable, options.userHome));
  const root = basename(dirname(given)) === "profiles" ? dirname(dirname(given)) : given;
  if (options.profile !== undefined) return profileHome(root, options.profile, "-p");
  if (given !== root) return openHome(given, root, basename(given));
  if (fromVariable !== undefined)
    return openHome(given, root, given === join(options.userHome, ".hermes") ? "default" : "custom");
  const sticky = readSticky(root);
  return sticky === undefined
    ? openHome(root, root, "default")
    : profileHome(root, sticky, join(root, "active_profile"));
}

export const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

function profileHome(root: string, name: string, where: string): Home {
  if (name === "default") return openHome(root, root, "default");
  if (!PROFILE_NAME.test(name)) {
    throw new UserError(`"${name}" (from ${where}) is not a valid profile name.`, {
      hint: "Use lower-case letters, digits, _ and -, at most 64, starting with a letter or digit.",
      exitCode: 2,
    });
  }
  const path = join(root, "profiles", name);
  if (!isFolder(path)) {
    const existing = ["default", ...listProfiles(root)];
    throw new UserError(`There is no profile "${name}" (from ${where}).`, {
      hint: `Existing profiles: ${existing.join(", ")}. \`hermes -p default profile create ${name}\` creates it; \`hermes -p default profile use default\` selects the default one.`,
      exitCode: 2,
    });
  }
  return openHome(path, root, name);
}

/** Names of the profiles under a root, sorted; `default` is not among them. */
export function listProfiles(root: string): readonly string[] {
  try {
    return readdirSync(join(root, "profiles"), { withFileTypes: true })
      .filter((entry) => PROFILE_NAME.test(entry.name) && isFolder(join(root, "profiles", entry.name)))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // No folder `profiles`: none was ever made.
  }
}

function openHome(path: string, root: string, profile: string): Home {
  return {
    path,
    root,
    profile,
    file: (...segments) => join(path, ...segments),
    folder(...segments) {
      const folder = join(path, ...segments);
      makeFolder(folder);
      return folder;
    },
  };
}

function readSticky(root: string): string | undefined {
  try {
    return readFileSync(join(root, "active_profile"), "utf8").trim() || undefined;
  } catch {
    return undefined; // No profile was selected permanently.
  }
}

function expandTilde(path: string, userHome: string): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : path;
}
