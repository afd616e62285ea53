import type { Clock } from "../../../contract/common/clock.ts";
import { ToolFailure, UserError } from "../../../contract/common/failure.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginHosts } from "./plugin-hosts.ts";
import { createContext } from "./plugin-context.ts";
import { pluginSettings } from "./plugin-settings.ts";
import { PluginRuntime } from "./plugin-runtime.ts";
import { NO_SERVICES } from "./plugin-services.ts";
import { emptyRecording, type Registered } from "./registered.ts";
import { createRegistries, type Registries } from "./registries.ts";
import { withGiven } from "../discovery/variables-read.ts";

export interface RecordPorts {
  readonly config: { get(path: string): Json | undefined };
  readonly environment: { get(name: string): string | undefined };
  readonly log: Logger;
  readonly clock: Clock;
  /** If absent, every plugin runs in this process. */
  readonly hosts?: PluginHosts;
  /** Registries of the other plugins, for a plugin that reads them. */
  readonly tools?: Registries["tools"];
}

/**
 * Runs a plugin's `register` against separate registries, to record what it registers, and unloads it again.
 * @throws {UserError} that names the plugin and says why it cannot be registered.
 */
export async function recordPlugin(found: FoundPlugin, ports: RecordPorts): Promise<Registered> {
  const plugin = withGiven(found, ports.config);
  const { key, manifest, dir } = plugin;
  const recording = emptyRecording();
  const registries = createRegistries({ log: ports.log, clock: ports.clock, config: () => undefined });
  const runtime = new PluginRuntime({
    key,
    dir,
    bundled: plugin.source === "bundled",
    entry: plugin.entry,
    remote: ports.hosts?.remote(plugin),
    log: ports.log,
    failed: () => undefined,
    context: (self) =>
      createContext(
        {
          plugin: { key, manifest, dir, shipped: plugin.source === "bundled", foreign: plugin.foreign === true },
          log: ports.log.child(key),
          registration: {
            registries,
            recording,
            registering: () => undefined,
            tools: () => [
              ...(ports.tools?.list() ?? []).filter(({ owner }) => owner !== key),
              ...registries.tools.list(),
            ],
            refusal: () => undefined,
          },
          settings: {
            config: () => pluginSettings(plugin, (path) => ports.config.get(path)),
            setting: (path) => ports.config.get(path),
            env: (name) => ports.environment.get(name),
          },
          services: NO_SERVICES,
          doctor: () => undefined,
        },
        self,
      ),
  });
  try {
    await runtime.activate();
  } catch (cause) {
    const reason = cause instanceof ToolFailure ? cause.message : String(cause);
    throw new UserError(reason, { cause });
  } finally {
    await runtime.unload();
  }
  // Through JSON, as a start will read it.
  return JSON.parse(JSON.stringify(recording)) as Registered;
}
