import type { Touched } from "../access/guard.ts";
import { modeOf, type PatchInput } from "./patch-input.ts";
import { accessOf, pathsOf } from "../v4a/operation.ts";
import { parsePatch } from "../v4a/parse.ts";

/** What an edit would touch, by the paths it names. A patch that cannot be read touches nothing: running it says so. */
export function patchedPaths(input: PatchInput): readonly Touched[] {
  if (modeOf(input) === "replace") return input.path === undefined ? [] : [{ path: input.path, access: "write" }];
  const parsed = parsePatch(input.patch ?? "");
  return parsed.kind === "refused"
    ? []
    : pathsOf(parsed.operations).map((path) => ({ path, access: accessOf(path, parsed.operations) }));
}
