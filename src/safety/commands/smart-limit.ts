import { posix } from "node:path";
import type { Risk } from "../../contract/tools/approval.ts";
import { HARMS, type HarmId } from "./risk/harms.ts";
import { within } from "../paths/path-zones.ts";

/** What a model may wave through: what is lost can be made again, and nothing leaves the session's folder. */
const IN_FOLDER: readonly HarmId[] = ["recursive-delete", "find-delete", "find-rm", "xargs-rm", "world-writable"];
const ANYWHERE: readonly HarmId[] = ["force-kill", "container-stop", "compose-stop"];

/**
 * Whether a risk is below what a model may decide: one class of the lists above, and every place it touches strictly below the session's
 * folder. Everything else (secrets, history, services, databases, code that is fetched or computed, whatever could not be read) is a person's.
 */
export function modelMayDecide(risk: Risk, cwd: string): boolean {
  if (risk.answer === "block" || risk.fresh === true || risk.commands === undefined) return false;
  if (ANYWHERE.some((harm) => HARMS[harm].description === risk.key)) return true;
  const harm = IN_FOLDER.find((each) => HARMS[each].description === risk.key);
  if (harm === undefined || risk.rule === undefined) return false;
  const path = risk.rule.slice(`${HARMS[harm].description} in `.length);
  const inside = risk.rule.startsWith(`${HARMS[harm].description} in /`)
    ? within(posix.normalize(path), cwd)
    : undefined;
  return inside !== undefined && inside !== "" && inside.split("/")[0] !== ".git";
}
