import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Why a test that starts these programs must skip, for its option `skip`: the first that is not on PATH, else false.
 * An absolute path is checked without PATH.
 */
export function lacksProgram(...names: readonly string[]): string | false {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const missing = names.find(
    (name) => !existsSync(name) && !folders.some((folder) => folder !== "" && existsSync(join(folder, name))),
  );
  return missing !== undefined && `needs the program ${missing}, which this machine lacks`;
}
