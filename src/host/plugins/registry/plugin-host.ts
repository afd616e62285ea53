import type { Check } from "../../../contract/common/check.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { PluginService, PluginListing, ReloadReport } from "../../../contract/services/plugin-service.ts";
import type { EnvNeed } from "../../../contract/common/availability.ts";
import type { Clock } from "../../../contract/common/clock.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { Config } from "../../config/open-config.ts";
import type { EnvironmentVariables } from "../../environment/environment.ts";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginHosts } from "./plugin-hosts.ts";
import type { PluginIndex } from "../discovery/plugin-index.ts";
import type { PluginPins } from "../consent/plugin-pins.ts";
import type { PluginServices } from "./plugin-services.ts";
import type { Registered } from "./registered.ts";
import type { Registries } from "./registries.ts";

export interface PluginPorts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly home: Home;
  readonly installed: InstalledPlugins;
  readonly settings: PluginSettings;
  /** If absent, every plugin runs in this process. */
  readonly hosts?: PluginHosts;
  readonly reserved?: ReservedNames;
  /** How long a start waits for a plugin that was never loaded. Default 10 000. */
  readonly patienceMs?: number;
}

/** Plugins on disk, and which of them the user agreed to run. */
export interface InstalledPlugins {
  readonly index: PluginIndex;
  readonly pins: PluginPins;
  /** `PATH`, to look up the programs that plugins need. */
  readonly path?: string;
  /** The folder of the working directory's plugins, if project plugins are off. */
  readonly unread?: string;
}

export interface PluginSettings {
  readonly config: Pick<Config, "get" | "section" | "edit">;
  readonly environment: Pick<EnvironmentVariables, "get" | "childEnvironment">;
  /** Reads `.env` and `config.yaml` again. */
  reread(): Promise<void>;
}

/** Names that no plugin may use. */
export interface ReservedNames {
  /** Slash commands. */
  command?(name: string): boolean;
  /** Subcommands of `hermes`. */
  word?(name: string): boolean;
}

/** All plugins of one process and everything they registered. */
export interface PluginHost extends Registries, AsyncDisposable {
  /**
   * Starts the plugins, with these services: this is where plugins and services, which need each other, meet. Until
   * then the registries are empty and no plugin runs.
   * @throws {Error} when it is called again.
   */
  start(services: PluginServices): Promise<void>;
  /** Whether `start` has finished. */
  readonly started: boolean;
  readonly service: PluginService;
  /** Variables an owner may read: those of its manifest and of its tools. */
  declaredEnv(owner: string): readonly EnvNeed[];
  /** The checks that loaded plugins add to `hermes doctor`. */
  checks(): Promise<readonly Check[]>;
  /** Resolves when the pending registrations of plugins are complete, or their time limit has passed. */
  settled(): Promise<void>;
  /** Where in the configuration an owner's settings are. */
  configSection(owner: string): string;
  /**
   * The registrations of a plugin that have no effect, and the differences between it and its manifest, in sentences.
   */
  faults(plugin: FoundPlugin, registered: Registered): readonly string[];
  /** Whether that is the name, or a former name, of a bundled tool. */
  isBuiltIn(tool: string): boolean;
  /** Plugins that failed, would replace a built-in, or wait to be enabled. */
  readonly notices: readonly Notice[];
  /**
   * Takes back everything it registered, aborts its signal and runs its cleanups.
   * @returns false when it is not running.
   */
  unload(key: string): Promise<boolean>;
  /** As configured and as running in this process. */
  listing(plugin: FoundPlugin): PluginListing;
  /** Updates the running plugins to the current folders, `.env` and `config.yaml`. Unchanged plugins keep running. */
  reload(): Promise<ReloadReport>;
}
