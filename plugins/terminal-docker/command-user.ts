import { statSync } from "node:fs";
import type { JsonObject } from "hermes-agent/plugin";
import { list } from "./closed-off.ts";

/** Who runs the commands in a container. */
export type CommandUser =
  /** As the person has named it. */
  | { readonly kind: "named"; readonly user: string }
  /** A number of this machine, which the image may not know. */
  | { readonly kind: "number"; readonly uid: number; readonly gid: number }
  /** The image's own user, and where that is root the one of this number. */
  | { readonly kind: "not-root"; readonly uid: number; readonly gid: number };

/** What most images call their first user. */
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
 * @param rootless The engine is a podman of the person: unless told otherwise, only root of a container is the person there.
 */
export function runAs(user: CommandUser, ofImage: string, rootless: boolean): RunAs {
  if (user.kind === "named") return byName(user.user);
  if (user.kind === "not-root" && !isRoot(ofImage)) return byName(ofImage);
  const number = `${user.uid}:${user.gid}`;
  return user.uid === 0
    ? byName(number)
    : { args: ["--user", number, "-e", `HOME=${HOME}`, ...(rootless ? ["--userns", "keep-id"] : [])], unknown: user };
}

/** Root becomes somebody else to install packages; nobody else can. */
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
 * Steps that give a number a name, a home and `/workspace`, run in its new container. Root has no capability there, so it can give nothing
 * away: it opens the folders above for a moment, in which the user makes its own. What is there already stays as it is.
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
