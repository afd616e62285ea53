import type { App } from "../../../contract/services/app.ts";
import { COST_GROUPS, type CostGroup, type CostSum } from "../../../contract/services/cost-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { printable } from "../display/printable.ts";
import { table } from "../display/table.ts";
import { costText, shortCost } from "./session-cost.ts";

const BAR = 24;
const DAY_MS = 86_400_000;
/** How a row is called that belongs to none. */
const NONE: { readonly [G in CostGroup]: string } = {
  day: "",
  model: "",
  session: "(no session)",
  tool: "(no tool)",
  job: "(no job)",
  user: "owner",
  kind: "",
};

export type NamedCost = CostSum & { readonly name: string };

/** @throws {UserError} */
export function groupNamed(text: string): CostGroup {
  const group = COST_GROUPS.find((one) => one === text.trim().toLowerCase());
  if (group !== undefined) return group;
  throw new UserError(`Costs cannot be grouped by "${text}".`, {
    hint: `Groups: ${COST_GROUPS.join(", ")}.`,
    exitCode: 2,
  });
}

/**
 * `7d` (today and the six days before), `today`, `month` (since its first day), or a date `2026-11-29`, as epoch ms.
 * @throws {UserError}
 */
export function sinceOf(text: string, now = new Date()): number {
  const word = text.trim().toLowerCase();
  const days = /^(\d{1,5})d$/.exec(word);
  const date = /^\d{4}-\d\d-\d\d$/.test(word) ? new Date(`${word}T00:00`).getTime() : Number.NaN;
  if (word === "today" || word === "day") return daysBefore(now, 0);
  if (word === "month") return new Date(now.getFullYear(), now.getMonth(), 1).getTime();
  if (days !== null && Number(days[1]) > 0) return daysBefore(now, Number(days[1]) - 1);
  if (!Number.isNaN(date)) return date;
  throw new UserError(`"${text}" is no day to count from.`, {
    hint: "Use a number of days (7d), a date (2026-11-29), today or month.",
    exitCode: 2,
  });
}

function daysBefore(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}

export function sumOf(costs: readonly CostSum[]): CostSum {
  return costs.reduce(
    (sum, one) => ({
      costUsd: sum.costUsd + one.costUsd,
      requests: sum.requests + one.requests,
      unknown: sum.unknown + one.unknown,
      open: sum.open + one.open,
      inputTokens: sum.inputTokens + one.inputTokens,
      cachedTokens: sum.cachedTokens + one.cachedTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
    }),
    EMPTY,
  );
}

const EMPTY: CostSum = {
  costUsd: 0,
  requests: 0,
  unknown: 0,
  open: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
};

/** Rows with a bar each, and their sum. @param columns Width of the terminal; `Infinity` for a pipe or a chat. */
export function costsText(
  group: CostGroup,
  costs: readonly NamedCost[],
  columns = Infinity,
  dim: (text: string) => string = (text) => text,
): string {
  if (costs.length === 0) return "No requests to models or paid services in this time.\n";
  const most = Math.max(...costs.map(({ costUsd }) => costUsd));
  const rows = costs.map((cost) => [
    printable(cost.name === "" ? NONE[group] : cost.name),
    shortCost(cost) || "—",
    count(cost.requests),
    count(cost.inputTokens),
    count(cost.outputTokens),
    most === 0 ? "" : "█".repeat(cost.costUsd === 0 ? 0 : Math.max(1, Math.round((cost.costUsd / most) * BAR))),
  ]);
  const sum = sumOf(costs);
  const cached = sum.inputTokens === 0 ? 0 : Math.round((100 * sum.cachedTokens) / sum.inputTokens);
  const running = sum.open === 0 ? "" : ` · ${sum.open} running`;
  return `${table([group.toUpperCase(), "COST", "REQUESTS", "IN", "OUT", ""], rows, columns, dim)}\nTotal: ${costText(sum) || "nothing charged"} · ${requestsText(sum)} · ${count(sum.inputTokens)} tokens in (${cached} % from cache), ${count(sum.outputTokens)} out${running}\n`;
}

export function requestsText({ requests }: Pick<CostSum, "requests">): string {
  return `${count(requests)} ${requests === 1 ? "request" : "requests"}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** `/cost`: what this conversation cost by kind of request, and the last days. In a user's chat only that user's. */
export async function costSummary(
  { costs }: Pick<App, "costs">,
  { session, whose, now = new Date() }: { readonly session: CostSum; readonly whose?: string; readonly now?: Date },
  kinds: readonly NamedCost[],
): Promise<string> {
  const of = async (since: number): Promise<string> => {
    const sum = sumOf(await costs.by("kind", { since, whose }));
    return `${costText(sum) || "nothing charged"} · ${requestsText(sum)}`;
  };
  const width = Math.max(0, ...kinds.map(({ name }) => name.length));
  return [
    `This conversation: ${costText(session) || "nothing charged"} · ${requestsText(session)}`,
    ...kinds.map((kind) => `  ${kind.name.padEnd(width)}  ${costText(kind) || "—"} · ${requestsText(kind)}`),
    `Today: ${await of(daysBefore(now, 0))}`,
    `Last 30 days: ${await of(now.getTime() - 30 * DAY_MS)}`,
  ].join("\n");
}
