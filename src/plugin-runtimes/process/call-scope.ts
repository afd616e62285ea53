import type { CliIo } from "../../contract/conversation/command.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { GuardedFetch } from "../../contract/providers/web.ts";

/** Requests that a plugin may send to the agent during a call. */
export interface CallScope {
  /** `undefined`: the request does not belong to this call. */
  serve?(method: string, params: JsonObject): Promise<Json> | undefined;
  take?(method: string, params: JsonObject): void;
  /** The call's own network access, limited to the plugin's grants; the content it returns is untrusted. */
  readonly fetch?: GuardedFetch;
  /** Of a `hermes NAME` command: the terminal in which it runs. */
  readonly io?: CliIo;
}

/** Requests of a message's plugin outside any call, or about its own call. */
export interface PluginScope {
  serve(
    method: string,
    params: JsonObject,
    call: CallOptions | undefined,
  ): Json | undefined | Promise<Json | undefined>;
  take(method: string, params: JsonObject): void;
  /** The process ended during, and because of, a call of this plugin. */
  fault(reason: string): void;
  /** The process ended unexpectedly, whichever plugin caused it: everything in it is gone. */
  gone(reason: string): void;
}

export interface CallOptions {
  readonly plugin: string;
  readonly scope?: CallScope;
  readonly signal?: AbortSignal;
  /** Wall time, then the call is cancelled. */
  readonly timeoutMs?: number;
}
