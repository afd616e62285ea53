import { definedFields, ToolFailure, type ToolContext } from "hermes-agent/plugin";
import type { Access, Guard } from "../access/guard.ts";
import type { PathLock } from "../write/path-lock.ts";
import type { Place } from "../access/task-files.ts";
import type { FileMemory } from "../access/task-memory.ts";

export interface PatchInput {
  readonly mode?: "replace" | "patch";
  readonly path?: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly patch?: string;
}

/** What a patch works with; one set for the plugin. */
export interface PatchTools {
  readonly memory: FileMemory;
  readonly guard: Guard;
  readonly locks: PathLock;
}

/** `replace` unless told otherwise; a call that brings only a patch text means the other mode. */
export function modeOf(input: PatchInput): "replace" | "patch" {
  return input.mode ?? (input.patch !== undefined && input.old_string === undefined ? "patch" : "replace");
}

/** A file that may not be touched, told with the keys of a failed edit. */
export async function resolveForEdit(
  path: string,
  access: Access,
  place: Place,
  call: ToolContext,
  guard: Guard,
): Promise<string> {
  try {
    return await guard.resolve(path, access, place, call);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    throw new ToolFailure(error.code, error.message, {
      hint: error.hint,
      data: { success: false },
      cause: error,
    });
  }
}

/** A failed edit, with advice that grows firmer when the same path keeps failing. */
export function patchFailure(
  code: "bad_arguments" | "conflict" | "not_found",
  message: string,
  advice: string | undefined,
  failures: number,
): ToolFailure {
  const hint =
    failures >= 3
      ? `${failures} edits in a row failed here. Read the file again before the next one, or write it whole with write_file.`
      : advice;
  return new ToolFailure(code, message, { data: definedFields({ success: false, _hint: hint }) });
}
