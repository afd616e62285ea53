import { posix } from "node:path";
import type { Risk } from "../../contract/tools/approval.ts";
import { HARMS, type HarmId } from "./risk/harms.ts";
import { within } from "../paths/path-zones.ts";

/** Risks that a model may approve: the loss can be restored, and nothing leaves the session's folder. */
const IN_FOLDER: readonly HarmId[] = ["recursive-delete", "find-delete", "find-rm", "xargs-rm", "world-writable"];
const ANYWHERE: readonly HarmId[] = ["force-kill", "container-stop", "compose-stop"];

/**
 * Whether a model may decide about a risk: one class of the lists above, and every path strictly below the session's
 * folder. The user decides about everything else (secrets, history, services, databases, downloaded or computed code,
 * anything unreadable).
 */
export function modelMayDecide(risk: Risk, cwd: string): boolean {
  if (risk.answer === "block" || risk.fresh !== undefined || risk.commands === undefined) return false;
  if (ANYWHERE.some((harm) => HARMS[harm].description === risk.key)) return true;
  const harm = IN_FOLDER.find((each) => HARMS[each].description === risk.key);
  if (harm === undefined || risk.rule === undefined) return false;
  const path = risk.rule.slice(`${HARMS[harm].description} in `.length);
  const inside = risk.rule.startsWith(`${HARMS[harm].description} in /`)
    ? within(posix.normalize(path), cwd)
    : undefined;
  return inside !== undefined && inside !== "" && inside.split("/")[0] !== ".git";
}
