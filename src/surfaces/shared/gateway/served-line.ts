import type { PlatformPlan } from "./platform-plans.ts";

export type LineState = "connecting" | "connected" | "retrying" | "stopped";

/** A platform that the gateway serves, for display and for other processes. */
export interface ServedLine {
  readonly plan: Pick<PlatformPlan, "name" | "label" | "emoji">;
  readonly state: LineState;
  /** Why it is not connected. */
  readonly problem: string | undefined;
  /** The address for programs. */
  readonly url?: string | undefined;
}

/** `Serving 2 platforms. Stop with Ctrl-C.`, and a line for each. */
export function servingText(lines: readonly ServedLine[]): string {
  return [
    `Serving ${lines.length} ${lines.length === 1 ? "platform" : "platforms"}. Stop with Ctrl-C.`,
    ...lines.map(lineText),
  ].join("\n");
}

function lineText({ plan, state, problem, url }: ServedLine): string {
  const how = state === "connected" ? (url ?? "connected") : `${state} (${problem ?? "no reason given"})`;
  return `${plan.emoji === "" ? "" : `${plan.emoji} `}${plan.label}: ${how}`;
}
