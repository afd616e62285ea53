import type { App } from "../../contract/app.ts";
import type { GatewayDesk } from "../../contract/gateway-desk.ts";
import { aboutRoutes } from "./about-routes.ts";
import type { ApiSettings } from "./api-plan.ts";
import type { ApiRoute } from "./api-route.ts";
import { serveApi } from "./serve-api.ts";

export interface ApiServer {
  readonly url: string;
  /** Takes nothing more in, waits for turns that run, and stops those that take longer. @param drainMs How long they may still run. */
  stop(drainMs: number): Promise<void>;
}

export interface ApiServerOptions {
  readonly app: App;
  readonly desk: GatewayDesk;
  readonly settings: ApiSettings;
  /** Where conversations begin. */
  readonly cwd: string;
  readonly keepAliveMs?: number;
}

const KEEP_ALIVE_MS = 30_000;

/** Programs talk to the agent over HTTP, in the shape of the OpenAI API. @throws {UserError} when nobody can listen there. */
export async function openApiServer({ app, settings, keepAliveMs = KEEP_ALIVE_MS }: ApiServerOptions): Promise<ApiServer> {
  const routes: readonly ApiRoute[] = [];
  const served = await serveApi({ log: app.log, mask: (text) => app.mask(text), settings, keepAliveMs, routes: [...aboutRoutes({ version: app.version, settings, startedAt: Date.now(), others: routes }), ...routes] });
  return { url: served.url, stop: async () => served[Symbol.asyncDispose]() };
}
