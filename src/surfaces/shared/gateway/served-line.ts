import type { PlatformPlan } from "./platform-plans.ts";

export type LineState = "connecting" | "connected" | "retrying" | "stopped";

/** What a gateway serves, as it is told to people and kept for other processes. */
export interface ServedLine {
  readonly plan: Pick<PlatformPlan, "name" | "label" | "emoji">;
  readonly state: LineState;
  /** Why it is not connected. */
  readonly problem: string | undefined;
  /** Where programs reach it. */
  readonly url?: string | undefined;
}

/** `Serving 2 platforms; Ctrl-C ends.`, and a line for each. */
export function servingText(lines: readonly ServedLine[]): string {
  return [
    `Serving ${lines.length} ${lines.length === 1 ? "platform" : "platforms"}; Ctrl-C ends.`,
    ...lines.map(lineText),
  ].join("\n");
}

function lineText({ plan, state, problem, url }: ServedLine): string {
  const how = state === "connected" ? (url ?? "connected") : `${state} (${problem ?? "no reason given"})`;
  return `${plan.emoji === "" ? "" : `${plan.emoji} `}${plan.label}: ${how}`;
}
