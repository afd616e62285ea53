import { basename, dirname, join } from "node:path";
import { look, readShort } from "./look.ts";
import type { Profile } from "./profile.ts";

export interface Exclude {
  readonly path: string;
  readonly text: string;
}

/**
 * The repository's own list of ignored names plus the names that empty folders occupy: git would try to remove them
 * when it cleans, and could not. Mounted over the list in the sandbox; the file itself stays unchanged.
 */
export function gitExclude({ placeholders, write }: Pick<Profile, "placeholders" | "write">): Exclude | undefined {
  const held = placeholders.filter((path) => basename(dirname(path)) !== ".git");
  const repository = held[0] === undefined ? undefined : join(dirname(held[0]), ".git");
  const path = repository === undefined ? "" : join(repository, "info", "exclude");
  if (repository === undefined || !write.includes(repository) || look(path) !== "file") return undefined;
  const text = readShort(path);
  return text === undefined
    ? undefined
    : { path, text: `${text}\n${held.map((name) => `/${basename(name)}/`).join("\n")}\n` };
}
