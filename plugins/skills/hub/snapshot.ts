import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "hermes-agent/plugin";
import type { Service, Options } from "../command/command-services.ts";
import { originsOf } from "../command/origin.ts";
import { writeWhole } from "../manage/write-whole.ts";
import { digestOf, readLock, readTaps, writeTaps, type LockEntry, type Tap } from "./hub-state.ts";
import { allowed, judgeSkill } from "./scan-fetched.ts";
import { putInPlace } from "./move-into-place.ts";
import { openStage } from "./stage.ts";

interface Retained {
  readonly name: string;
  /** From the folder of skills. */
  readonly path: string;
  readonly source: string;
  readonly identifier?: string;
  readonly category?: string;
  /** The record of its installation. */
  readonly lock?: LockEntry;
  /** base64, by path. */
  readonly files: { readonly [path: string]: string };
}

interface Snapshot {
  readonly format: "hermes-skills-1";
  readonly exported_at: string;
  readonly skills: readonly Retained[];
  readonly taps: readonly Tap[];
}

/** `snapshot export FILE`, `snapshot import FILE`: the home's skills with all their files, and the taps. */
export async function snapshot(
  [action = "", file = ""]: readonly string[],
  options: Options,
  service: Service,
): Promise<void> {
  if (action === "export") return exportTo(file, service);
  if (action === "import") return importFrom(file, options, service);
  throw new UserError("Usage: skills snapshot export FILE | import FILE [--force]", { exitCode: 2 });
}

async function exportTo(file: string, { shelf, say }: Service): Promise<void> {
  const own = (await shelf.all()).filter(({ source }) => source === "home");
  const originOf = originsOf(shelf);
  const lock = readLock(shelf.folder);
  const skills = own.map((skill): Retained => {
    const { name, path, folder, category } = skill;
    const entry = lock[basename(path)];
    return {
      name,
      path,
      source: originOf(skill).source,
      identifier: entry?.identifier,
      lock: entry,
      category,
      files: filesIn(folder),
    };
  });
  const text = `${JSON.stringify({ format: "hermes-skills-1", exported_at: new Date().toISOString(), skills, taps: readTaps(shelf.folder) } satisfies Snapshot, null, 1)}\n`;
  if (file === "-") return say(text.trimEnd());
  writeWhole(resolve(file), text);
  say(`Saved ${skills.length} skills in ${resolve(file)}.`);
}

async function importFrom(file: string, { force }: Options, service: Service): Promise<void> {
  const { shelf, say } = service;
  await shelf.seed();
  const { skills, taps } = readSnapshot(file);
  const lines: string[] = [];
  for (const saved of skills) {
    const there = (await shelf.all()).some(
      ({ path, source }) => source === "home" && (path === saved.path || basename(path) === basename(saved.path)),
    );
    lines.push(there ? `- ${saved.path}: already exists` : await bring(saved, force === true, service));
  }
  const known = readTaps(shelf.folder);
  writeTaps(shelf.folder, [
    ...known,
    ...taps.filter(({ repo }) => typeof repo === "string" && !known.some((one) => one.repo === repo)),
  ]);
  say(lines.join("\n") || "The snapshot contains no skill.");
}

/** A file may come from anywhere: each skill of it is scanned as one of anybody. */
async function bring(saved: Retained, force: boolean, service: Service): Promise<string> {
  const { shelf } = service;
  const target = inside(shelf.folder, saved.path);
  await using stage = openStage(shelf);
  const folder = join(stage.folder, "skill");
  for (const [path, content] of Object.entries(saved.files)) {
    const file = inside(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.from(String(content), "base64"), { mode: 0o600 });
  }
  if (!existsSync(join(folder, "SKILL.md"))) return `✗ ${saved.path}: it has no SKILL.md`;
  const verdict = await judgeSkill(folder, service);
  if (!force && !allowed("community", verdict))
    return [
      `✗ ${saved.path}: ${verdict.verdict}; --force imports it anyway`,
      ...[...verdict.reasons, ...verdict.minor].map((line) => `    ${line}`),
    ].join("\n");
  // A record that does not fit what came is none.
  if (
    saved.lock !== undefined &&
    saved.lock.metadata?.digest === digestOf(folder).full &&
    saved.lock.install_path === saved.path
  )
    putInPlace(shelf.folder, basename(saved.path), saved.lock, folder);
  else {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(folder, target);
  }
  return `✓ ${saved.path}`;
}

function filesIn(folder: string): Retained["files"] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [file.slice(folder.length + 1), readFileSync(file).toString("base64")]),
  );
}

function readSnapshot(file: string): Snapshot {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError(`There is no file ${file}.`, { exitCode: 2 });
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as Partial<Snapshot>;
    if (
      read.format === "hermes-skills-1" &&
      Array.isArray(read.skills) &&
      Array.isArray(read.taps) &&
      read.skills.every((saved) => typeof saved.path === "string" && typeof saved.files === "object")
    )
      return read as Snapshot;
  } catch {
    // The error below covers it.
  }
  throw new UserError(`${file} is not a snapshot of skills.`, {
    hint: "`hermes skills snapshot export` creates one.",
    exitCode: 2,
  });
}

/** @throws {UserError} for a path that leads elsewhere. */
function inside(root: string, path: string): string {
  if (
    path === "" ||
    path.startsWith("/") ||
    path.split(/[/\\]/).some((name) => name === ".." || name === "" || name.startsWith("."))
  )
    throw new UserError(`The snapshot contains an invalid path for a skill: ${JSON.stringify(path)}.`);
  return join(root, path);
}
