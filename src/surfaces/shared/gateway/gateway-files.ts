import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The state of a home's running gateway, for other processes. */
export interface GatewayRecord {
  readonly pid: number;
  readonly startedAt: number;
  readonly state: "starting" | "running" | "degraded" | "draining" | "stopped";
  readonly platforms: { readonly [name: string]: { readonly state: string; readonly problem?: string } };
}

export function readGatewayRecord(home: string): GatewayRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(home, FILE), "utf8")) as GatewayRecord;
  } catch {
    return undefined; // No gateway has run here yet.
  }
}

export function writeGatewayRecord(home: string, record: GatewayRecord): void {
  const file = join(home, FILE);
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  const pid = join(home, "gateway.pid");
  if (record.state === "stopped") rmSync(pid, { force: true });
  else
    writeFileSync(
      pid,
      `${JSON.stringify({ pid: record.pid, kind: "hermes-gateway", start_time: record.startedAt / 1000 })}\n`,
      { mode: 0o600 },
    );
}

const FILE = "gateway_state.json";
