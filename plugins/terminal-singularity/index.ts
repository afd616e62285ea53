import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import type { SingularityBackend } from "./singularity-backend.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<SingularityBackend> | undefined;
  const load = () => (backend ??= import("./singularity-backend.ts").then((module) => new module.SingularityBackend(ctx.config, ctx.home, ctx.log)));
  const provider: TerminalBackend = {
    id: "singularity",
    label: "an instance of apptainer or singularity",
    isolated: true,
    elsewhere: true,
    available: async () => {
      const { findRuntime } = await import("./runtime.ts");
      const found = await findRuntime();
      return "runtime" in found ? { ok: true } : { ok: false, reason: found.reason, needs: ["apptainer or singularity"] };
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
