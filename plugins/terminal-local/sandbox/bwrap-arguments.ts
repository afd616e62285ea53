import { within } from "hermes-agent/plugin";
import type { Profile } from "./profile.ts";

/** Namespaces and rights that every sandbox has, and those the check for bubblewrap tries. */
export const ALWAYS: readonly string[] = [
  // No process in it may make a further user namespace, in which it would have rights again: `--disable-userns`.
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --disable-userns",
  "--cap-drop ALL --die-with-parent --new-session",
  "--ro-bind / / --dev /dev --proc /proc",
].flatMap((words) => words.split(" "));

export interface LaunchPlaces {
  /** The terminal's own folder, with its shells' pipes. */
  readonly own: string;
  /** Folder of all terminals. */
  readonly pipes: string;
  readonly cwd: string;
  /** Files below `/run` that stay: what `/etc/resolv.conf` leads to. */
  readonly run: readonly string[];
  /** Options that name what the starting shell hands over. */
  readonly fed: readonly string[];
}

/**
 * The command line of bubblewrap for a profile. Its order counts: what comes later lies over what came before.
 * Read-only marks come last, since mounts below them must be made first.
 */
export function bwrapArguments(profile: Profile, places: LaunchPlaces): readonly string[] {
  const emptied = ["/run", ...profile.hideFolders, places.pipes];
  const binds = (kind: "--bind" | "--ro-bind", paths: readonly string[]) => paths.flatMap((path) => [kind, path, path]);
  return [
    ...ALWAYS,
    ...(profile.network === "open" ? [] : ["--unshare-net"]),
    "--tmpfs",
    "/run",
    ...binds("--bind", outerFirst(profile.write)),
    ...[...profile.hideFolders, places.pipes].flatMap((path) => ["--tmpfs", path]),
    ...binds("--ro-bind", [...profile.show.filter((path) => !profile.write.includes(path)), ...places.run]),
    ...binds("--bind", outerFirst(profile.show.filter((path) => profile.write.includes(path)))),
    ...profile.hideFiles.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...binds("--ro-bind", outerFirst([...profile.keep, ...profile.placeholders])),
    ...binds("--bind", [places.own]),
    ...emptied
      .filter((path) => !profile.write.some((open) => within(open, path) === ""))
      .flatMap((path) => ["--remount-ro", path]),
    // As root, files of the kernel's could be written by their owner's number alone.
    "--remount-ro",
    "/proc",
    ...places.fed,
    "--chdir",
    places.cwd,
    "--",
  ];
}

function outerFirst(paths: readonly string[]): readonly string[] {
  return paths.toSorted((a, b) => a.length - b.length);
}
