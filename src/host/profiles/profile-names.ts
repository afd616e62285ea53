import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { listProfiles, PROFILE_NAME } from "../environment/home.ts";

const RESERVED = new Set(["hermes", "default", "test", "tmp", "root", "sudo"]);

/** @throws {UserError} if a new profile cannot have this name. */
export function checkNewName(name: string, root: string, isCommand: (word: string) => boolean): void {
  if (!PROFILE_NAME.test(name))
    throw new UserError(`"${name}" is not a valid profile name.`, {
      hint: "Use lower-case letters, digits, _ and -, at most 64, starting with a letter or digit.",
      exitCode: 2,
    });
  if (RESERVED.has(name) || isCommand(name))
    throw new UserError(`A profile cannot be named "${name}": the name is reserved.`, {
      hint: "Choose another name.",
      exitCode: 2,
    });
  if (existsSync(join(root, "profiles", name)))
    throw new UserError(`The profile "${name}" already exists.`, {
      hint: `Choose another name, or delete it first: hermes profile delete ${name}`,
      exitCode: 2,
    });
}

/** The home of an existing profile. @throws {UserError} */
export function homeOfProfile(name: string, root: string): string {
  if (name === "default") return root;
  const names = listProfiles(root);
  if (names.includes(name)) return join(root, "profiles", name);
  throw new UserError(`There is no profile "${name}".`, {
    hint: `Profiles: ${["default", ...names].join(", ")}. \`hermes profile create NAME\` creates one.`,
    exitCode: 2,
  });
}

/** The first program of that name in the folders of `PATH`. */
export function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // Missing, or not a program.
      }
    });
}
