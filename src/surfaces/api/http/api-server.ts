import type { App } from "../../../contract/services/app.ts";
import type { GatewayService } from "../../../contract/services/gateway-service.ts";
import { aboutRoutes } from "./about-routes.ts";
import { Admission } from "./admission.ts";
import { ApiConversations } from "../conversations/api-conversations.ts";
import type { ApiSettings } from "../../shared/gateway/api-plan.ts";
import type { ApiTurn } from "../conversations/api-turn.ts";
import { chatCompletions } from "../chat/chat-completions.ts";
import { runRoutes } from "../runs/run-routes.ts";
import { Runs } from "../runs/runs.ts";
import { serveApi } from "./serve-api.ts";

export interface ApiServer {
  readonly url: string;
  /**
   * Accepts no more requests, waits for running turns, and stops those that take longer.
   * @param drainMs How long to wait.
   */
  stop(drainMs: number): Promise<void>;
}

export interface ApiServerOptions {
  readonly app: App;
  readonly service: Pick<GatewayService, "apiLedger">;
  readonly settings: ApiSettings;
  /** Where conversations begin. */
  readonly cwd: string;
  readonly keepAliveMs?: number;
}

const KEEP_ALIVE_MS = 30_000;
const DAY_MS = 86_400_000;
/** How long a stopped turn may take to report its end. */
const FAREWELL_MS = 5_000;

/**
 * Serves the agent over HTTP in the format of the OpenAI API.
 * @throws {UserError} if it cannot listen on the address.
 */
export async function openApiServer({
  app,
  service,
  settings,
  cwd,
  keepAliveMs = KEEP_ALIVE_MS,
}: ApiServerOptions): Promise<ApiServer> {
  const ledger = await service.apiLedger();
  await ledger.prune({ inputsBefore: Date.now() - 7 * DAY_MS, pointsBefore: Date.now() - 90 * DAY_MS });
  const conversations = new ApiConversations(app, ledger, cwd);
  const admission = new Admission(settings.maxRuns);
  const turns = new Set<ApiTurn>();
  const began = (turn: ApiTurn): void => {
    turns.add(turn);
    const over = (): void => void turns.delete(turn);
    turn.ended.then(over, over);
  };
  const ports = { app, ledger, conversations, admission, model: settings.model, began };
  const runs = new Runs(ports);
  const others = [chatCompletions(ports), ...runRoutes(runs)];
  const served = await serveApi({
    log: app.log,
    mask: (text) => app.mask(text),
    settings,
    keepAliveMs,
    routes: [...aboutRoutes({ version: app.version, settings, startedAt: Date.now(), others }), ...others],
  });
  await runs.recover();
  return {
    url: served.url,
    async stop(drainMs) {
      admission.close();
      await admission.idle(drainMs);
      for (const turn of turns) turn.stop("the gateway stops");
      await admission.idle(FAREWELL_MS);
      await conversations.close();
      await served[Symbol.asyncDispose]();
    },
  };
}
