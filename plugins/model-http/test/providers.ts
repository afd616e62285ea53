import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import register from "../index.ts";

/** What the plugin provides, by id, with these environment variables and nothing else; packages are those of the development. */
export function providersOf(env: { readonly [name: string]: string }, load: (name: string) => Promise<unknown> = (name) => import(name)): ReadonlyMap<string, ModelProvider> {
  const providers = new Map<string, ModelProvider>();
  const ctx = {
    env: (name: string) => env[name],
    package: load,
    provide: (_slot: string, provider: ModelProvider) => {
      providers.set(provider.id, provider);
      return { [Symbol.dispose]() {} };
    },
  };
  // Only what this plugin uses of the door.
  void register(ctx as unknown as PluginContext);
  return providers;
}
