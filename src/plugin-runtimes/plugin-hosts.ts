import { ToolFailure } from "../contract/common/failure.ts";
import type { JsonObject } from "../contract/common/json.ts";
import type { Logger } from "../contract/common/logger.ts";
import type { PluginGrants } from "../contract/plugins/plugin.ts";
import type { FoundPlugin } from "../host/plugins/discovery/discovery.ts";
import { importRegister } from "../host/plugins/registry/import-register.ts";
import type { HostKind, PluginHosts } from "../host/plugins/registry/plugin-hosts.ts";
import { entryModule, isPythonPlugin } from "../host/plugins/discovery/plugin-files.ts";
import { noteReads } from "../host/plugins/discovery/variables-read.ts";
import { programLack } from "../host/plugins/discovery/plugin-program.ts";
import { pythonOf } from "../host/plugins/packages/python-environment.ts";
import { declaredEnv } from "./process/host-environment.ts";
import type { HostPorts, PluginHostKind } from "./process/host-ports.ts";
import type { HostProcess } from "./process/host-process.ts";
import { NEEDS_AGENT, needsAgent } from "./serve/needs-agent.ts";
import type { RemotePlugin } from "./process/remote-plugin.ts";

const NOTHING: PluginGrants = { read: [], write: [], hosts: [], tools: [] };

/**
 * Chooses where a plugin runs. Its entry decides: `__init__.py` in Python, `index.*` in Node, a program that its
 * manifest names in a separate process. Bundled plugins run in this process, all others outside it, unless the user
 * sets `plugins.entries.NAME.host: here` for a plugin they own.
 */
function hostOf(plugin: FoundPlugin, config: HostPorts["config"]): HostKind {
  if (plugin.manifest.program !== undefined) return "program";
  // Bundled plugins are all TypeScript, so a start need not look for their files.
  if (plugin.source === "bundled") return "here";
  if (plugin.module !== undefined || isPython(plugin)) return "python";
  return plugin.foreign !== true &&
    (config.get(`plugins.entries.${plugin.key}.host`) === "here" || needsAgent(plugin.registered))
    ? "here"
    : "node";
}

/** A start calls this several times for every plugin. */
const python = new WeakMap<FoundPlugin, boolean>();

function isPython(plugin: FoundPlugin): boolean {
  const known = python.get(plugin);
  if (known !== undefined) return known;
  const found = isPythonPlugin(plugin.dir, plugin.files);
  python.set(plugin, found);
  return found;
}

export function openHosts(ports: HostPorts): PluginHosts {
  /** By their launch parameters: plugins with the same ones share a process. */
  const processes = new Map<string, HostProcess>();

  const remoteOf = async (plugin: FoundPlugin, host: PluginHostKind, log: Logger): Promise<RemotePlugin> => {
    const { RemotePlugin } = await import("./process/remote-plugin.ts");
    const { HostProcess } = await import("./process/host-process.ts");
    return new RemotePlugin({
      key: plugin.key,
      log,
      dialect: host.dialect,
      granted: plugin.foreign === true ? (plugin.manifest.grants ?? NOTHING) : undefined,
      registerMs: host.registerMs,
      process() {
        const running = processes.get(host.id);
        if (running !== undefined && !running.gone) return running;
        const process = new HostProcess(host.spec(), ports.log.child(host.id));
        processes.set(host.id, process);
        return process;
      },
      loading: host.loading,
      async left(process) {
        if (!process.idle) return;
        if (processes.get(host.id) === process) processes.delete(host.id);
        await process[Symbol.asyncDispose]();
      },
    });
  };
  const hostFor = async (plugin: FoundPlugin, kind: HostKind): Promise<PluginHostKind> =>
    kind === "program"
      ? (await import("./program/program-host.ts")).programHost(plugin, ports)
      : kind === "python"
        ? (await import("./python/python-host.ts")).pythonHost(plugin, ports)
        : (await import("./node/node-host.ts")).nodeHost(plugin, ports);

  return {
    remote(plugin) {
      const kind = hostOf(plugin, ports.config);
      if (kind === "here") return undefined;
      return async (ctx) => {
        const remote = await remoteOf(plugin, await hostFor(plugin, kind), ctx.log);
        try {
          await remote.register(ctx);
        } catch (cause) {
          const entry = entryModule(plugin.dir);
          if (
            plugin.foreign === true ||
            !(cause instanceof ToolFailure) ||
            cause.code !== NEEDS_AGENT ||
            "reason" in entry
          )
            throw cause;
          ctx.log.debug(`${cause.message}; it runs there.`);
          const { withLookups } = await import("../host/plugins/discovery/watch-lookups.ts");
          const { reported } = await withLookups(async () =>
            (await importRegister(plugin.entry ?? entry.file, false))(ctx),
          );
          noteReads(ctx, reported);
        }
      };
    },
    where: (plugin) => hostOf(plugin, ports.config),
    lack(plugin) {
      const { program } = plugin.manifest;
      if (program !== undefined) return programLack({ dir: plugin.dir, program }, ports.variables["PATH"]);
      if (
        hostOf(plugin, ports.config) !== "python" ||
        pythonOf(plugin, ports.home, ports.variables["PATH"]) !== undefined
      )
        return undefined;
      return "missing: python3 on the PATH";
    },
    async handler(plugin, file) {
      const host = await hostFor(plugin, file.endsWith(".py") ? "python" : "node");
      const loading: JsonObject = {
        dir: plugin.dir,
        source: plugin.source,
        version: plugin.manifest.version,
        manifest: plugin.manifest as unknown as JsonObject,
        config: {},
        env: declaredEnv(plugin, ports.environment),
        home: ports.home.path,
        entry: file,
        handler: true,
      };
      // A separate process, so that a handler that crashes it affects no plugin.
      const remote = await remoteOf(
        plugin,
        { ...host, id: `${host.id}.hooks`, dialect: { register: () => undefined }, loading: () => loading },
        ports.log.child(plugin.key),
      );
      return (event, context, timeoutMs) =>
        remote.call(
          "hook.call",
          {
            handle: `${plugin.key}/hook:handle#0`,
            hook: event,
            payload: { event_type: event, context },
            context: { session_id: context["session_id"] ?? null, platform: context["platform"] ?? null },
          },
          { timeoutMs },
        );
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...processes.values()].map((process) => process[Symbol.asyncDispose]()));
      processes.clear();
    },
  };
}
