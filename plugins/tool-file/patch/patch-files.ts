import { basename, dirname, join } from "node:path/posix";
import { definedFields, ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { breaksData, lintChange } from "../write/lint.ts";
import { patchFailure, resolveForEdit, type PatchInput, type PatchTools } from "./patch-input.ts";
import { bringsCutLines, CUT_LINES } from "../read/cut-mark.ts";
import { whyNotEncoded } from "../write/text-file.ts";
import { openEnvironment, type Place } from "../access/task-files.ts";
import { lookBefore, parentOf, saveText, staleWarning, type Before } from "../write/save.ts";
import { unifiedDiff } from "../write/unified-diff.ts";
import { accessOf, pathsOf, type Operation } from "../v4a/operation.ts";
import { parsePatch } from "../v4a/parse.ts";
import { planPatch, type Planned } from "../v4a/plan.ts";

/** Applies a V4A patch atomically. */
export async function patchFiles(
  input: PatchInput,
  call: ToolContext,
  { memory, guard, locks }: PatchTools,
): Promise<JsonObject> {
  if (input.patch === undefined || input.patch.trim() === "")
    throw new ToolFailure("bad_arguments", "patch content required");
  const parsed = parsePatch(input.patch);
  if (parsed.kind === "refused") throw patchFailure("bad_arguments", parsed.reason, undefined, 0);
  const { operations } = parsed;
  if (operations.length === 0)
    throw patchFailure(
      "bad_arguments",
      "The patch has no changes: no '*** Update File:', Add, Delete or Move section was found.",
      undefined,
      0,
    );
  const paths = pathsOf(operations);
  for (const path of paths) {
    if (path.split("/").includes(".."))
      throw new ToolFailure("blocked", `A path in a patch header must not contain '..': ${path}`, {
        hint: "Use a path relative to the working directory, or an absolute one.",
      });
  }

  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const files = new Map<string, string>();
  for (const path of paths) files.set(path, await resolveForEdit(path, accessOf(path, operations), place, call, guard));
  const fileOf = (path: string): string => files.get(path)!;
  const failures = memory.task(call.taskId).failures;

  return locks.hold(
    [...files.values()].map((file) => `${place.id} ${file}`),
    async () => {
      const before = new Map<string, Before>();
      for (const [path, file] of files) before.set(file, await lookAt(path, file, operations, place));
      const contents = new Map(
        [...before].map(([file, { stamp, text }]): [string, string | undefined] => [
          file,
          stamp === undefined ? undefined : (text ?? ""),
        ]),
      );
      const plan = planPatch(operations, contents, fileOf);
      if (plan.kind === "refused") {
        const count = Math.max(...[...files.values()].map((file) => (failures.get(file) ?? 0) + 1));
        for (const file of files.values()) failures.set(file, (failures.get(file) ?? 0) + 1);
        throw patchFailure(
          "conflict",
          `The patch does not apply; nothing was changed:\n${plan.problems.map((problem) => `- ${problem}`).join("\n")}`,
          plan.missing ? "Read the file and copy the lines exactly." : undefined,
          count,
        );
      }
      for (const [file, text] of contents) {
        const was = before.get(file)!.text;
        if (text === undefined || text === was) continue;
        const form = formFor(file, { operations, fileOf, before });
        const lost = bringsCutLines(was, text) ? CUT_LINES : await whyNotEncoded(text, form);
        if (lost !== undefined) throw patchFailure("bad_arguments", `${file}: ${lost.message}`, lost.hint, 0);
        const broken = await breaksData(file, was, text, place);
        if (broken !== undefined)
          throw patchFailure(
            "bad_arguments",
            `The patch was not applied; nothing was changed. ${file}: ${broken}`,
            "Correct the patch and call again.",
            0,
          );
      }
      const warnings = [...files]
        .map(([path, file]) => staleWarning(before.get(file)!, place, call, memory, { whole: false, path })._warning)
        .filter((warning) => warning !== undefined);
      const replaced = plan.steps
        .filter(({ operation, before: old }) => operation.kind === "add" && old !== undefined)
        .map(({ operation }) => `${operation.path} existed and was replaced.`);
      await carryOut({ operations, fileOf, contents, before, place, call, memory });
      for (const file of files.values()) failures.delete(file);
      return report(plan.steps, files, [...warnings, ...replaced], place, fileOf);
    },
  );
}

async function lookAt(path: string, file: string, operations: readonly Operation[], place: Place): Promise<Before> {
  // Following the link would remove its target and leave a dangling link.
  if (
    operations.some(
      (operation) => operation.path === path && (operation.kind === "delete" || operation.kind === "move"),
    ) &&
    (await isLink(path, file, place))
  ) {
    throw patchFailure(
      "bad_arguments",
      `${path} is a link to ${file}; a patch deletes and moves only files. Nothing was changed.`,
      `To change the file, use ${file}. To delete or move the link, use the terminal (rm, mv).`,
      0,
    );
  }
  const before = await lookBefore(file, place);
  if (before === undefined)
    throw patchFailure("bad_arguments", `${path} is not a regular file; nothing was changed.`, undefined, 0);
  // A file that is not text can only be deleted, moved or replaced.
  const touching = operations.filter(
    (operation) => operation.path === path || (operation.kind === "move" && operation.to === path),
  );
  if (
    before.stamp !== undefined &&
    before.text === undefined &&
    (touching.length > 1 || touching[0]!.kind === "update")
  ) {
    throw patchFailure(
      "bad_arguments",
      `${path} is not text (or larger than 20 MB); nothing was changed.`,
      undefined,
      0,
    );
  }
  const made = before.stamp === undefined && touching.some(({ kind }) => kind === "add" || kind === "move");
  const parent = made ? await parentOf(file, place) : "there";
  if (typeof parent === "object")
    throw patchFailure(
      "bad_arguments",
      `Cannot create ${path}: ${parent.inTheWay} is not a folder. Nothing was changed.`,
      undefined,
      0,
    );
  return before;
}

/** Whether the last part of a path is a link. `file` is its target. */
async function isLink(path: string, file: string, place: Place): Promise<boolean> {
  const written = place.absolute(path);
  return join(await place.files.resolve(dirname(written)), basename(written)) !== file;
}

interface Work {
  readonly operations: readonly Operation[];
  readonly fileOf: (path: string) => string;
  readonly contents: ReadonlyMap<string, string | undefined>;
  readonly before: ReadonlyMap<string, Before>;
  readonly place: Place;
  readonly call: ToolContext;
  readonly memory: PatchTools["memory"];
}

type Undo = (() => Promise<void>)[];

/** Writes the planned files one by one. On a failure, restores those already changed. */
async function carryOut(work: Work): Promise<void> {
  const { contents, before, place, call, memory } = work;
  const undo: Undo = [];
  try {
    const moved = await moveFiles(work, undo);
    const left = [...contents].filter(([file]) => !moved.has(file));
    for (const [file, text] of left) {
      const was = before.get(file)!;
      if (text === undefined || (was.stamp !== undefined && was.text === text)) continue;
      const bytes = await bytesOf(was, place);
      await saveText({ ...was, form: formFor(file, work) }, text, place, call, memory);
      undo.push(bytes === undefined ? () => place.files.remove(file) : () => place.files.write(file, bytes));
    }
    // Deletes come last, because restoring a deleted file loses its mode.
    for (const [file, text] of left) {
      const was = before.get(file)!;
      if (text !== undefined || was.stamp === undefined) continue;
      const bytes = await bytesOf(was, place);
      await place.files.remove(file);
      memory.wrote(call.taskId, file, undefined);
      if (bytes !== undefined) undo.push(() => place.files.write(file, bytes, "absent"));
    }
  } catch (error) {
    const left = await putBack(undo);
    const state =
      left === 0
        ? "The earlier changes were undone."
        : `${left} of ${undo.length} changes could not be undone, so the files may be inconsistent.`;
    throw new ToolFailure("conflict", `The patch failed partway: ${(error as Error).message} ${state}`, {
      data: { success: false },
      cause: error,
    });
  }
}

/** A file's bytes, also if it was too large to be read as text; `undefined` if it did not exist. */
async function bytesOf(was: Before, place: Place): Promise<Uint8Array | undefined> {
  return was.bytes ?? (was.stamp === undefined ? undefined : await place.files.read(was.file));
}

/** Renames a file that is moved, before it is edited, so that it keeps its mode and unedited content. */
async function moveFiles(
  { operations, fileOf, contents, before, place, call, memory }: Work,
  undo: Undo,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  for (const operation of operations) {
    if (operation.kind !== "move") continue;
    const from = fileOf(operation.path);
    const to = fileOf(operation.to);
    const ends = [from, to];
    const meets = (other: Operation): boolean =>
      ends.includes(fileOf(other.path)) || (other.kind === "move" && ends.includes(fileOf(other.to)));
    if (operations.some((other) => other !== operation && other.kind !== "update" && meets(other))) continue;
    const was = before.get(from)!;
    const text = contents.get(to)!;
    await place.files.move(from, to);
    undo.push(() => place.files.move(to, from));
    memory.wrote(call.taskId, from, undefined);
    if (text === (was.text ?? "")) memory.wrote(call.taskId, to, was.stamp);
    else {
      await saveText({ ...was, file: to }, text, place, call, memory);
      undo.push(() => place.files.write(to, was.bytes!));
    }
    done.add(from).add(to);
  }
  return done;
}

/** Keeps the line ends of a file that is moved more than once in one patch. */
function formFor(
  file: string,
  { operations, fileOf, before }: Pick<Work, "operations" | "fileOf" | "before">,
): Before["form"] {
  const was = before.get(file)!;
  const move =
    was.stamp === undefined
      ? operations.find((operation) => operation.kind === "move" && fileOf(operation.to) === file)
      : undefined;
  return (move === undefined ? undefined : before.get(fileOf(move.path))?.form) ?? was.form;
}

async function putBack(undo: readonly (() => Promise<void>)[]): Promise<number> {
  let failed = 0;
  for (const step of undo.toReversed()) {
    await step().catch(() => {
      failed++;
    });
  }
  return failed;
}

async function report(
  steps: readonly Planned[],
  files: ReadonlyMap<string, string>,
  warnings: readonly unknown[],
  place: Place,
  fileOf: (path: string) => string,
): Promise<JsonObject> {
  const diffs: string[] = [];
  const lints: Record<string, JsonObject> = {};
  const strategies: Record<string, readonly string[]> = {};
  for (const { operation, before, after, strategies: used } of steps) {
    if (used !== undefined) strategies[operation.path] = [...(strategies[operation.path] ?? []), ...used];
    if (operation.kind === "move") diffs.push(`# Moved: ${operation.path} -> ${operation.to}\n`);
    else diffs.push(await unifiedDiff(operation.path, before, after));
    if (operation.kind === "add" || operation.kind === "update")
      lints[operation.path] = { ...(await lintChange(fileOf(operation.path), before, after ?? "", place)) };
  }
  const named = (kind: Operation["kind"]): string[] => [
    ...new Set(steps.filter(({ operation }) => operation.kind === kind).map(({ operation }) => operation.path)),
  ];
  const created = named("add");
  const deleted = named("delete");
  const modified = [...new Set(files.values())];
  return definedFields({
    success: true,
    diff: diffs.join(""),
    files_modified: modified,
    files_created: created.length > 0 ? created : undefined,
    files_deleted: deleted.length > 0 ? deleted : undefined,
    strategies: Object.keys(strategies).length > 0 ? strategies : undefined,
    lint: Object.keys(lints).length > 0 ? lints : undefined,
    _warning: warnings.length > 0 ? warnings.join(" ") : undefined,
    resolved_path: modified.length === 1 ? modified[0] : undefined,
  });
}
