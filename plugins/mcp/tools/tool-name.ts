import { createHash } from "node:crypto";
import { plainText } from "./clean-definition.ts";

const MAX = 64;
const DIGEST = 8;

/** Names for the model, by the server's own names. */
export type ToolNames = ReadonlyMap<string, string>;

/**
 * The names for the model of all tools of a server: `mcp__SERVER__TOOL`, each different from all others. A name that
 * would lose what distinguishes it ends in a digest: models accept only letters, digits and `_`, so `file.read` and
 * `file-read` become the same, and nothing is left of `查询天气`.
 * @param options.reserved Names that the server's other tools have.
 * @param options.similar Another server has a similar name, so every name ends in a digest.
 */
export function mcpToolNames(
  server: string,
  tools: readonly string[],
  { reserved = [], similar = false }: { readonly reserved?: readonly string[]; readonly similar?: boolean } = {},
): ToolNames {
  const all = [...new Set([...tools, ...reserved])];
  const sharing = Map.groupBy(all, plain);
  const isUnclear = (tool: string): boolean =>
    plain(tool) !== tool &&
    (/[^\u0020-\u007e]/.test(tool) || !/[a-z\d]/i.test(tool) || sharing.get(plain(tool))!.length > 1);
  return new Map(
    tools.map((tool) => [tool, similar || isUnclear(tool) ? digestedName(server, tool) : mcpToolName(server, tool)]),
  );
}

/** Tools whose names would be the same for the model, in groups. */
export function collisions(tools: readonly string[]): readonly (readonly string[])[] {
  return [...Map.groupBy(new Set(tools), plain).values()].filter((group) => group.length > 1);
}

/** The name of a tool that needs no digest. A name that is too long ends in one nevertheless. */
export function mcpToolName(server: string, tool: string): string {
  return fitted(`mcp__${plain(server)}__${plain(tool)}`);
}

/** A name that no other tool of any server has. */
export function digestedName(server: string, tool: string): string {
  const stem = plain(tool).replaceAll(/_+/g, "_").replaceAll(/^_|_$/g, "") || "tool";
  return `${`mcp__${plain(server)}__${stem}`.slice(0, MAX - DIGEST - 1)}_${digest(`${server}\0${tool}`)}`;
}

/** The form of the name in earlier versions of the original and in its documentation. */
export function shortToolName(server: string, tool: string): string {
  return fitted(`mcp_${plain(server)}_${plain(tool)}`);
}

/** The description with the server's own name, where the model's name does not show it. */
export function describedAs(tool: string, name: string, description: string): string {
  const shown = plainText(tool, 100);
  return name.endsWith(`__${plain(tool)}`) || description.includes(shown)
    ? description
    : `${description} (its name on the server: ${shown})`;
}

export function toolsetName(server: string): string {
  return `mcp-${server}`;
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

function fitted(name: string): string {
  return name.length <= MAX ? name : `${name.slice(0, MAX - DIGEST - 1)}_${digest(name)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST);
}
