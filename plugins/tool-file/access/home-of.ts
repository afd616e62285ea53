import { existsSync, readFileSync } from "node:fs";
import { homeInPasswords } from "hermes-agent/plugin";

const PASSWORDS = "/etc/passwd";

/** The home of a user of this machine, for `~user/` in a path. */
export function homeOf(user: string): string | undefined {
  return existsSync(PASSWORDS) ? homeInPasswords(readFileSync(PASSWORDS, "utf8"), user) : undefined;
}
