import type { App } from "../../../contract/services/app.ts";
import { asTyped } from "../process/called-as.ts";
import { apiPlan } from "./api-plan.ts";
import { readGatewayRecord, type GatewayRecord } from "./gateway-files.ts";
import { unlistedPlatforms } from "./known-platforms.ts";
import { platformPlans, type PlanShown } from "./platform-plans.ts";
import { unusableProviders, type Unusable } from "./unusable.ts";

export interface GatewayStatus {
  readonly running: boolean;
  readonly pid?: number;
  readonly state?: GatewayRecord["state"];
  readonly platforms: readonly PlatformStatus[];
  /** Other parts that a chat needs and that are configured, but not usable. */
  readonly unusable: readonly Unusable[];
  /** The mistakes of config.yaml, and the settings in force meanwhile. */
  readonly config?: string;
}

export interface PlatformStatus {
  readonly name: string;
  readonly label: string;
  readonly plugin: string;
  readonly emoji: string;
  readonly configured: boolean;
  /** `ready`, `lacking`, `off` or `new`; for a running gateway `connected`, `connecting`, `retrying`. */
  readonly state: string;
  readonly lacks: readonly string[];
  readonly missing: readonly string[];
  /** A sentence with the command that helps. */
  readonly help?: string;
  readonly home_channel?: string;
}

/**
 * The state of the gateway, of every platform and of the API server, with what each lacks. Creates no adapters.
 * @param options.startsProviders Starts the memory provider to see whether it works.
 */
export async function gatewayStatus(
  app: App,
  options: { readonly startsProviders: boolean } = { startsProviders: true },
): Promise<GatewayStatus> {
  const service = await app.gateway();
  const plans = await platformPlans(app, service);
  const last = readGatewayRecord(app.home);
  // If no gateway has run yet, do not create its lock file.
  const seat = last === undefined || last.state === "stopped" ? "free" : await service.takeSeat();
  if (typeof seat === "object") seat[Symbol.dispose]();
  const running = seat === undefined;
  const listed = new Set(plans.map(({ name }) => name));
  const record = running ? last : undefined;
  return {
    running,
    pid: record?.pid,
    state: record?.state,
    platforms: [
      ...[...plans, apiPlan(app, service)].map((plan) => statusOf(plan, record)),
      ...unlistedPlatforms(listed).map(absentStatus),
    ],
    unusable: await unusableProviders(app, options.startsProviders ? "start" : "look"),
    config: app.config.check().inForce?.text,
  };
}

function statusOf(
  { name, label, plugin, emoji, state, lacks, missing, help, homeChannel }: PlanShown,
  record: GatewayRecord | undefined,
): PlatformStatus {
  const live = record?.platforms[name];
  const problem = live?.problem === undefined ? [] : [live.problem];
  return {
    name,
    label,
    plugin,
    emoji,
    configured: state !== "new",
    state: live?.state ?? state,
    lacks: [...lacks, ...problem],
    missing,
    help,
    home_channel: homeChannel,
  };
}

function absentStatus({ name, label, lack }: ReturnType<typeof unlistedPlatforms>[number]): PlatformStatus {
  return { name, label, plugin: "", emoji: "", configured: false, state: "new", lacks: [lack], missing: [] };
}

export function statusText({ running, pid, state, platforms, unusable, config }: GatewayStatus): string {
  const first = running
    ? `The gateway is running${pid === undefined ? "" : ` (process ${pid}, ${state})`}.`
    : "The gateway is not running.";
  const lines = platforms.map(
    (one) =>
      `${MARKS[one.state] ?? "…"} ${one.emoji === "" ? "" : `${one.emoji} `}${one.label} (${one.name}): ${WORDS[one.state] ?? one.state}${one.lacks.length === 0 ? "" : ` — ${one.lacks.join("; ")}`}${one.help === undefined ? "" : `. ${asTyped(one.help)}`}`,
  );
  for (const { what, lack, hint } of unusable) lines.push(`✗ ${what}: not usable — ${lack}. ${asTyped(hint)}`);
  return [first, ...lines, ...(config === undefined ? [] : [`⚠ ${config}`])].join("\n");
}

const MARKS: { readonly [state: string]: string } = { ready: "✓", connected: "✓", lacking: "✗", off: "○", new: "○" };
const WORDS: { readonly [state: string]: string } = {
  lacking: "partly set up",
  off: "switched off",
  new: "not set up",
};
