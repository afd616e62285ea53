import type { Check } from "../../../contract/common/check.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { PluginDesk, PluginListing, ReloadReport } from "../../../contract/services/plugin-service.ts";
import type { EnvNeed } from "../../../contract/common/availability.ts";
import type { Clock } from "../../../contract/common/clock.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { GuardedFetch } from "../../../contract/providers/web.ts";
import type { Config } from "../../config/open-config.ts";
import type { EnvironmentDesk } from "../../environment/environment.ts";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginHosts } from "../../../plugin-runtimes/plugin-hosts.ts";
import type { PluginIndex } from "../discovery/plugin-index.ts";
import type { PluginPins } from "../consent/plugin-pins.ts";
import type { PluginServices } from "./plugin-services.ts";
import type { Registered } from "./registered.ts";
import type { Registries } from "./registries.ts";

export interface PluginPorts {
  readonly index: PluginIndex;
  readonly pins: PluginPins;
  readonly config: Pick<Config, "get" | "section" | "edit">;
  readonly environment: Pick<EnvironmentDesk, "get" | "childEnvironment">;
  readonly log: Logger;
  readonly clock: Clock;
  readonly home: Home;
  /** Reads `.env` and `config.yaml` again. */
  reread(): Promise<void>;
  /** The guarded way to the network, as a plugin may use it. */
  fetch(plugin: string): GuardedFetch;
  /** A plugin's own call of a tool, by the one road, in the session of that id, else in the one that is current. */
  call(plugin: string, tool: string, args: JsonObject, sessionId?: string): Promise<ToolOutcome>;
  readonly services?: PluginServices;
  /** Absent: every plugin runs in this process. */
  readonly hosts?: PluginHosts;
  /** Where programs are looked for. */
  readonly path?: string;
  /** Where plugins of the working directory lie, while they are switched off. */
  readonly unread?: string;
  /** How long a start waits for a plugin that was never loaded. Default 10 000. */
  readonly patienceMs?: number;
  /** Slash commands no plugin may take. */
  reservedCommand?(name: string): boolean;
  /** Subcommands of `hermes` no plugin may take. */
  reservedWord?(name: string): boolean;
}

/** All plugins of one process and everything they registered. */
export interface PluginHost extends Registries, AsyncDisposable {
  readonly desk: PluginDesk;
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
