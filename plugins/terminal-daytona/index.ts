import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import type { DaytonaBackend } from "./daytona-backend.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<DaytonaBackend> | undefined;
  const load = () =>
    (backend ??= import("./daytona-backend.ts").then(
      (module) => new module.DaytonaBackend({ config: ctx.config, home: ctx.home, log: ctx.log, fetch: ctx.fetch, key: ctx.env("DAYTONA_API_KEY"), url: ctx.env("DAYTONA_API_URL"), target: ctx.env("DAYTONA_TARGET") }),
    ));
  const provider: TerminalBackend = {
    id: "daytona",
    label: `a sandbox of Daytona${ctx.config["sync_cwd_to_workspace"] === true ? ", the start directory synced" : ""}`,
    isolated: true,
    elsewhere: true,
    available: (probe) => (probe.env("DAYTONA_API_KEY") === undefined ? { ok: false, reason: "DAYTONA_API_KEY is not set.", needs: ["DAYTONA_API_KEY"] } : { ok: true }),
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
