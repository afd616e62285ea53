import type { CliIo } from "../../contract/conversation/command.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { GuardedFetch } from "../../contract/providers/web.ts";

/** What a call of the agent may be asked by the plugin while it runs. */
export interface CallScope {
  /** `undefined`: not a question of this call. */
  serve?(method: string, params: JsonObject): Promise<Json> | undefined;
  take?(method: string, params: JsonObject): void;
  /** The call's own way out: what it was granted goes along, and what it brings is a stranger's. */
  readonly fetch?: GuardedFetch;
  /** Of a `hermes NAME` command: the terminal that it was typed in. */
  readonly io?: CliIo;
}

/** What the plugin of a message may ask outside any call, or by a call of its own. */
export interface PluginScope {
  serve(
    method: string,
    params: JsonObject,
    call: CallOptions | undefined,
  ): Json | undefined | Promise<Json | undefined>;
  take(method: string, params: JsonObject): void;
  /** The process ended while, and because, a call of this plugin ran. */
  fault(reason: string): void;
  /** The process ended by itself, whoever's fault that was: what lived in it is gone. */
  gone(reason: string): void;
}

export interface CallOptions {
  readonly plugin: string;
  readonly scope?: CallScope;
  readonly signal?: AbortSignal;
  /** Wall time, then the call is cancelled. */
  readonly timeoutMs?: number;
}
