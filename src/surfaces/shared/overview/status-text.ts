import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import { twoColumns, type Row } from "../display/two-columns.ts";
import { printable } from "../display/printable.ts";
import type { PartStatus, StatusReport } from "./status-report.ts";

const STATES: { readonly [state: string]: string } = { lacking: "partly set up", off: "switched off" };

/**
 * A report as text, with a mark for each part and a hint below each problem.
 * @param columns Width of the terminal; `Infinity` for a pipe or a chat.
 * @param timeZone IANA name; "" is this machine's zone.
 */
export function statusText(report: StatusReport, columns = Infinity, timeZone = ""): string {
  const when = (at: number | string): string =>
    formatWallTime(wallTime(typeof at === "string" ? Date.parse(at) : at, timeZone), "%F %R");
  const { model, gateway, platforms, mcp, jobs, sessions } = report;
  const rows: readonly Row[] = [
    { head: "  Hermes", text: report.version },
    { head: "  Home", text: `${report.home} (profile ${report.profile})` },
    part("Settings", report.config),
    part("Model", model),
    ...(model.key === null ? [] : [{ head: "  Key", text: `${model.key.origin} (${model.key.shown})` }]),
    part("Memory", report.memory),
    part("Terminal", report.terminal),
    {
      head: `${gateway.running ? "✓" : "○"} Gateway`,
      text: gateway.running
        ? `running${gateway.pid === null ? "" : ` (process ${gateway.pid}, ${gateway.state ?? "running"})`}`
        : "not running; start it with `hermes gateway`",
    },
    ...platforms.map(({ name, label, state, lacks, help, home_channel }) =>
      part(label, {
        ok: lacks.length === 0,
        detail: [
          STATES[state] ?? state,
          ...lacks,
          ...(home_channel === undefined ? [] : [`home channel ${home_channel}`]),
        ].join("; "),
        hint:
          lacks.length === 0
            ? undefined
            : (help ?? `\`hermes setup gateway\` asks for the missing settings of ${name}.`),
      }),
    ),
    ...report.unusable
      .filter(({ what }) => !what.startsWith("memory provider "))
      .map(({ what, lack, hint }) => part(what, { ok: false, detail: lack, hint })),
    ...(mcp.length === 0
      ? []
      : [
          {
            head: "  MCP servers",
            text: `${mcp.map(({ name, enabled }) => (enabled ? name : `${name} (off)`)).join(", ")}; \`hermes mcp test NAME\` connects to one`,
          },
        ]),
    {
      head: jobs.active > 0 && jobs.runner === null ? "✗ Jobs" : "  Jobs",
      text:
        jobs.total === 0
          ? "none"
          : `${jobs.active} active of ${jobs.total}${jobs.next_run_at === null ? "" : `; next ${when(jobs.next_run_at)}`}${jobs.active > 0 && jobs.runner === null ? "; no scheduler is running: `hermes gateway` or `hermes cron serve`" : ""}`,
    },
    {
      head: "  Sessions",
      text: `${sessions.total}${sessions.last === null ? "" : `; last ${when(sessions.last.at)} ${sessions.last.id}${sessions.last.title === null ? "" : ` “${sessions.last.title}”`}`}`,
    },
    {
      head: "  Last error",
      text:
        report.last_error === null ? "none" : `${when(report.last_error.at)} ${firstLine(report.last_error.message)}`,
    },
  ];
  return `${twoColumns([rows.map(({ head, text }) => ({ head, text: printable(text) }))], columns)}\n`;
}

function part(name: string, { ok, detail, hint }: PartStatus): Row {
  return {
    head: `${ok ? "✓" : "✗"} ${name}`,
    text: ok || hint === undefined ? detail : `${detail.replace(/\.$/, "")}. ${hint}`,
  };
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
