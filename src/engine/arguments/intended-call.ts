import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { ToolCallPart } from "../../contract/conversation/part.ts";
import { decodeArguments } from "./decode.ts";

const BRIDGE: ReadonlySet<unknown> = new Set(Object.values(TOOL_BRIDGE));

/** The tool and the arguments that a model's call is about: those that a call over the bridge names, else its own. */
export function meantCall({ tool, args }: Pick<ToolCallPart, "tool" | "args">): Pick<ToolCallPart, "tool" | "args"> {
  if (tool !== TOOL_BRIDGE.call) return { tool, args };
  const written = decodeArguments(args, false);
  // Invalid: leave it to the bridge tool, which reports what is wrong.
  if (!written.ok || typeof written.args["name"] !== "string" || BRIDGE.has(written.args["name"]))
    return { tool, args };
  const inner = written.args["arguments"] ?? {};
  return { tool: written.args["name"], args: typeof inner === "string" ? inner : JSON.stringify(inner) };
}
