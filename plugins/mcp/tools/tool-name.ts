import { createHash } from "node:crypto";

const MAX = 64;

/** What the model calls it: `mcp__SERVER__TOOL`. Anything but letters, digits and `_` becomes `_`; what is too long ends in a digest of the whole. */
export function mcpToolName(server: string, tool: string): string {
  return fitted(`mcp__${plain(server)}__${plain(tool)}`);
}

/** As earlier versions of the original, and its documents, write the same name. */
export function shortToolName(server: string, tool: string): string {
  return fitted(`mcp_${plain(server)}_${plain(tool)}`);
}

export function toolsetName(server: string): string {
  return `mcp-${server}`;
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

function fitted(name: string): string {
  return name.length <= MAX
    ? name
    : `${name.slice(0, MAX - 9)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
