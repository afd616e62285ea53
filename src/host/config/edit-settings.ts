import { readFileSync } from "node:fs";
import { UserError } from "../../contract/common/failure.ts";
import { checkSettings } from "./check-settings.ts";
import { withFileLock } from "./file-lock.ts";
import type { Home } from "../environment/home.ts";
import { decodeStored, encodeStored, NEW_TEXT, type StoredText } from "../environment/stored-text.ts";
import type { Setting } from "./setting.ts";
import type { SettingsEdit } from "./settings-edit.ts";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Changes `config.yaml` and nothing else in it: comments, order and blank lines stay. The file is replaced as a whole
 * or not at all, and not when the result would have a mistake that was not there before.
 * @returns Whether anything changed.
 */
export async function editSettings(
  file: string,
  edits: readonly SettingsEdit[],
  options: { readonly home: Home; readonly schema: Setting },
): Promise<boolean> {
  const { SettingsDocument } = await import("./settings-document.ts");
  options.home.folder();
  return withFileLock(file, () => {
    const { text: before, encoding } = readText(file);
    const document = new SettingsDocument(file, before, options.schema);
    if (edits.every(({ kind, path }) => kind === "unset" && !document.has(path))) return false;
    const old = new Set(checkSettings(document.values, options.schema).problems.map(({ text }) => text));
    document.apply(edits);
    const fresh = checkSettings(document.values, options.schema).problems.find(({ text }) => !old.has(text));
    if (fresh !== undefined)
      throw new UserError(`${fresh.text} Nothing was changed.`, { hint: fresh.hint, exitCode: 78 });
    const text = document.text();
    if (text === before) return false;
    writeAtomically(file, encodeStored(text, encoding, file));
    return true;
  });
}

function readText(file: string): StoredText {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NEW_TEXT;
    throw error;
  }
  return decodeStored(bytes, file);
}
