import { statSync } from "node:fs";
import type { JsonObject } from "hermes-agent/plugin";
import { list } from "./closed-off.ts";

/** The user that runs the commands in a container. */
export type CommandUser =
  /** Set by the user. */
  | { readonly kind: "named"; readonly user: string }
  /** A number of this machine, which the image may not know. */
  | { readonly kind: "number"; readonly uid: number; readonly gid: number }
  /** The image's own user, and where that is root the one of this number. */
  | { readonly kind: "not-root"; readonly uid: number; readonly gid: number };

/** The id of the first user in most images. */
const FIRST_USER = 1000;
/** The home of a number. */
const HOME = "/home/hermes";

/** @param mounted The folder of this machine that commands work in: what they make there belongs to its owner. */
export function commandUser(config: JsonObject, mounted: string | undefined): CommandUser {
  const named = config["docker_user"] || userArgument(list(config["docker_extra_args"]));
  if (typeof named === "string") return { kind: "named", user: named };
  const prompter = { uid: process.getuid?.() ?? FIRST_USER, gid: process.getgid?.() ?? FIRST_USER };
  if (config["docker_run_as_host_user"] === true) return { kind: "number", ...prompter };
  if (mounted !== undefined) {
    const { uid, gid } = statSync(mounted);
    return { kind: "number", uid, gid };
  }
  return { kind: "not-root", ...(prompter.uid === 0 ? { uid: FIRST_USER, gid: FIRST_USER } : prompter) };
}

/** How a container is run for one. */
export interface RunAs {
  readonly args: readonly string[];
  /** A user the image may not know needs a home. */
  readonly unknown?: { readonly uid: number; readonly gid: number };
}

/**
 * @param ofImage The user that the image names; empty is root.
 * @param rootless The engine is a rootless podman: unless configured otherwise, only root in a container maps to this
 * user.
 */
export function runAs(user: CommandUser, ofImage: string, rootless: boolean): RunAs {
  if (user.kind === "named") return byName(user.user);
  if (user.kind === "not-root" && !isRoot(ofImage)) return byName(ofImage);
  const number = `${user.uid}:${user.gid}`;
  return user.uid === 0
    ? byName(number)
    : { args: ["--user", number, "-e", `HOME=${HOME}`, ...(rootless ? ["--userns", "keep-id"] : [])], unknown: user };
}

/** Only root can switch users to install packages. */
function byName(user: string): RunAs {
  return { args: ["--user", user, ...(isRoot(user) ? ["--cap-add", "SETUID", "--cap-add", "SETGID"] : [])] };
}

function isRoot(user: string): boolean {
  return /^(root|0*)(:|$)/.test(user);
}

function userArgument(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(-u|--user)(=|$)/.test(word));
  return at === -1
    ? undefined
    : words[at]!.includes("=")
      ? words[at]!.slice(words[at]!.indexOf("=") + 1)
      : words[at + 1];
}

/**
 * Steps that give a user id a name, a home and `/workspace` in a new container. Root has no capabilities there, so it
 * cannot change owners: it opens the parent folders for a moment, and the user creates its own. Existing files stay
 * unchanged.
 */
export const welcome = {
  /** By root. Says the modes of the folders that it opens. */
  open: "mkdir -p /home && stat -c %a / /home && chmod 1777 / /home",
  /** By the user. */
  settle: `for folder in ${HOME} /workspace; do [ -e $folder ] || mkdir $folder || exit; done`,
  /** By root. @param modes What `open` said. */
  close: (modes: string, { uid, gid }: { readonly uid: number; readonly gid: number }) => `
set -- ${modes.replace(/[^0-7]+/g, " ")}
chmod $1 /; chmod $2 /home
touch /etc/group /etc/passwd
grep -q '^[^:]*:[^:]*:${gid}:' /etc/group || echo 'hermes:x:${gid}:' >>/etc/group
grep -q '^[^:]*:[^:]*:${uid}:' /etc/passwd || echo 'hermes:x:${uid}:${gid}::${HOME}:/bin/bash' >>/etc/passwd
`,
};
