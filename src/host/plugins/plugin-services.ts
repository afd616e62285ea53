import { ToolFailure } from "../../contract/failure.ts";
import type { LlmAnswer, LlmRequest, PluginStorage } from "../../contract/plugin.ts";

/** What the agent does for plugins besides taking their registrations. */
export interface PluginServices {
  storage(plugin: string): PluginStorage;
  llm(plugin: string, request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  /** Makes a text the next input of the session that is current. False where none is open. */
  inject(text: string): boolean;
}

/** While a plugin is only asked what it registers. */
export const NO_SERVICES: PluginServices = {
  storage: () => ({ get: notNow, set: notNow, delete: notNow, keys: notNow }),
  llm: notNow,
  inject: () => false,
};

async function notNow(): Promise<never> {
  throw new ToolFailure("unavailable", "That is not to be had while a plugin is being registered; do it when a tool, a hook or a command runs.");
}
