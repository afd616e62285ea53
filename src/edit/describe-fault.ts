import { readGutter, stripGutter } from "./gutter.ts";
import type { EditFault } from "./locate.ts";
import { describeNearest } from "./nearest.ts";

const READ_FIRST = "Read the file or search for the text, then copy it exactly.";

/** What a refused edit tells the model: why, and how to do it. */
export function describeFault(
  fault: EditFault,
  text: string,
  old: string,
  name: string,
): { readonly message: string; readonly hint: string } {
  switch (fault.kind) {
    case "missing": {
      const near = describeNearest(text, readGutter(old).on === "all" ? stripGutter(old) : old);
      return { message: `old_string was not found in ${name}.${near === "" ? "" : ` ${near}`}`, hint: READ_FIRST };
    }
    case "drift":
      return {
        message: `old_string and new_string contain ${fault.escape} where the file has ${ESCAPED[fault.escape] ?? "a plain quote"}; nothing was changed.`,
        hint: `Write ${ESCAPED[fault.escape] ?? "the quote without a backslash"} instead of ${fault.escape}.`,
      };
    case "gutter":
      return {
        message: `The line numbers that a read puts before each line ("12|") are not part of ${name}; nothing was changed.`,
        hint: "Remove the number and the bar from every line of old_string and new_string.",
      };
  }
}

const ESCAPED: Readonly<Record<string, string>> = { "\\n": "a line break" };
