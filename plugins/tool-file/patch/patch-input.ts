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

/** Dependencies of the patch code, one set for the plugin. */
export interface PatchTools {
  readonly memory: FileMemory;
  readonly guard: Guard;
  readonly locks: PathLock;
}

/** Default `replace`; a call with only a patch text means `patch`. */
export function modeOf(input: PatchInput): "replace" | "patch" {
  return input.mode ?? (input.patch !== undefined && input.old_string === undefined ? "patch" : "replace");
}

/** Reports a blocked file with the result keys of a failed edit. */
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

/** Reports a failed edit; repeated failures of the same path get stronger advice. */
export function patchFailure(
  code: "bad_arguments" | "conflict" | "not_found",
  message: string,
  advice: string | undefined,
  failures: number,
): ToolFailure {
  const hint =
    failures >= 3
      ? `${failures} consecutive edits of this file failed. Read it again before the next edit, or write it completely with write_file.`
      : advice;
  return new ToolFailure(code, message, { data: definedFields({ success: false, _hint: hint }) });
}
