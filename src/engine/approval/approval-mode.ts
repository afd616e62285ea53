import type { Risk } from "../../contract/tools/approval.ts";
import type { Decision } from "../../contract/tools/approval.ts";
import type { Json } from "../../contract/common/json.ts";

/** Who decides where a rule and a grant do not: a person; a model and then a person; nobody, and it runs; nobody, and it does not. */
export type ApprovalMode = "manual" | "smart" | "off" | "deny" | "approve";

export interface ModeInForce {
  readonly mode: ApprovalMode;
  /** The setting that says so, as a person finds it. */
  readonly by: string;
}

const MODES: readonly Json[] = ["manual", "smart", "off", "deny"];
const DEFAULT_TIMEOUT_S = 60;

/**
 * What is in force on this surface: `--yolo`, then its own line in `approvals.platforms`, then `approvals.cron_mode` for scheduled runs,
 * then `approvals.mode`. What cannot be read as a mode asks a person; nothing is waved through for it.
 */
export function modeOf(config: (path: string) => Json | undefined, surface: string, yolo: boolean): ModeInForce {
  if (yolo) return { mode: "off", by: "yolo" };
  const platforms = config("approvals.platforms");
  const own =
    typeof platforms === "object" &&
    platforms !== null &&
    !Array.isArray(platforms) &&
    Object.hasOwn(platforms, surface)
      ? (platforms as { readonly [name: string]: Json })[surface]
      : undefined;
  if (own !== undefined) return { mode: modeFrom(own), by: `approvals.platforms.${surface}: ${String(own)}` };
  if (surface === SCHEDULED)
    return config("approvals.cron_mode") === "approve"
      ? { mode: "approve", by: "approvals.cron_mode: approve" }
      : { mode: "deny", by: "approvals.cron_mode: deny" };
  const mode = config("approvals.mode");
  return { mode: modeFrom(mode ?? "manual"), by: `approvals.mode: ${String(mode ?? "manual")}` };
}

/** The surface of scheduled runs; the original's settings have a line of their own for it. */
const SCHEDULED = "cron";

function modeFrom(value: Json): ApprovalMode {
  return MODES.includes(value) ? (value as ApprovalMode) : "manual";
}

/** What the mode alone decides. `undefined`: rules, grants and approvers are asked. */
export function decidedByMode({ mode, by }: ModeInForce, risk: Risk): Decision | undefined {
  if (mode === "off" || (mode === "approve" && risk.fresh !== true)) return { kind: "allow", scope: "once", by };
  return undefined;
}

export function timeoutOf(config: (path: string) => Json | undefined): number {
  const seconds = config("approvals.timeout");
  return (typeof seconds === "number" && seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1000;
}
