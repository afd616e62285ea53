import type { Insights } from "../../../contract/services/insights.ts";
import { dollars } from "../display/dollars.ts";
import { printable } from "../display/printable.ts";
import { table } from "../display/table.ts";

const SHOWN_TOOLS = 15;
const BAR = 30;
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/**
 * Usage statistics as text, for the command line and `/insights`.
 * @param columns Width of the terminal; `Infinity` for a pipe or a chat.
 * @param style Marks headings.
 */
export function insightsText(
  insights: Insights,
  columns = Infinity,
  style: (text: string) => string = (text) => text,
): string {
  const { days, surface, sessions, turns, requests, toolCalls } = insights;
  const period = `the last ${days === 1 ? "day" : `${days} days`}${surface === undefined ? "" : ` on ${surface}`}`;
  if (turns === 0 && requests === 0 && toolCalls === 0) return `No activity in ${period}.\n`;
  const section = (title: string, body: string): string => `\n${style(title)}\n${body}`;
  return [
    `${style(`Usage in ${period}`)}\n`,
    pairs(overview(insights)),
    insights.models.length === 0 ? "" : section("Models", modelTable(insights, columns)),
    sessions === 0 || insights.surfaces.length < 2 ? "" : section("Surfaces", surfaceTable(insights, columns)),
    insights.tools.length === 0 ? "" : section("Tools", toolTable(insights, columns)),
    turns === 0
      ? ""
      : section(
          "Turns by hour",
          bars(insights.hours, (hour) => `${String(hour).padStart(2, "0")}:00`),
        ),
    turns === 0
      ? ""
      : section(
          "Turns by weekday",
          bars(insights.weekdays, (day) => WEEKDAYS[day] ?? ""),
        ),
    insights.largest.length === 0 ? "" : section("Largest sessions", sessionTable(insights, columns)),
  ].join("");
}

function overview(insights: Insights): readonly (readonly [string, string])[] {
  const { sessions, turns, messages, requests, toolCalls, failedCalls, tokens, costUsd, unpriced, activeMs, byDay } =
    insights;
  const cached = tokens.cacheRead === 0 ? "" : ` (${number(tokens.cacheRead)} from the cache)`;
  const without = unpriced === 0 ? "" : ` (${number(unpriced)} requests without a known price)`;
  return [
    ["Sessions", number(sessions)],
    ["Turns", `${number(turns)} on ${byDay.length} ${byDay.length === 1 ? "day" : "days"}`],
    ["Your messages", number(messages)],
    ["Model requests", number(requests)],
    ["Tool calls", `${number(toolCalls)}${failedCalls === 0 ? "" : `, ${number(failedCalls)} failed or refused`}`],
    ["Input tokens", `${number(tokens.input)}${cached}`],
    ["Output tokens", number(tokens.output)],
    ["Cost", costUsd === undefined ? "not known" : `${dollars(costUsd)}${without}`],
    ["Working time", duration(activeMs)],
  ];
}

function modelTable({ models }: Insights, columns: number): string {
  const rows = models.map(({ requests, tokens, costUsd, model }) => [
    number(requests),
    number(tokens.input),
    number(tokens.output),
    costUsd === undefined ? "—" : dollars(costUsd),
    printable(model),
  ]);
  return table(["REQUESTS", "INPUT", "OUTPUT", "COST", "MODEL"], rows, columns);
}

function surfaceTable({ surfaces }: Insights, columns: number): string {
  const rows = surfaces.map(({ surface, sessions, turns }) => [number(sessions), number(turns), printable(surface)]);
  return table(["SESSIONS", "TURNS", "SURFACE"], rows, columns);
}

function toolTable({ tools }: Insights, columns: number): string {
  const rows = tools
    .slice(0, SHOWN_TOOLS)
    .map(({ tool, calls, failed, totalMs }) => [
      number(calls),
      number(failed),
      duration(calls === 0 ? 0 : totalMs / calls),
      printable(tool),
    ]);
  const more = tools.length - SHOWN_TOOLS;
  return `${table(["CALLS", "FAILED", "MEAN TIME", "TOOL"], rows, columns)}${more > 0 ? `${more} more tools were called.\n` : ""}`;
}

function sessionTable({ largest }: Insights, columns: number): string {
  const rows = largest.map(({ id, turns, toolCalls, tokens, costUsd, title }) => [
    id,
    number(turns),
    number(toolCalls),
    number(tokens),
    costUsd === undefined ? "—" : dollars(costUsd),
    printable(title ?? ""),
  ]);
  return table(["ID", "TURNS", "CALLS", "TOKENS", "COST", "TITLE"], rows, columns);
}

/** Leaves out empty hours before the first and after the last busy one. */
function bars(values: readonly number[], label: (index: number) => string): string {
  const most = Math.max(...values, 1);
  const [first, last] = [values.findIndex((value) => value > 0), values.findLastIndex((value) => value > 0)];
  const width = Math.max(...values.map((_, index) => label(index).length));
  return values
    .map((value, index) =>
      index < first || index > last
        ? ""
        : `${label(index).padEnd(width)}  ${"█".repeat(value === 0 ? 0 : Math.max(1, Math.round((value / most) * BAR)))}${value === 0 ? "·" : ` ${value}`}\n`,
    )
    .join("");
}

function pairs(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
