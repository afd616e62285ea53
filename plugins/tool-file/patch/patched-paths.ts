import type { Touched } from "../access/guard.ts";
import { modeOf, type PatchInput } from "./patch-input.ts";
import { accessOf, pathsOf } from "../v4a/operation.ts";
import { parsePatch } from "../v4a/parse.ts";

/** Paths that an edit would change. An invalid patch has none; its call fails with the reason. */
export function patchedPaths(input: PatchInput): readonly Touched[] {
  if (modeOf(input) === "replace") return input.path === undefined ? [] : [{ path: input.path, access: "write" }];
  const parsed = parsePatch(input.patch ?? "");
  return parsed.kind === "refused"
    ? []
    : pathsOf(parsed.operations).map((path) => ({ path, access: accessOf(path, parsed.operations) }));
}
