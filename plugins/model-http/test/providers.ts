import assert from "node:assert/strict";
import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import register from "../index.ts";

/** The plugin's providers by id, with only these environment variables. */
export function providersOf(
  env: { readonly [name: string]: string },
  load: (name: string) => Promise<unknown> = (name) => assert.fail(`${name} is not installed`),
  warning: (text: string) => void = () => {},
): ReadonlyMap<string, ModelProvider> {
  const providers = new Map<string, ModelProvider>();
  const ctx = {
    env: (name: string) => env[name],
    package: load,
    log: { warning },
    provide: (_slot: string, provider: ModelProvider) => {
      providers.set(provider.id, provider);
      return { [Symbol.dispose]() {} };
    },
  };
  // Only the members that this plugin uses.
  void register(ctx as unknown as PluginContext);
  return providers;
}
