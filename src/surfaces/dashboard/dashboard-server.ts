import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { hostname } from "node:os";
import type { App } from "../../contract/services/app.ts";
import { APPROVAL_ROUTES, pendingOf } from "./api/approvals.ts";
import { chatRoutes } from "./api/chats.ts";
import { CHECKPOINT_ROUTES } from "./api/checkpoints.ts";
import { eventRoutes } from "./api/events.ts";
import { GATEWAY_ROUTES } from "./api/gateway.ts";
import { JOB_ROUTES, jobsOf } from "./api/jobs.ts";
import { LOG_ROUTES } from "./api/logs.ts";
import { mcpRoutes } from "./api/mcp.ts";
import { MEMORY_ROUTES } from "./api/memory.ts";
import { pluginRoutes } from "./api/plugins.ts";
import { SESSION_ROUTES } from "./api/sessions.ts";
import { SETTING_ROUTES } from "./api/settings.ts";
import { skillRoutes } from "./api/skills.ts";
import { STATUS_ROUTES, statusOf } from "./api/status.ts";
import { traceRoutes } from "./api/trace.ts";
import { USAGE_ROUTES } from "./api/usage.ts";
import { ChatTerminals } from "./chat-terminals.ts";
import { PageChats } from "./chats/page-chats.ts";
import { HTTP_LIMITS } from "../shared/http/http-limits.ts";
import { listenOn } from "../shared/http/listen.ts";
import type { Door } from "./guard.ts";
import { EventHub, type ValueTopic } from "./live/event-hub.ts";
import { Operations } from "./operations.ts";
import type { Route } from "./route.ts";
import { PluginParts } from "./serve-parts.ts";
import { createAnswer } from "./answer-request.ts";

export interface Dashboard extends AsyncDisposable {
  readonly url: string;
  /** The address with this run's token after `#`, which browsers never send. */
  readonly link: string;
  /** Resolves when a browser first sends the token. */
  readonly entered: Promise<void>;
}

export interface DashboardOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The terminal interface as a program and its arguments. Absent: there is no terminal tab. */
  readonly chat?: readonly string[];
}

/** Serves the dashboard until disposed. @throws {UserError} if it cannot listen on the address. */
export async function openDashboard(app: App, { host, port, chat }: DashboardOptions): Promise<Dashboard> {
  const ended = new AbortController();
  const entered = Promise.withResolvers<void>();
  const door: Door = { host, machine: hostname(), token: randomBytes(32).toString("base64url") };
  const partsBase = `/parts/${randomBytes(16).toString("base64url")}/`;
  const parts = new PluginParts(app, partsBase, ended.signal);
  const terminals = chat === undefined ? undefined : new ChatTerminals(chat);
  const operations = new Operations();
  const hub = new EventHub(app, VALUES);
  const chats = new PageChats({
    app,
    send: (sessionId, event, data) => hub.chat(sessionId, event, data),
    live: (sessionId, live) => hub.live(sessionId, live),
    shown: (sessionId) => hub.shows(sessionId),
  });
  const routes: readonly Route[] = [
    ...eventRoutes(hub),
    ...traceRoutes(app),
    ...STATUS_ROUTES,
    ...SESSION_ROUTES,
    ...USAGE_ROUTES,
    ...SETTING_ROUTES,
    ...operations.routes,
    ...pluginRoutes(operations),
    ...skillRoutes(operations),
    ...mcpRoutes(operations),
    ...MEMORY_ROUTES,
    ...CHECKPOINT_ROUTES,
    ...GATEWAY_ROUTES,
    ...JOB_ROUTES,
    ...LOG_ROUTES,
    ...parts.routes,
    ...APPROVAL_ROUTES,
    ...chatRoutes(chats),
    ...(terminals?.routes ?? []),
  ];
  const answer = createAnswer({
    app,
    door,
    parts,
    partsBase,
    routes,
    chat: chat !== undefined,
    entered: () => entered.resolve(),
    signal: ended.signal,
  });
  const server = createServer(HTTP_LIMITS, (request, response) => {
    void answer(request, response).catch((cause: unknown) => {
      app.log.error("The dashboard cannot send a response.", { cause });
      response.destroy();
    });
  });
  const url = await listenOn(server, {
    host,
    port,
    rival: "another dashboard",
    hints: { port: "Use --port 0 for any free port.", host: "Set --host to an address of this machine." },
  });
  return {
    url,
    link: `${url}#token=${door.token}`,
    entered: entered.promise,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await hub[Symbol.asyncDispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await terminals?.[Symbol.asyncDispose]();
      await chats[Symbol.asyncDispose]();
      await parts[Symbol.asyncDispose]();
    },
  };
}

/** What pages show of the whole agent, by topic. */
const VALUES: { readonly [topic: string]: ValueTopic } = {
  status: { everyMs: 2_000, read: statusOf },
  jobs: { everyMs: 250, read: jobsOf },
  pending: { everyMs: 100, read: pendingOf, hold: (app) => app.approvals.watch() },
};
