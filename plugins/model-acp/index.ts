import type { ModelProvider, Plugin, PluginContext } from "hermes-agent/plugin";
import type { AgentProcesses } from "./agent-processes.ts";
import { COPILOT, type AgentService } from "./copilot.ts";
import { programOf } from "./program-of.ts";

/** Provider `copilot-acp`. The first request starts its program and loads the protocol's library. */
const register: Plugin = (ctx) => {
  ctx.provide("model", providerOf(COPILOT, ctx));
};

export default register;

function providerOf(service: AgentService, ctx: PluginContext): ModelProvider {
  let services: Promise<AgentProcesses> | undefined;
  const open = () =>
    (services ??= import("./agent-processes.ts").then((module) => new module.AgentProcesses(service, ctx)));
  ctx.onUnload(async () => (await services)?.close());
  return {
    id: service.id,
    label: service.label,
    aliases: service.aliases,
    keyEnv: [],
    program: true,
    get baseUrl() {
      return ctx.env(service.baseUrlEnv) ?? service.baseUrl;
    },
    defaultModel: service.ownModel,
    async available(probe) {
      const { command, variable } = programOf(service, (name) => probe.env(name));
      if ((await probe.which(command)) !== undefined) return { ok: true };
      return {
        ok: false,
        reason: `${service.label} needs the program "${command}"${variable === undefined ? "" : ` (${variable})`}, which is not installed. ${service.install} and ${service.signIn}, or set its path in ${service.commandEnv[0]}.`,
        needs: [...service.commandEnv],
      };
    },
    connect: (settings) => ({
      async *stream(request, signal) {
        yield* (await open()).stream(settings, request, signal);
      },
    }),
    listModels: async (settings, signal) => (await open()).listModels(settings, signal),
  };
}
