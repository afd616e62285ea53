import type { Program } from "./call.ts";
import { BUILTINS } from "./programs/builtins.ts";
import { FILES } from "./programs/files.ts";
import { GIT } from "./programs/git.ts";
import { INTERPRETERS } from "./programs/interpreters.ts";
import { MACHINE } from "./programs/machine.ts";
import { PLATFORMS } from "./programs/platforms.ts";
import { READERS } from "./programs/readers.ts";
import { REMOTE_PROGRAMS } from "./programs/remote.ts";
import { WRAPPERS } from "./programs/wrappers.ts";

const ALL = new Map<string, Program>();
for (const table of [READERS, PLATFORMS, REMOTE_PROGRAMS, GIT, MACHINE, FILES, INTERPRETERS, WRAPPERS, BUILTINS]) for (const [name, program] of Object.entries(table)) ALL.set(name, program);

/** What is known of a program; undefined for everybody else's. Versions and variants share an entry: `python3.12`, `mkfs.ext4`. */
export function findProgram(name: string, platform: "linux" | "darwin" | "win32"): Program | undefined {
  const exact = ALL.get(name) ?? (platform === "linux" ? undefined : ALL.get(name.toLowerCase()));
  if (exact) return exact;
  if (name.startsWith("mkfs.")) return ALL.get("mkfs");
  const versioned = /^([a-z+]+?)-?\d+(\.\d+)*$/.exec(name);
  return versioned ? ALL.get(versioned[1]!) : undefined;
}

/** What a pattern as a command's name is tried against: `/bin/r?`. */
export const GUESSED_NAMES = ["rm", "dd", "mkfs", "shred", "shutdown", "reboot", "halt", "poweroff", "kill", "killall", "chmod", "chown", "mv", "sh", "bash", "wipefs", "find"] as const;

/** Programs whose output is shell text that sets up a session: `eval "$(ssh-agent -s)"`. */
const SETUP = new Map<string, RegExp>([
  ["ssh-agent", /^(-[sck]\s?)*$/], ["dircolors", /./], ["resize", /^/], ["lesspipe", /^/], ["direnv", /^(hook|export)\b/], ["brew", /^shellenv\b/], ["pyenv", /^(init|virtualenv-init)\b/], ["rbenv", /^init\b/], ["nodenv", /^init\b/], ["goenv", /^init\b/], ["jenv", /^init\b/], ["fnm", /^env\b/], ["mise", /^(activate|env|hook-env)\b/], ["starship", /^init\b/], ["zoxide", /^init\b/], ["opam", /^(env|config env)\b/], ["conda", /^shell\.\w+ hook|^shell hook/], ["micromamba", /^shell hook/], ["minikube", /^(-p \S+ )?(docker-env|podman-env)\b/], ["docker-machine", /^env\b/], ["fzf", /^--(bash|zsh|fish)$/], ["thefuck", /^--alias/], ["atuin", /^init\b/], ["luarocks", /^path\b/], ["register-python-argcomplete", /^/], ["keychain", /^--eval/], ["gpgconf", /^/], ["mcfly", /^init\b/], ["scmpuff", /^init\b/], ["hub", /^alias\b/], ["perl", /^-I\S+ -Mlocal::lib/], ["guix", /^package .*--search-paths/],
]);

export function printsSetup(name: string, argv: readonly string[]): boolean {
  const rest = argv.slice(1).join(" ");
  return SETUP.get(name)?.test(rest) === true || /^completion (bash|zsh|fish)$/.test(rest);
}
