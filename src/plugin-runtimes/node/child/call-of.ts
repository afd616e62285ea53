import type { JsonObject } from "../../../contract/common/json.ts";
import { currentCall } from "./current-call.ts";

/** The plugin, and the call of the agent that its code runs under. */
export function callOf(plugin: string): JsonObject {
  const call = currentCall.getStore();
  return call?.plugin === plugin ? { plugin, call: call.id } : { plugin };
}
