import type { Risk } from "../../contract/tools/approval.ts";
import type { Decision } from "../../contract/tools/approval.ts";
import type { Json } from "../../contract/common/json.ts";
import { isScheduled } from "../../contract/conversation/surfaces.ts";

/**
 * The decision if no rule or grant applies: the user decides; a model and then the user; no one, and the call runs; no
 * one, and it is denied.
 */
export type ApprovalMode = "manual" | "smart" | "off" | "deny" | "approve";

export interface ModeInForce {
  readonly mode: ApprovalMode;
  /** The setting's path, for messages to the user. */
  readonly by: string;
}

const MODES: readonly Json[] = ["manual", "smart", "off", "deny"];
const DEFAULT_TIMEOUT_S = 60;
const TERMINAL_TIMEOUT_S = 1_800;

/**
 * The mode of this surface: `--yolo`, then its own entry in `approvals.platforms`, then `approvals.cron_mode` for
 * scheduled runs, then `approvals.mode`. An invalid mode asks the user; it never approves.
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
  if (isScheduled(surface))
    return config("approvals.cron_mode") === "approve"
      ? { mode: "approve", by: "approvals.cron_mode: approve" }
      : { mode: "deny", by: "approvals.cron_mode: deny" };
  const mode = config("approvals.mode");
  return { mode: modeFrom(mode ?? "manual"), by: `approvals.mode: ${String(mode ?? "manual")}` };
}

function modeFrom(value: Json): ApprovalMode {
  return MODES.includes(value) ? (value as ApprovalMode) : "manual";
}

/** The mode's decision alone. `undefined`: ask rules, grants and approvers. */
export function decidedByMode({ mode, by }: ModeInForce, risk: Risk): Decision | undefined {
  if (mode === "off" || (mode === "approve" && risk.fresh === undefined)) return { kind: "allow", scope: "once", by };
  return undefined;
}

/** How long the user has to decide. At a terminal, which calls the user and shows the time left, that is longer. */
export function timeoutOf(config: (path: string) => Json | undefined, atTerminal = false): number {
  const seconds = config(atTerminal ? "approvals.terminal_timeout" : "approvals.timeout");
  const usual = atTerminal ? TERMINAL_TIMEOUT_S : DEFAULT_TIMEOUT_S;
  return (typeof seconds === "number" && seconds > 0 ? seconds : usual) * 1000;
}
