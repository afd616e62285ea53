import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UserError, type SkillVerdict } from "hermes-agent/plugin";
import type { Service } from "../command/command-services.ts";
import { auditByModel } from "./audit-by-model.ts";
import type { LockEntry } from "./hub-state.ts";

/** Scans a skill and, if enabled, lets a model audit it. @throws {UserError} for a link: its target was not scanned. */
export async function judgeFetched(
  folder: string,
  service: Pick<Service, "shelf" | "web" | "llm" | "signal">,
  objections: readonly string[] = [],
): Promise<SkillVerdict> {
  const link = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) =>
    lstatSync(join(entry.parentPath, entry.name)).isSymbolicLink(),
  );
  if (link !== undefined)
    throw new UserError(
      `The skill was not downloaded: ${join(link.parentPath, link.name).slice(folder.length + 1)} is a link.`,
    );
  const verdict = await judgeSkill(folder, service);
  return objections.length === 0 ? verdict : { ...verdict, minor: [...verdict.minor, ...objections] };
}

/** The stricter of what the scan and the model say. */
export async function judgeSkill(
  folder: string,
  service: Pick<Service, "shelf" | "web" | "llm" | "signal">,
): Promise<SkillVerdict> {
  const scan = await service.shelf.judge(folder);
  if (service.web.settings["llm_audit"] !== true) return scan;
  const audit = await auditByModel(folder, service);
  return {
    verdict: GRAVE.indexOf(audit.verdict) > GRAVE.indexOf(scan.verdict) ? audit.verdict : scan.verdict,
    reasons: [...scan.reasons, ...audit.reasons],
    minor: scan.minor,
  };
}

const GRAVE: readonly SkillVerdict["verdict"][] = ["safe", "caution", "dangerous"];

/** Anything found in a skill of anybody stops it; in one of a trusted source, what is dangerous. */
export function allowed(trust: LockEntry["trust_level"], { verdict, reasons, minor }: SkillVerdict): boolean {
  return trust === "trusted" ? verdict !== "dangerous" : reasons.length + minor.length === 0;
}
