import type { JsonObject } from "../../../contract/common/json.ts";
import { currentCall } from "./current-call.ts";

/** The plugin, and the agent's call under which its code runs. */
export function callOf(plugin: string): JsonObject {
  const call = currentCall.getStore();
  return call?.plugin === plugin ? { plugin, call: call.id } : { plugin };
}
