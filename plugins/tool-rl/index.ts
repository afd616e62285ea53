import type { Plugin } from "hermes-agent/plugin";
import { environmentTools } from "./tools/environment-tools.ts";
import { inferenceTool } from "./tools/inference-tool.ts";
import { trainingTools } from "./tools/training-tools.ts";

/**
 * Trains models with a checkout of tinker-atropos: environments are its Python files; a run is three programs that
 * outlive the agent.
 */
const register: Plugin = (ctx) => {
  for (const tool of [...environmentTools(ctx), ...trainingTools(ctx), inferenceTool(ctx)]) ctx.tool(tool);
};

export default register;
