import assert from "node:assert/strict";
import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import register from "../index.ts";

/** The pinned packages, from the development dependencies. */
const PACKAGES: { readonly [name: string]: () => Promise<object> } = {
  "@ai-sdk/anthropic": () => import("@ai-sdk/anthropic"),
  "@ai-sdk/google": () => import("@ai-sdk/google"),
  "@ai-sdk/openai": () => import("@ai-sdk/openai"),
  "@ai-sdk/openai-compatible": () => import("@ai-sdk/openai-compatible"),
};

/** The plugin's providers by id, with only these environment variables. */
export function providersOf(
  env: { readonly [name: string]: string },
  load: (name: string) => Promise<unknown> = providerPackage,
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

export async function providerPackage(name: string): Promise<object> {
  const load = PACKAGES[name] ?? assert.fail(`${name} is not pinned`);
  return load();
}
