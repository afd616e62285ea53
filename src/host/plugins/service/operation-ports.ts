import type { Logger } from "../../../contract/common/logger.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginHost, PluginPorts } from "../registry/plugin-host.ts";
import type { RecordPorts } from "../registry/record-plugin.ts";

/** What the operations of `hermes plugins` work on: the plugins on disk, the settings and the running plugins. */
export interface OperationPorts extends PluginPorts {
  readonly host: Pick<
    PluginHost,
    "listing" | "tools" | "commands" | "cli" | "reload" | "unload" | "slots" | "declaredEnv" | "faults"
  >;
}

/** Every plugin on disk, the bundled ones first. */
export function allPlugins({ installed: { index } }: OperationPorts): readonly FoundPlugin[] {
  return [...index.bundled, ...index.own];
}

/** What decides whether a tool is built in. */
export function builtInTools({ installed: { index }, host }: OperationPorts): {
  readonly bundled: readonly FoundPlugin[];
  owner(tool: string): string | undefined;
} {
  return { bundled: index.bundled, owner: (tool) => host.tools.owner(tool) };
}

/** The ports to run a plugin's `register` separately, with its log entries going to `log`. */
export function recordPorts({ settings, clock, hosts, host }: OperationPorts, log: Logger): RecordPorts {
  return { config: settings.config, environment: settings.environment, log, clock, hosts, tools: host.tools };
}
