import { createHash } from "node:crypto";

const MAX = 64;

/**
 * The name for the model: `mcp__SERVER__TOOL`. Replaces anything but letters, digits and `_` by `_`; a name that is too
 * long ends in a digest.
 */
export function mcpToolName(server: string, tool: string): string {
  return fitted(`mcp__${plain(server)}__${plain(tool)}`);
}

/** The form of the name in earlier versions of the original and in its documentation. */
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
