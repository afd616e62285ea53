import type { ContextEngine, PluginContext } from "hermes-agent/plugin";
import { contextContract } from "hermes-agent/testing";
import register from "./index.ts";

async function open(): Promise<ContextEngine> {
  let engine: ContextEngine | undefined;
  await register({ config: {}, register_context_engine: (one: ContextEngine) => ((engine = one), { [Symbol.dispose]: () => {} }) } as unknown as PluginContext);
  return engine!;
}

contextContract("compressor", open, { long: 60 });
