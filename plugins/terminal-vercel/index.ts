import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import type { VercelBackend } from "./vercel-backend.ts";
import type { VercelSdk } from "./vercel-sdk.ts";

const NEEDED = ["VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID"] as const;

const register: Plugin = (ctx) => {
  let backend: Promise<VercelBackend> | undefined;
  const load = () =>
    (backend ??= import("./vercel-backend.ts").then((module) => {
      const [token, teamId, projectId] = NEEDED.map((name) => ctx.env(name));
      return new module.VercelBackend({
        config: ctx.config,
        home: ctx.home,
        log: ctx.log,
        load: async () => (await ctx.package("@vercel/sandbox")) as VercelSdk,
        ...(token === undefined ? {} : { token }),
        ...(teamId === undefined ? {} : { teamId }),
        ...(projectId === undefined ? {} : { projectId }),
      });
    }));
  const provider: TerminalBackend = {
    id: "vercel_sandbox",
    label: `a sandbox of Vercel${ctx.config["sync_cwd_to_workspace"] === true ? ", the start directory synced" : ""}`,
    isolated: true,
    elsewhere: true,
    available: (probe) => {
      const missing = NEEDED.filter((name) => probe.env(name) === undefined);
      return missing.length === 0 ? { ok: true } : { ok: false, reason: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set.`, needs: missing };
    },
    open: async (options, signal) => (await load()).open(options, signal),
    [Symbol.asyncDispose]: async () => {
      await (await backend)?.[Symbol.asyncDispose]();
    },
  };
  ctx.provide("terminal", provider);
  ctx.onUnload(async () => {
    await provider[Symbol.asyncDispose]();
  });
};

export default register;
