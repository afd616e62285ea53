import type { JsonObject } from "hermes-agent/plugin";
import { cloudContract, liveKeys } from "../../test/servers/clouds/cloud-contract.ts";
import { VERCEL_TOKEN, vercelAt } from "../../test/servers/clouds/vercel.ts";
import { VercelBackend, type VercelOptions } from "./vercel-backend.ts";
import type { VercelSdk } from "./vercel-sdk.ts";

const load = async () => (await import("@vercel/sandbox")) as unknown as VercelSdk;
const config: JsonObject = { container_persistent: false };
const backend = (access: Omit<VercelOptions, "home" | "config" | "load">) =>
  new VercelBackend({ home: "/contract", config, load, ...access });
const keys = liveKeys("VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID");
// req: terminal.backend-vercel
await cloudContract(
  "vercel_sandbox",
  keys && (() => backend({ token: keys.VERCEL_TOKEN, teamId: keys.VERCEL_TEAM_ID, projectId: keys.VERCEL_PROJECT_ID })),
  (url) => backend({ token: VERCEL_TOKEN, teamId: "team", projectId: "project", fetch: vercelAt(url) }),
);
