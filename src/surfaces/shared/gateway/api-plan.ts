import type { App } from "../../../contract/services/app.ts";
import type { GatewayService } from "../../../contract/services/gateway-service.ts";
import { objectOf } from "../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { truthy } from "../process/truthy.ts";
import { settingsOf, type PlanShown } from "./platform-plans.ts";
import { keyProblem } from "./key-problem.ts";

export interface ApiSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly key: string;
  /** Browser origins that may send requests; `*`: any. */
  readonly origins: readonly string[];
  /** The model name of the agent. */
  readonly model: string;
  /** Maximum number of parallel runs; 0: no limit. */
  readonly maxRuns: number;
}

/** Whether the API server runs, and what it lacks. Like the plan of a chat platform, but loads no code. */
export interface ApiPlan extends PlanShown {
  readonly settings: ApiSettings;
}

export const API_PLATFORM = "api_server";
const PORT = 8642;
const MAX_RUNS = 10;

export function apiPlan(
  { config, profile }: Pick<App, "config" | "profile">,
  service: Pick<GatewayService, "variable">,
): ApiPlan {
  const own = settingsOf(config, API_PLATFORM);
  const { enabled, token, extra, ...others } = own ?? {};
  const given: JsonObject = { ...others, ...objectOf(extra) };
  const request = service.variable("API_SERVER_ENABLED");
  const key = (service.variable("API_SERVER_KEY") ?? text(token) ?? "").trim();
  const port = service.variable("API_SERVER_PORT") ?? given["port"] ?? PORT;
  const origins = originsOf(service.variable("API_SERVER_CORS_ORIGINS") ?? given["cors_origins"]);
  const maxRuns = config.get("gateway.api_server.max_concurrent_runs");
  const settings: ApiSettings = {
    host: service.variable("API_SERVER_HOST") ?? text(given["host"]) ?? "127.0.0.1",
    port: Number(port),
    key,
    origins: origins.map((origin) => (URL.canParse(origin) ? new URL(origin).origin : origin)),
    model:
      service.variable("API_SERVER_MODEL_NAME") ??
      text(given["model_name"]) ??
      (profile === "default" ? "hermes-agent" : profile),
    maxRuns: typeof maxRuns === "number" ? maxRuns : MAX_RUNS,
  };
  const base = { name: API_PLATFORM, label: "API server", plugin: "core", emoji: "", homeChannel: undefined, settings };
  const missing = key === "" ? ["API_SERVER_KEY"] : [];
  // An explicit "off" wins over all other settings.
  if (enabled === false || (request !== undefined && !truthy(request)))
    return { ...base, state: "off", lacks: [], missing: [] };
  if (enabled !== true && request === undefined && key === "") return { ...base, state: "new", lacks: [], missing };
  const lacks = [keyProblem(key, given["key"] !== undefined), portProblem(port), ...origins.map(originProblem)].filter(
    (problem) => problem !== undefined,
  );
  return { ...base, state: lacks.length === 0 ? "ready" : "lacking", lacks, missing };
}

function portProblem(port: Json): string | undefined {
  return /^\d{1,5}$/.test(String(port)) && Number(port) <= 65_535
    ? undefined
    : `its port must be a whole number from 0 to 65535, not ${JSON.stringify(port)}`;
}

function originProblem(origin: string): string | undefined {
  if (origin === "*" || (/^https?:\/\//.test(origin) && URL.canParse(origin))) return undefined;
  return `${JSON.stringify(origin)} is not an origin such as https://chat.example.org`;
}

function originsOf(value: Json | undefined): readonly string[] {
  const all = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value.map(String) : [];
  return all.map((origin) => origin.trim()).filter((origin) => origin !== "");
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
