import { needsVariables, provideTerminal, syncing, type Plugin } from "hermes-agent/plugin";
import type { VercelSdk } from "./vercel-sdk.ts";

const NEEDED = ["VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID"] as const;

const register: Plugin = (ctx) =>
  provideTerminal(
    ctx,
    {
      id: "vercel_sandbox",
      ...syncing("a Vercel sandbox", ctx.config),
      isolated: true,
      elsewhere: true,
      available: (probe) => needsVariables(probe, NEEDED),
    },
    async () => {
      const { VercelBackend } = await import("./vercel-backend.ts");
      const [token, teamId, projectId] = NEEDED.map((name) => ctx.env(name));
      return new VercelBackend({
        config: ctx.config,
        home: ctx.home,
        log: ctx.log,
        load: async () => (await ctx.package("@vercel/sandbox")) as VercelSdk,
        token,
        teamId,
        projectId,
      });
    },
  );

export default register;
