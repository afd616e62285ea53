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
  /** Absent: every plugin runs in this process. */
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

/** Names that no plugin may take. */
export interface ReservedNames {
  /** Slash commands. */
  command?(name: string): boolean;
  /** Subcommands of `hermes`. */
  word?(name: string): boolean;
}

/** All plugins of one process and everything they registered. */
export interface PluginHost extends Registries, AsyncDisposable {
  /**
   * Starts the plugins, with these services: this is where plugins and services, which need each other, meet. Until then the registries are
   * empty and no plugin runs.
   * @throws {Error} when it is called again.
   */
  start(services: PluginServices): Promise<void>;
  /** Whether `start` is done. */
  readonly started: boolean;
  readonly service: PluginService;
  /** Variables an owner may read: those of its manifest and of its tools. */
  declaredEnv(owner: string): readonly EnvNeed[];
  /** What loaded plugins tell `hermes doctor`. */
  checks(): Promise<readonly Check[]>;
  /** When what plugins said that they are registering is there, or their time for it is over. */
  settled(): Promise<void>;
  /** Where in the configuration an owner's settings lie. */
  configSection(owner: string): string;
  /** What of a plugin's registrations does not count, and what it and its manifest say differently, in sentences. */
  faults(plugin: FoundPlugin, registered: Registered): readonly string[];
  /** Whether that is the name, or a former name, of a tool that ships with us. */
  isBuiltIn(tool: string): boolean;
  /** Plugins that failed, would replace a built-in, or wait to be enabled. */
  readonly notices: readonly Notice[];
  /** Takes back everything it registered, aborts its signal and runs its cleanups. @returns false when it is not running. */
  unload(key: string): Promise<boolean>;
  /** As configuration and this process have it. */
  listing(plugin: FoundPlugin): PluginListing;
  /** Brings what runs in line with the folders, `.env` and `config.yaml` as they are now. What did not change goes on undisturbed. */
  reload(): Promise<ReloadReport>;
}
