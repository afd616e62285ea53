import type { ToolOffer } from "../providers/model.ts";

/**
 * The tools by which a model reaches those that are not in its requests. A call of `call` is a call of the tool it
 * names: hooks, approvals, facts and people see that one.
 */
export const TOOL_BRIDGE = { search: "tool_search", describe: "tool_describe", call: "tool_call" } as const;

/** A tool that a session may call and that its requests do not carry. */
export interface DeferredTool extends ToolOffer {
  readonly source: "mcp" | "plugin";
  /** The server, or the plugin. */
  readonly source_name: string;
}
