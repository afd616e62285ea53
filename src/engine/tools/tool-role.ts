import type { ToolRole } from "../../contract/tools/tool.ts";
import type { ToolEntry } from "../ports.ts";
import type { Registered, Registry } from "./registry.ts";

/** The tool that declares this role; of several, the first by name. */
export function toolWithRole(tools: Registry<ToolEntry>, role: ToolRole): Registered<ToolEntry> | undefined {
  return tools.list().find(({ value }) => value.declaration.role === role);
}
