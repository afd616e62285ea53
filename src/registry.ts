export {
  createSeedsRuntime,
  discoverBuiltinTools,
  getToolDefinitions,
  handleFunctionCall,
  registry,
  resolveToolset,
} from "./host/seeds/seeds-runtime.ts";
export type { FunctionDefinition, SeedsEntry } from "./host/seeds/seeds-runtime.ts";
