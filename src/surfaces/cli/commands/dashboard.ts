import { checkDashboardCommand, runDashboard, type DashboardCommand } from "../../dashboard/run-dashboard.ts";
import type { Call } from "../program/call.ts";

/** `hermes dashboard`. */
export async function dashboard({ io, open }: Call, command: DashboardCommand): Promise<number> {
  checkDashboardCommand(command);
  return runDashboard(await open(), command, io);
}
