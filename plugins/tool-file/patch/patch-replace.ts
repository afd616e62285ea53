import { describeFault, replace } from "hermes-agent/edit";
import { ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { breaksData, lintChange } from "../write/lint.ts";
import { patchFailure, resolveForEdit, type PatchInput, type PatchTools } from "./patch-input.ts";
import { bringsCutLines, CUT_LINES } from "../read/cut-mark.ts";
import { openEnvironment } from "../access/task-files.ts";
import { lookBefore, saveText, staleWarning } from "../write/save.ts";
import { encodeText, whyNotEncoded } from "../write/text-file.ts";
import { unifiedDiff } from "../write/unified-diff.ts";

/** Replaces `old_string` by `new_string`. */
export async function patchReplace(
  input: PatchInput,
  call: ToolContext,
  { memory, guard, locks }: PatchTools,
): Promise<JsonObject> {
  const { path, old_string: oldString, new_string: newString } = input;
  if (path === undefined || path.trim() === "")
    throw new ToolFailure("bad_arguments", "path required", { hint: "Mode 'replace' needs the path of one file." });
  if (oldString === undefined || newString === undefined)
    throw new ToolFailure("bad_arguments", "old_string and new_string required");
  const old = oldString.replaceAll("\r\n", "\n");
  const fresh = newString.replaceAll("\r\n", "\n");
  if (old === "")
    throw patchFailure(
      "bad_arguments",
      "old_string cannot be empty",
      "To create a file or fill an empty one, use write_file.",
      0,
    );
  if (old === fresh) throw patchFailure("bad_arguments", "old_string and new_string are identical.", undefined, 0);

  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const file = await resolveForEdit(path, "write", place, call, guard);
  const failures = memory.task(call.taskId).failures;
  const failed = (code: "bad_arguments" | "conflict" | "not_found", message: string, advice?: string): ToolFailure => {
    const count = (failures.get(file) ?? 0) + 1;
    failures.set(file, count);
    return patchFailure(code, message, advice, count);
  };

  return locks.hold([`${place.id} ${file}`], async () => {
    const before = await lookBefore(file, place);
    if (before === undefined) throw failed("bad_arguments", `${path} is not a regular file.`);
    if (before.stamp === undefined)
      throw failed("not_found", `File not found: ${path}`, "Use write_file to create a file.");
    if (before.text === undefined)
      throw failed(
        "bad_arguments",
        `${path} is not text (or larger than 20 MB) and was not changed.`,
        "Edit it with a program in the terminal.",
      );

    const replaced = replace(before.text, old, fresh, { all: input.replace_all === true, path: file });
    if (replaced.kind === "ambiguous")
      throw failed(
        "conflict",
        `Found ${replaced.count} matches for old_string; nothing was changed.`,
        "Include more surrounding lines in old_string, or set replace_all.",
      );
    if (replaced.kind !== "replaced") {
      const { message, hint } = describeFault(replaced, before.text, old, path);
      throw failed("conflict", message, hint);
    }
    const broken = await breaksData(file, before.text, replaced.text, place);
    if (broken !== undefined)
      throw failed("bad_arguments", `${path} was not changed: ${broken}`, "Correct new_string and call again.");
    const lost = bringsCutLines(before.text, replaced.text)
      ? CUT_LINES
      : await whyNotEncoded(replaced.text, before.form);
    if (lost !== undefined) throw failed("bad_arguments", lost.message, lost.hint);
    const warning = staleWarning(before, place, call, memory, { whole: false, path });
    await saveText(before, replaced.text, place, call, memory);
    const written = await place.files.read(file);
    if (written === undefined || !Buffer.from(await encodeText(replaced.text, before.form)).equals(written)) {
      throw failed(
        "conflict",
        `${path} differs from what was just written: another program writes it too.`,
        "Read it again.",
      );
    }
    failures.delete(file);
    return {
      success: true,
      strategy: replaced.strategy,
      diff: await unifiedDiff(file, before.text, replaced.text),
      files_modified: [file],
      lint: { ...(await lintChange(file, before.text, replaced.text, place)) },
      ...warning,
      resolved_path: file,
    };
  });
}
