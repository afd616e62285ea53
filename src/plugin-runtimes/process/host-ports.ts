import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { Home } from "../../host/environment/home.ts";
import type { HostSpec } from "./host-spec.ts";
import type { Dialect } from "./remote-plugin.ts";

export interface HostPorts {
  readonly home: Home;
  readonly log: Logger;
  /** The user's current folder. */
  readonly cwd: string;
  /** Of this program. */
  readonly version: string;
  /** Variables of the process. */
  readonly variables: { readonly [name: string]: string | undefined };
  readonly environment: {
    get(name: string): string | undefined;
    names(): readonly string[];
    childEnvironment(declared: readonly string[]): { readonly [name: string]: string };
  };
  readonly config: { get(path: string): Json | undefined };
}

/** How a runtime runs a plugin. */
export interface PluginHostKind {
  /** Plugins of one id share a process. */
  readonly id: string;
  readonly dialect: Dialect;
  readonly registerMs: number;
  spec(): HostSpec;
  /** Parameters of `plugin.load`. */
  loading(ctx: PluginContext): JsonObject;
}
