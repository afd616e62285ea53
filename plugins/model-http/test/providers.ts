import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import register from "../index.ts";

/** What the plugin provides, by id, with these environment variables and nothing else. */
export function providersOf(env: { readonly [name: string]: string }): ReadonlyMap<string, ModelProvider> {
  const providers = new Map<string, ModelProvider>();
  const ctx = {
    env: (name: string) => env[name],
    provide: (_slot: string, provider: ModelProvider) => {
      providers.set(provider.id, provider);
      return { [Symbol.dispose]() {} };
    },
  };
  // Only what this plugin uses of the door.
  void register(ctx as unknown as PluginContext);
  return providers;
}
