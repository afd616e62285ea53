import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import { closedOff } from "./container-options.ts";
import type { DockerBackend } from "./docker-backend.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<DockerBackend> | undefined;
  const load = () => (backend ??= import("./docker-backend.ts").then((module) => new module.DockerBackend(ctx.config, ctx.log, { home: ctx.home })));
  const provider: TerminalBackend = {
    id: "docker",
    label: `a container of docker or podman${ctx.config["sync_cwd_to_workspace"] === true ? ", the start directory synced" : ""}`,
    isolated: closedOff(ctx.config),
    elsewhere: true,
    available: async () => {
      const { findEngine } = await import("./engine.ts");
      const found = await findEngine(ctx.config);
      return "engine" in found ? { ok: true } : { ok: false, reason: found.reason, needs: ["docker or podman"] };
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
