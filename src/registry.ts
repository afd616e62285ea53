export {
  createCompatRuntime,
  discoverBuiltinTools,
  getToolDefinitions,
  handleFunctionCall,
  registry,
  resolveToolset,
} from "./host/compat/compat-runtime.ts";
export type { FunctionDefinition, CompatEntry } from "./host/compat/compat-registry.ts";
