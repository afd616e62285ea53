import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { PluginContext, PluginManifest } from "../../../contract/plugins/plugin.ts";
import type { PluginServices } from "./plugin-services.ts";
import type { Recording } from "./registered.ts";
import type { Registries } from "./registries.ts";

export interface ContextPorts {
  readonly plugin: ContextPlugin;
  readonly log: Logger;
  readonly registration: RegistrationPorts;
  readonly settings: ContextSettings;
  readonly services: PluginServices;
  readonly doctor: PluginContext["doctor"];
}

/** The plugin's identity and source. */
export interface ContextPlugin {
  readonly key: string;
  readonly manifest: PluginManifest;
  readonly dir: string;
  /** It ships with the agent. */
  readonly shipped: boolean;
  /** A third party made it: its manifest limits its access. */
  readonly foreign?: boolean;
}

/** Where the plugin's registrations go. */
export interface RegistrationPorts {
  readonly registries: Registries;
  /** Records registrations as data. */
  readonly recording: Recording;
  readonly registering: PluginContext["registering"];
  /** All registered tools, including the plugin's own. */
  tools(): ReturnType<Registries["tools"]["list"]>;
  /** Why this plugin may not register a tool or command of that name; `undefined` if it may. */
  refusal(kind: "tool" | "command" | "cli", names: readonly string[]): string | undefined;
}

export interface ContextSettings {
  /** The plugin's own section. */
  config(): JsonObject;
  setting(path: string): Json | undefined;
  env(name: string): string | undefined;
}
