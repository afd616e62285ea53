import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { ProfileAlias } from "../../contract/services/profile-service.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { PROFILE_NAME } from "../environment/home.ts";
import { onPath } from "./profile-names.ts";

export interface AliasPorts {
  readonly userHome: string;
  /** The home of the default profile. */
  readonly root: string;
  /** `PATH`. */
  readonly path: string;
}

const MAX_BYTES = 1000;

/** Scripts in `~/.local/bin` that start this profile of this root, by name. */
export function aliasesOf(profile: string, ports: AliasPorts): readonly string[] {
  const folder = aliasFolder(ports);
  const wanted = scriptOf(profile, ports);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => PROFILE_NAME.test(name)) : [];
  return names.filter((name) => textOf(join(folder, name)) === wanted).toSorted();
}

/** @throws {UserError} if another program has that name. */
export function writeAlias(profile: string, name: string, ports: AliasPorts): ProfileAlias {
  if (!PROFILE_NAME.test(name))
    throw new UserError(`"${name}" is not a valid name for a script.`, {
      hint: "Use lower-case letters, digits, _ and -.",
      exitCode: 2,
    });
  const folder = aliasFolder(ports);
  const file = join(folder, name);
  const other = existsSync(file) ? file : onPath(name, ports.path);
  if (other !== undefined && !(other === file && textOf(file) === scriptOf(profile, ports)))
    throw new UserError(`There is already a program "${name}" (${other}).`, {
      hint: `Choose another name: hermes profile alias ${profile} --name NAME`,
      exitCode: 2,
    });
  writeAtomically(file, scriptOf(profile, ports));
  chmodSync(file, 0o755);
  return {
    file,
    onPath: ports.path.split(delimiter).includes(folder),
    hermesOnPath: onPath("hermes", ports.path) !== undefined,
  };
}

/** @returns the deleted files. */
export function removeAliases(profile: string, name: string | undefined, ports: AliasPorts): readonly string[] {
  const names = aliasesOf(profile, ports).filter((one) => name === undefined || one === name);
  const files = names.map((one) => join(aliasFolder(ports), one));
  for (const file of files) rmSync(file);
  return files;
}

function aliasFolder({ userHome }: AliasPorts): string {
  return join(userHome, ".local", "bin");
}

/** A root elsewhere has to be named: `-p` looks for profiles in `~/.hermes`. */
function scriptOf(profile: string, { root, userHome }: AliasPorts): string {
  const home = root === join(userHome, ".hermes") ? "" : `HERMES_HOME='${root.replaceAll("'", String.raw`'\''`)}' `;
  return `#!/bin/sh\n${home}exec hermes -p ${profile} "$@"\n`;
}

function textOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size < MAX_BYTES ? readFileSync(file, "utf8") : undefined;
}
