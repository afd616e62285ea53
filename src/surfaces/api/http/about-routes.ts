import type { ApiRoute } from "./api-route.ts";
import { valueRoute } from "./api-route.ts";
import type { ApiSettings } from "../../shared/gateway/api-plan.ts";

export interface AboutPorts {
  readonly version: string;
  readonly settings: Pick<ApiSettings, "model" | "origins">;
  /** Start time of the server, epoch ms. */
  readonly startedAt: number;
  /** All other routes of the server. */
  readonly others: readonly ApiRoute[];
}

/** Health, models and capabilities of the server. */
export function aboutRoutes({ version, settings, startedAt, others }: AboutPorts): readonly ApiRoute[] {
  const { model, origins } = settings;
  const health = { status: "ok", platform: "hermes-agent", version };
  const listed = {
    id: model,
    object: "model",
    created: Math.floor(startedAt / 1000),
    owned_by: "hermes",
    permission: [],
    root: model,
    parent: null,
  };
  const about: readonly ApiRoute[] = [
    { ...valueRoute("GET /health", () => health), open: true },
    { ...valueRoute("GET /v1/health", () => health), open: true },
    valueRoute("GET /v1/models", () => ({ object: "list", data: [listed] })),
    valueRoute("GET /v1/capabilities", () => capabilities([...about, ...others], model, origins.length > 0)),
  ];
  return about;
}

/** Derives the capabilities from the routes. */
function capabilities(routes: readonly ApiRoute[], model: string, cors: boolean): object {
  const served = new Set(routes.map(({ at }) => at));
  return {
    object: "hermes.api_server.capabilities",
    platform: "hermes-agent",
    model,
    auth: { type: "bearer", required: true },
    runtime: {
      mode: "server_agent",
      tool_execution: "server",
      split_runtime: false,
      description: "An agent answers; its tools run on this server.",
    },
    features: {
      ...Object.fromEntries(Object.entries(FEATURES).map(([feature, at]) => [feature, served.has(at)])),
      session_continuity_header: "X-Hermes-Session-Id",
      tool_progress_header: "X-Hermes-Tool-Progress",
      cors,
    },
    endpoints: Object.fromEntries(
      Object.entries(ENDPOINTS).flatMap(([name, at]) => {
        const [method, path = ""] = at.split(" ");
        return served.has(at) ? [[name, { method, path: path.replaceAll(/:(\w+)/g, "{$1}") }]] : [];
      }),
    ),
  };
}

const ENDPOINTS = {
  health: "GET /health",
  models: "GET /v1/models",
  capabilities: "GET /v1/capabilities",
  chat_completions: "POST /v1/chat/completions",
  responses: "POST /v1/responses",
  runs: "POST /v1/runs",
  run_status: "GET /v1/runs/:run_id",
  run_events: "GET /v1/runs/:run_id/events",
  run_approval: "POST /v1/runs/:run_id/approval",
  run_stop: "POST /v1/runs/:run_id/stop",
  sessions: "GET /api/sessions",
  skills: "GET /v1/skills",
};

/** The original's names of features, and the route that each needs; without the route the feature is false. */
const FEATURES = {
  chat_completions: ENDPOINTS.chat_completions,
  chat_completions_streaming: ENDPOINTS.chat_completions,
  tool_progress_events: ENDPOINTS.chat_completions,
  responses_api: ENDPOINTS.responses,
  responses_streaming: ENDPOINTS.responses,
  run_submission: ENDPOINTS.runs,
  run_status: ENDPOINTS.run_status,
  run_events_sse: ENDPOINTS.run_events,
  run_stop: ENDPOINTS.run_stop,
  run_approval_response: ENDPOINTS.run_approval,
  approval_events: ENDPOINTS.run_approval,
  session_resources: ENDPOINTS.sessions,
  session_chat: "POST /api/sessions/:session_id/chat",
  session_chat_streaming: "POST /api/sessions/:session_id/chat/stream",
  session_fork: "POST /api/sessions/:session_id/fork",
  skills_api: ENDPOINTS.skills,
  admin_config_rw: "",
  jobs_admin: "",
  memory_write_api: "",
  audio_api: "",
  realtime_voice: "",
};
