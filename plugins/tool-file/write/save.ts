import { dirname } from "node:path/posix";
import type { JsonObject, ToolContext } from "hermes-agent/plugin";
import type { Place } from "../access/task-files.ts";
import { isInside } from "../access/task-files.ts";
import type { FileMemory, Stamp } from "../access/task-memory.ts";
import { decodeText, encodeText, PLAIN, type TextForm } from "./text-file.ts";

/** A file before a change. `text` is `undefined` if it does not exist or is not text. */
export interface Before {
  readonly file: string;
  readonly stamp: Stamp | undefined;
  readonly text: string | undefined;
  readonly form: TextForm;
  readonly bytes: Uint8Array | undefined;
}

/** Larger files are replaced without reading them first. */
const LOOKED_AT = 20_000_000;

/** @returns `undefined` when the path is not a regular file. */
export async function lookBefore(file: string, place: Place): Promise<Before | undefined> {
  const stat = await place.files.stat(file);
  if (stat === undefined) return { file, stamp: undefined, text: undefined, form: PLAIN, bytes: undefined };
  if (stat.kind !== "file") return undefined;
  const stamp = { modifiedMs: stat.modifiedMs, bytes: stat.bytes };
  const bytes = stat.bytes <= LOOKED_AT ? await place.files.read(file) : undefined;
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return { file, stamp, text: decoded?.text, form: decoded?.form ?? PLAIN, bytes };
}

/**
 * Writes a text in the file's previous encoding and line ends, if the file is still as in `before`.
 * @returns Its new size in bytes.
 */
export async function saveText(
  before: Before,
  text: string,
  place: Place,
  call: ToolContext,
  memory: FileMemory,
): Promise<number> {
  const bytes = await encodeText(text, before.form);
  await place.files.write(before.file, bytes, before.stamp ?? "absent");
  const stat = await place.files.stat(before.file);
  memory.wrote(call.taskId, before.file, stat && { modifiedMs: stat.modifiedMs, bytes: stat.bytes });
  return bytes.length;
}

/**
 * The most important warning for the model about the file that it has just written.
 * @param options.path As the model wrote it: an absolute path or one from the home is intentional, wherever it leads.
 */
export function staleWarning(
  before: Before,
  place: Place,
  call: ToolContext,
  memory: FileMemory,
  options: { readonly whole: boolean; readonly path: string },
): JsonObject {
  const { file, stamp } = before;
  switch (memory.staleness(call.taskId, file, stamp)) {
    case "sibling":
      return {
        _warning: `Another task changed ${file} after you last read it. Read it again and check that none of its changes are lost.`,
      };
    case "changed":
      return {
        _warning: `${file} had changed on disk since you last read it. Read it again and check that nothing is lost.`,
      };
    case "partial":
      if (options.whole) return { _warning: `You had read only part of ${file} before replacing all of it.` };
      break;
    case undefined:
  }
  const here = place.terminal.cwd;
  return /^[/~]/.test(options.path) || isInside(file, here)
    ? {}
    : { _warning: `${file} is outside the working directory ${here}.` };
}

/** The state of a new file's folder: the folder, nothing, or something that is not a folder (its path). */
export async function parentOf(
  file: string,
  place: Place,
): Promise<"there" | "missing" | { readonly inTheWay: string }> {
  for (
    let folder = dirname(file), state: "there" | "missing" = "there";
    ;
    folder = dirname(folder), state = "missing"
  ) {
    const stat = await place.files.stat(folder);
    if (stat?.kind === "directory" || folder === dirname(folder)) return state;
    if (stat !== undefined) return { inTheWay: folder };
  }
}
