import { plainText } from "hermes-agent/terminal";
import type { PsEntry } from "./ps-list.ts";

const HEADER = ["ID", "KIND", "PID", "PORTS", "AGE", "PLACE", "SESSION", "COMMAND"];
const COMMAND_CHARS = 100;

/** The list as text. */
export function psText(entries: readonly PsEntry[], now = Date.now()): string {
  if (entries.length === 0) return "No processes are running.\n";
  const rows = [HEADER, ...entries.map((entry) => cells(entry, now))];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row.map((cell, column) => (column === HEADER.length - 1 ? cell : cell.padEnd(widths[column]!))).join("  ")}\n`,
    )
    .join("");
}

function cells(entry: PsEntry, now: number): readonly string[] {
  const command = plainText(entry.command).replaceAll(/\s+/g, " ");
  const kind =
    entry.kind === "ended"
      ? `${entry.row?.end?.reason ?? "ended"}${entry.exitCode === null ? "" : ` ${entry.exitCode}`}`
      : entry.kind;
  return [
    entry.id,
    kind,
    String(entry.pid ?? "-"),
    entry.ports.join(",") || "-",
    age(now - entry.startedAt),
    entry.place,
    entry.session ?? "-",
    command.length > COMMAND_CHARS ? `${command.slice(0, COMMAND_CHARS)}…` : command,
  ];
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 100 * 60) return `${Math.floor(seconds / 60)}m`;
  return seconds < 72 * 3_600 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
