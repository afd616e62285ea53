import type { Risk, RiskContext } from "hermes-agent/plugin";
import type { Guard } from "./guard.ts";
import { modeOf, type PatchInput } from "./patch.ts";
import { accessOf, pathsOf } from "./v4a/operation.ts";
import { parsePatch } from "./v4a/parse.ts";

/** What an edit would touch, by the paths it names. A patch that cannot be read touches nothing: running it says so. */
export function patchRisk(input: PatchInput, call: RiskContext, guard: Guard): Risk | undefined {
  if (modeOf(input) === "replace") return input.path === undefined ? undefined : guard.risk([{ path: input.path, access: "write" }], call);
  const parsed = parsePatch(input.patch ?? "");
  if (parsed.kind === "refused") return undefined;
  return guard.risk(pathsOf(parsed.operations).map((path) => ({ path, access: accessOf(path, parsed.operations) })), call);
}
