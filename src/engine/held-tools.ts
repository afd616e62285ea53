import type { HeldTool } from "../contract/held-tool.ts";
import { TOOL_BRIDGE } from "../contract/held-tool.ts";
import type { Json } from "../contract/json.ts";
import type { ToolOffer } from "../contract/model.ts";
import { definitions, type DefinitionPorts } from "./definitions.ts";
import { CORE_TOOLS } from "./toolset-table.ts";

/** Characters of JSON for a token, as the original counts here. */
const CHARS_PER_TOKEN = 4;
const DEFAULT_SHARE = 10;
/** However much a model can read, this is paid for in every request. */
const MOST_TOKENS = 8_000;
const MOST_SOURCES = 20;

const BRIDGE: ReadonlySet<string> = new Set(Object.values(TOOL_BRIDGE));
const CORE: ReadonlySet<string> = new Set(CORE_TOOLS);

export interface HoldSettings {
  config(path: string): Json | undefined;
  /** Tokens the model can read. */
  readonly contextTokens: number | undefined;
  /** Whose a tool is. */
  sourceOf(name: string): string;
}

/**
 * What a request carries of `offers`. Where all others than the core ones would take more than their share of the model's window, they are
 * held back, and the bridge is offered in their place; where they fit, the bridge is not.
 */
export function holdBack(offers: readonly ToolOffer[], settings: HoldSettings): readonly ToolOffer[] {
  const shown = offers.filter(({ name }) => !BRIDGE.has(name));
  const bridge = offers.filter(({ name }) => BRIDGE.has(name));
  const held = shown.filter(({ name }) => !CORE.has(name));
  if (bridge.length < BRIDGE.size || held.length === 0 || !tooMuch(held, settings)) return shown;
  const sources = [...new Set(held.map(({ name }) => settings.sourceOf(name)))].sort();
  const named = sources.length > MOST_SOURCES ? `${sources.slice(0, MOST_SOURCES).join(", ")} and ${sources.length - MOST_SOURCES} more` : sources.join(", ");
  return [...shown.filter(({ name }) => CORE.has(name)), ...bridge.map((offer) => (offer.name === TOOL_BRIDGE.search ? { ...offer, description: `${offer.description} They come from: ${named}.` } : offer))];
}

function tooMuch(held: readonly ToolOffer[], { config, contextTokens }: HoldSettings): boolean {
  const wish = config("tools.tool_search.enabled");
  if (wish === true || wish === "on") return true;
  if (wish === false || wish === "off") return false;
  const share = config("tools.tool_search.threshold_pct");
  const most = Math.min(MOST_TOKENS, contextTokens === undefined ? MOST_TOKENS : (contextTokens * (typeof share === "number" ? share : DEFAULT_SHARE)) / 100);
  return held.reduce((sum, offer) => sum + JSON.stringify(offer).length, 0) / CHARS_PER_TOKEN >= most;
}

export function isBridge(name: string): boolean {
  return BRIDGE.has(name);
}

/** Whether a session with these tools in its requests may call more than them. */
export function holdsBack(tools: readonly ToolOffer[]): boolean {
  return tools.some(({ name }) => name === TOOL_BRIDGE.call);
}

/** Those of `names` that are available here and not core, whole. Never rejects. */
export async function heldTools(ports: DefinitionPorts, names: Iterable<string>, where: { readonly surface: string; readonly person: boolean }): Promise<readonly HeldTool[]> {
  const { offers } = await definitions(ports, { names: [...names].filter((name) => !CORE.has(name) && !BRIDGE.has(name)), ...where });
  return offers.map((offer) => ({ ...offer, ...sourceOf(ports, offer.name) }));
}

/** Whose a tool is: the server it is reached by, or the plugin. */
export function sourceOf({ tools }: Pick<DefinitionPorts, "tools">, name: string): Pick<HeldTool, "source" | "source_name"> {
  const toolset = tools.get(name)?.declaration.toolset ?? "";
  return toolset.startsWith(SERVER) ? { source: "mcp", source_name: toolset.slice(SERVER.length) } : { source: "plugin", source_name: tools.owner(name) ?? "" };
}

/** Toolsets of MCP servers. */
const SERVER = "mcp-";
