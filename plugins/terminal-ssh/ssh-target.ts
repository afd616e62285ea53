import { homedir } from "node:os";
import type { JsonObject } from "hermes-agent/plugin";

/** Where to connect, as the configuration says it. */
export interface SshTarget {
  /** `user@host` or `host`. */
  readonly name: string;
  readonly port: number;
  readonly key: string | undefined;
  readonly hostKeys: "yes" | "accept-new";
  readonly knownHosts: string | undefined;
  /** Where a task starts on that host. */
  readonly cwd: string;
}

/** @param config The section `terminal` of the configuration. */
export function sshTarget(config: JsonObject): SshTarget | { readonly missing: string } {
  const host = word(config["ssh_host"]);
  const user = word(config["ssh_user"]);
  if (host === undefined) return { missing: "terminal.ssh_host (TERMINAL_SSH_HOST) is not set." };
  // A name with a dash in front would be read as an option of ssh.
  if (!/^[\w.:[\]%-]+$/.test(host) || host.startsWith("-"))
    return { missing: `terminal.ssh_host is not a host name: ${JSON.stringify(host)}.` };
  if (user !== undefined && (!/^[\w.@\\+-]+$/.test(user) || user.startsWith("-")))
    return { missing: `terminal.ssh_user is not a user name: ${JSON.stringify(user)}.` };
  const cwd = word(config["cwd"]);
  return {
    name: user === undefined ? host : `${user}@${host}`,
    port: typeof config["ssh_port"] === "number" ? config["ssh_port"] : 22,
    key: atHome(word(config["ssh_key"])),
    hostKeys: config["ssh_host_keys"] === "accept-new" ? "accept-new" : "yes",
    knownHosts: atHome(word(config["ssh_known_hosts"])),
    cwd: cwd === undefined || [".", "auto", "cwd"].includes(cwd) ? "~" : cwd,
  };
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function atHome(path: string | undefined): string | undefined {
  return path?.replace(/^~(?=\/|$)/, homedir());
}
