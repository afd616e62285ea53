import assert from "node:assert/strict";
import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import register from "../index.ts";

/** Those that are pinned, from the development's own folder. */
const PACKAGES: { readonly [name: string]: () => Promise<object> } = {
  "@ai-sdk/anthropic": () => import("@ai-sdk/anthropic"),
  "@ai-sdk/google": () => import("@ai-sdk/google"),
  "@ai-sdk/openai": () => import("@ai-sdk/openai"),
  "@ai-sdk/openai-compatible": () => import("@ai-sdk/openai-compatible"),
};

/** What the plugin provides, by id, with these environment variables and nothing else. */
export function providersOf(
  env: { readonly [name: string]: string },
  load: (name: string) => Promise<unknown> = providerPackage,
): ReadonlyMap<string, ModelProvider> {
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

export async function providerPackage(name: string): Promise<object> {
  const load = PACKAGES[name] ?? assert.fail(`${name} is not pinned`);
  return load();
}
