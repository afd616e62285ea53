import type { Availability, EnvNeed, Probe, RiskContext } from "hermes-agent/plugin";
import type { Speaker } from "./chat-scope.ts";
import type { Service } from "./yuanbao-service.ts";

/** What the tools share. */
export interface ToolPorts {
  /** Who speaks in the conversation of the call. */
  speaker(call: Pick<RiskContext, "sessionId">): Promise<Speaker>;
  /** The bot's service, which the first call opens. */
  service(): Promise<Service>;
}

const HOSTS = ["bot.yuanbao.tencent.com", "127.0.0.1", "localhost"];
const APP_ID: EnvNeed = {
  name: "YUANBAO_APP_ID",
  description: "App ID of a Yuanbao bot",
  secret: false,
  hosts: HOSTS,
};
const APP_SECRET: EnvNeed = {
  name: "YUANBAO_APP_SECRET",
  description: "App secret of the Yuanbao bot",
  secret: true,
  hosts: HOSTS,
};

// The sign-in needs both.
const available = ({ env }: Probe): Availability =>
  env(APP_SECRET.name) === undefined ? { ok: false, reason: `${APP_SECRET.name} is not set.` } : { ok: true };

/** What all tools of the plugin declare. */
export const FIELDS = {
  toolset: "yuanbao",
  env: [APP_ID, APP_SECRET],
  needsOneOf: [`env:${APP_ID.name}`],
  available,
  refusal: { success: false },
  timeoutMs: 90_000,
} as const;
