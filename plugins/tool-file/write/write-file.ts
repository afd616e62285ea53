import { ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { extensionOf } from "../read/binary-extension.ts";
import type { Guard } from "../access/guard.ts";
import { DATA_FORMATS, lint, lintChange } from "./lint.ts";
import type { PathLock } from "./path-lock.ts";
import { openEnvironment, type Place } from "../access/task-files.ts";
import { lookBefore, parentOf, saveText, staleWarning } from "./save.ts";
import type { FileMemory } from "../access/task-memory.ts";
import { bringsCutLines, CUT_LINES } from "../read/cut-mark.ts";
import { UNCHANGED } from "../read/unchanged.ts";

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

/** Creates a file or replaces its content. */
export async function writeFile(
  input: WriteInput,
  call: ToolContext,
  memory: FileMemory,
  guard: Guard,
  locks: PathLock,
): Promise<JsonObject> {
  judgeInput(input);
  memory.otherTool(call.taskId);
  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const file = await guard.resolve(input.path, "write", place, call).catch((error: unknown) => {
    throw error instanceof ToolFailure
      ? refused(error.code, error.message, place.absolute(input.path), error.hint, error)
      : error;
  });
  return locks
    .hold([`${place.id} ${file}`], () => write(input, file, place, call, memory))
    .catch((error: unknown) => {
      throw error instanceof ToolFailure && error.data === undefined
        ? refused(error.code, error.message, file, error.hint, error)
        : error;
    });
}

async function write(
  input: WriteInput,
  file: string,
  place: Place,
  call: ToolContext,
  memory: FileMemory,
): Promise<JsonObject> {
  const before = await lookBefore(file, place);
  if (before === undefined)
    throw refused("bad_arguments", `${input.path} is not a regular file, so it cannot be written.`, file);
  const parent = before.stamp === undefined ? await parentOf(file, place) : "there";
  if (typeof parent === "object")
    throw refused("bad_arguments", `Cannot create ${input.path}: ${parent.inTheWay} is not a folder.`, file);
  const lookedLike = looksNumbered(input.content) && !(before.text !== undefined && looksNumbered(before.text));
  if (lookedLike)
    throw refused(
      "bad_arguments",
      "The content has read_file's line numbers, which are not part of the file.",
      file,
      "Remove the number and the bar at the start of each line.",
    );
  if (bringsCutLines(before.text, input.content))
    throw refused("bad_arguments", CUT_LINES.message, file, CUT_LINES.hint);
  if (before.bytes !== undefined && input.content.includes("\ufffd") && before.text?.includes("\ufffd") !== true)
    throw refused(
      "bad_arguments",
      "The content has U+FFFD, which a read shows for bytes that are not text; nothing was written.",
      file,
      "Change a part of the file with patch, which keeps its other bytes.",
    );
  const text = before.form.crlf ? input.content.replaceAll("\r\n", "\n") : input.content;
  const extension = extensionOf(file);
  const data = DATA_FORMATS.has(extension) ? await lint(file, text, place) : undefined;
  if (data?.status === "error")
    throw refused(
      "bad_arguments",
      `Nothing was written: the content is not valid ${extension.slice(1)}: ${data.output}`,
      file,
      "Correct the content and call again.",
    );
  const warning = staleWarning(before, place, call, memory, { whole: true, path: input.path });
  // A complete rewrite uses the line ends of the new text, even if they were mixed before.
  const { mixed: _, ...form } = before.form;
  const bytes = await saveText({ ...before, form }, text, place, call, memory);
  return {
    bytes_written: bytes,
    dirs_created: parent === "missing",
    lint: { ...(data ?? (await lintChange(file, before.text, text, place))) },
    ...warning,
    resolved_path: file,
    files_modified: [file],
  };
}

/** Models may drop arguments of long calls; a dropped one must never become an empty file. */
function judgeInput(input: Partial<Record<keyof WriteInput, unknown>>): void {
  if (typeof input.path !== "string" || input.path.trim() === "")
    throw new ToolFailure("bad_arguments", "path is missing.", {
      hint: "Pass path and content in the same call.",
    });
  if (input.content === undefined) {
    throw new ToolFailure(
      "bad_arguments",
      "content is missing; nothing was written. Long calls often lose their last argument.",
      {
        hint: "Repeat the call with the whole content, or write the file in parts.",
      },
    );
  }
  if (typeof input.content !== "string")
    throw new ToolFailure(
      "bad_arguments",
      `content must be a string, not ${Array.isArray(input.content) ? "a list" : typeof input.content}.`,
    );
  if (input.content.trim() === UNCHANGED)
    throw new ToolFailure(
      "bad_arguments",
      "The content is read_file's note that the file is unchanged, not the file's text.",
    );
}

/** Whether every line is `N|…` with consecutive numbers, like a page of read_file. */
function looksNumbered(content: string): boolean {
  const lines = content.replace(/\n+$/, "").split("\n");
  if (lines.length < 2) return false;
  const first = /^(\d+)\|/.exec(lines[0]!);
  if (first === null) return false;
  const from = Number(first[1]);
  return lines.every((line, index) => line.startsWith(`${from + index}|`));
}

function refused(
  code: ToolFailure["code"],
  message: string,
  file: string,
  hint?: string,
  cause?: unknown,
): ToolFailure {
  return new ToolFailure(code, message, {
    hint,
    cause,
    data: { bytes_written: 0, dirs_created: false, resolved_path: file },
  });
}
