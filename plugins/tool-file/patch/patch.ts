import type { JsonObject, ToolContext } from "hermes-agent/plugin";
import { modeOf, type PatchInput, type PatchTools } from "./patch-input.ts";

/** Edits files: replaces text in one file, or applies a V4A patch to several. */
export async function patch(input: PatchInput, call: ToolContext, tools: PatchTools): Promise<JsonObject> {
  tools.memory.otherTool(call.taskId);
  if (modeOf(input) === "patch") {
    const { patchFiles } = await import("./patch-files.ts");
    return patchFiles(input, call, tools);
  }
  const { patchReplace } = await import("./patch-replace.ts");
  return patchReplace(input, call, tools);
}
