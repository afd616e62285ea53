import type { App } from "../../../contract/services/app.ts";
import type { Io } from "../../shared/process/io.ts";
import type { BatchFlags, DashboardCommand, SurfaceCall } from "../../shared/process/surface-command.ts";

/** The surfaces that a command starts, each loaded when its command runs. `src/surfaces/run.ts` passes them in. */
export interface Surfaces {
  acp(): Promise<{ runAcp(app: App, io: Io): Promise<number> }>;
  batch(): Promise<{
    runBatchFile(call: SurfaceCall, file: string, flags: BatchFlags): Promise<number>;
    listDistributions(call: SurfaceCall, options: { readonly json?: boolean }): Promise<void>;
  }>;
  dashboard(): Promise<{
    /** @throws {UserError} */
    checkDashboardCommand(command: DashboardCommand): void;
    runDashboard(app: App, command: DashboardCommand, io: Io): Promise<number>;
  }>;
  gateway(): Promise<{ runGateway(app: App, io: Io): Promise<number> }>;
}
