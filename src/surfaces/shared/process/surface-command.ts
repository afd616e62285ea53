import type { App } from "../../../contract/services/app.ts";
import type { Io } from "./io.ts";

/** The context of a command that starts a surface. `open` starts the agent once. */
export interface SurfaceCall {
  readonly io: Io;
  open(): Promise<App>;
}

/** The options of `hermes batch run`. */
export interface BatchFlags {
  readonly name?: string;
  readonly output?: string;
  readonly distribution?: string;
  readonly seed?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly workers: string;
  readonly batchSize?: string;
  readonly maxTurns: string;
  readonly maxSamples?: string;
  readonly yolo?: boolean;
  readonly json?: boolean;
}

/** The options of `hermes dashboard`. */
export interface DashboardCommand {
  readonly host: string;
  readonly port: string;
  /** `false`: `--no-open`. */
  readonly open: boolean;
  readonly insecure?: boolean;
  readonly tui?: boolean;
}
