import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "hermes-agent/plugin";
import { keepVersion, restoreVersion, versions } from "../history.ts";
import { writeWhole } from "../manage/write-whole.ts";
import type { Service, Options } from "./command-services.ts";

export async function history([name]: readonly string[], _options: Options, { shelf, say }: Service): Promise<void> {
  const shown = versions(shelf.folder).filter((one) => name === undefined || one.name === name || one.path === name);
  if (shown.length === 0)
    return say(name === undefined ? "No skill was changed yet." : `The skill "${name}" was not changed yet.`);
  say(
    [
      ...shown.map(({ id, path, why }) => `${id}  ${path}  before ${why}`),
      "",
      "`hermes skills restore ID` restores one.",
    ].join("\n"),
  );
}

export async function restore(
  [which = ""]: readonly string[],
  _options: Options,
  { shelf, say }: Service,
): Promise<void> {
  const { path, id, why } = restoreVersion(shelf.folder, which);
  say(`Restored ${path} to its state before ${why} (${id}).`);
}

/** Forgets that a bundled skill was changed or deleted. */
export async function reset(
  [name = ""]: readonly string[],
  { restore: asItCame, yes }: Options,
  { shelf, say, confirm, needsYes }: Service,
): Promise<void> {
  await shelf.seed();
  const source = bundledFolder(shelf.bundled, name);
  if (source === undefined)
    throw new UserError(`No bundled skill is named "${name}".`, {
      hint: "`hermes skills list` shows the skills and their sources.",
      exitCode: 2,
    });
  const path = source.slice(shelf.bundled.length + 1);
  const target = join(shelf.folder, path);
  const there = existsSync(target);
  const manifest = join(shelf.folder, ".bundled_manifest");
  const lines = readFileSync(manifest, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(`${name}:`));
  if (asItCame === true) {
    if (yes !== true && existsSync(target)) {
      if (needsYes)
        throw new UserError(`${path} would be replaced.`, {
          hint: "Confirm with --yes; the current version stays in `hermes skills history`.",
        });
      if (confirm !== undefined && !(await confirm(`Replace ${path} with the bundled version?`)))
        return say("Nothing was changed.");
    }
    if (existsSync(target)) keepVersion(shelf.folder, path, "reset", true);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    cpSync(source, target, { recursive: true });
  }
  writeWhole(manifest, lines.map((line) => `${line}\n`).join(""));
  await shelf.reseed();
  say(
    asItCame === true
      ? `${path} is the bundled version again.`
      : there
        ? `${path} stays unchanged, and updates with Hermes again once it equals the bundled version.`
        : `Restored ${path}.`,
  );
}

function bundledFolder(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.name === "SKILL.md" && basename(entry.parentPath) === name,
  );
  return found !== undefined && statSync(found.parentPath).isDirectory() ? found.parentPath : undefined;
}
