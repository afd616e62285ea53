import { homedir } from "node:os";

/** A path as users write it: `~` for the home. */
export function homePath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
