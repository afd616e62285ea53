import type { Plugin } from "hermes-agent/plugin";
import { CALCULATE, UNIT_CONVERT } from "./schemas.ts";
import { calculate, unitConvert } from "./tools.ts";

/** The last hundred calls of any tool. */
export const callLog: { readonly tool: string; readonly session: string }[] = [];

const register: Plugin = (ctx) => {
  ctx.register_tool({ name: "calculate", toolset: "calculator", schema: CALCULATE, handler: calculate });
  ctx.register_tool({ name: "unit_convert", toolset: "calculator", schema: UNIT_CONVERT, handler: unitConvert });

  // This hook fires for all tool calls, not just ours.
  ctx.register_hook("post_tool_call", ({ tool_name, task_id }) => {
    callLog.push({ tool: tool_name, session: task_id });
    if (callLog.length > 100) callLog.shift();
    ctx.log.debug(`Tool called: ${tool_name} (session ${task_id})`);
  });
};

export default register;
