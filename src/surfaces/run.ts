import type { ApiServerOptions } from "./api/http/api-server.ts";
import { runLine, type LineOptions } from "./cli/cli.ts";
import type { Surfaces } from "./cli/program/surfaces.ts";

/**
 * The other surfaces as the command line starts them. Surfaces do not import each other; only this file knows them all.
 */
const SURFACES: Surfaces = {
  acp: () => import("./acp/run-acp.ts"),
  batch: () => import("./batch/batch-command.ts"),
  dashboard: () => import("./dashboard/run-dashboard.ts"),
  async gateway() {
    const { runGateway } = await import("./gateway/run-gateway.ts");
    return { runGateway: (app, io) => runGateway(app, io, openApiServer) };
  },
};

export type RunOptions = Omit<LineOptions, "surfaces">;

/** Runs one command line and returns its exit status. Never throws: it prints errors on stderr. */
export function run(line: readonly string[], options: RunOptions = {}): Promise<number> {
  return runLine(line, { ...options, surfaces: SURFACES });
}

async function openApiServer(options: ApiServerOptions) {
  return (await import("./api/http/api-server.ts")).openApiServer(options);
}
