import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "../../contract/common/json.ts";

const MAX_BYTES = 500_000;

/** Content of a file that a call is about to overwrite; `null`: no such file; `undefined`: not to be shown. */
export function textBefore(args: JsonObject | undefined, cwd: string): string | null | undefined {
  const { path, content } = args ?? {};
  if (typeof path !== "string" || typeof content !== "string" || path.startsWith("~")) return undefined;
  try {
    const file = resolve(cwd, path);
    if (statSync(file).size > MAX_BYTES) return undefined;
    const bytes = readFileSync(file);
    return bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}
