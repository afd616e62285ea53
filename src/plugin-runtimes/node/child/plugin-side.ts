import type { Assessment } from "../../../contract/tools/assessment.ts";
import type { JsonObject, Json } from "../../../contract/common/json.ts";
import type { RecentMap } from "../../../contract/common/recent-map.ts";
import type { Member } from "../../../host/plugins/registry/offers.ts";
import type { RemoteObjects } from "../../process/remote-objects.ts";

export interface Wire {
  /** @param signal Aborts when the answer is no longer needed. */
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<Json>;
  notify(method: string, params: JsonObject): void;
}

export interface ChildPluginOptions {
  readonly key: string;
  readonly name: string;
  readonly dir: string;
  readonly version: string;
  /** Properties of the agent. */
  readonly home: string;
  readonly config: JsonObject;
  readonly wire: Wire;
}

/** A registration of the plugin, and the code behind it. */
export interface Registration {
  readonly kind:
    | "tool"
    | "toolset"
    | "hook"
    | "middleware"
    | "command"
    | "cli"
    | "skill"
    | "provider"
    | "doctor"
    | "refused";
  readonly real: unknown;
}

/** A plugin of this process, as its context members see it. */
export interface PluginSide {
  readonly options: ChildPluginOptions;
  readonly objects: RemoteObjects;
  /** The surveys of recent assessments, which the agent may request until the user has answered. */
  readonly surveys: RecentMap<string, NonNullable<Assessment["survey"]>>;
  register(registration: Registration, name: string, data: object): Disposable;
  /** Members that no separate process offers. */
  refuse(member: Member): never;
  onUnload(cleanup: () => void | Promise<void>): void;
}
