import type { DashboardCommand } from "../../shared/process/surface-command.ts";
import type { Call } from "../program/call.ts";

/** `hermes dashboard`. */
export async function dashboard({ io, open, surfaces }: Call, command: DashboardCommand): Promise<number> {
  const { checkDashboardCommand, runDashboard } = await surfaces.dashboard();
  checkDashboardCommand(command);
  return runDashboard(await open(), command, io);
}
