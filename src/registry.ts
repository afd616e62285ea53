export {
  createSeedsRuntime,
  discoverBuiltinTools,
  getToolDefinitions,
  handleFunctionCall,
  registry,
  resolveToolset,
} from "./host/compat/compat-runtime.ts";
export type { FunctionDefinition, SeedsEntry } from "./host/compat/compat-runtime.ts";
