import type { DeferredTool } from "../../contract/tools/deferred-tool.ts";
import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { Json } from "../../contract/common/json.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import { definitions, type DefinitionPorts } from "./definitions.ts";
import { CORE_TOOLS } from "./toolset-table.ts";

/** Characters of JSON for a token, as the original counts here. */
const CHARS_PER_TOKEN = 4;
const DEFAULT_SHARE = 10;
/** However much a model can read, this is paid for in every request. */
const MAX_TOKENS = 8_000;
/** Of all that is carried: with the system prompt, a first request of 3,000 tokens. */
const MAX_CARRIED_TOKENS = 2_200;
const MAX_SOURCES = 20;

const BRIDGE: ReadonlySet<string> = new Set(Object.values(TOOL_BRIDGE));
const CORE: ReadonlySet<string> = new Set(CORE_TOOLS);
/** Core tools for errands that most sessions never have. */
const SELDOM: ReadonlySet<string> = new Set([...CORE_TOOLS.filter((name) => /^(browser|ha)_/.test(name)), "cronjob"]);

export interface DeferSettings {
  config(path: string): Json | undefined;
  /** Tokens the model can read. */
  readonly contextTokens: number | undefined;
  /** The MCP server or plugin that a tool comes from. */
  sourceOf(name: string): string;
}

/**
 * The part of `offers` that a request carries. If the tools outside the core would take more than their share of the
 * model's window, they are deferred; if the rest is still long, rarely used core tools are deferred too. The bridge
 * replaces them. It is not offered if nothing is deferred, or if it would take as many tokens as the deferred tools.
 */
export function deferTools(offers: readonly ToolOffer[], settings: DeferSettings): readonly ToolOffer[] {
  const shown = offers.filter(({ name }) => !BRIDGE.has(name));
  const bridge = offers.filter(({ name }) => BRIDGE.has(name));
  if (bridge.length < BRIDGE.size) return shown;
  const others = shown.filter(({ name }) => !CORE.has(name));
  const spared = tooMuch(others, settings) ? shown.filter(({ name }) => CORE.has(name)) : shown;
  const carried = tooLong(spared, bridge, spared.length < shown.length, settings)
    ? spared.filter(({ name }) => !SELDOM.has(name))
    : spared;
  if (carried.length === shown.length) return shown;
  const saved = new Set(carried);
  const sources = [
    ...new Set(shown.filter((offer) => !saved.has(offer)).map(({ name }) => settings.sourceOf(name))),
  ].sort();
  const named =
    sources.length > MAX_SOURCES
      ? `${sources.slice(0, MAX_SOURCES).join(", ")} and ${sources.length - MAX_SOURCES} more`
      : sources.join(", ");
  return [
    ...carried,
    ...bridge.map((offer) =>
      offer.name === TOOL_BRIDGE.search
        ? { ...offer, description: `${offer.description} They come from: ${named}.` }
        : offer,
    ),
  ];
}

function tooMuch(others: readonly ToolOffer[], { config, contextTokens }: DeferSettings): boolean {
  const request = requestOf(config);
  if (others.length === 0 || request !== undefined) return others.length > 0 && request === true;
  const share = config("tools.tool_search.threshold_pct");
  const most = Math.min(
    MAX_TOKENS,
    contextTokens === undefined
      ? MAX_TOKENS
      : (contextTokens * (typeof share === "number" ? share : DEFAULT_SHARE)) / 100,
  );
  return tokensOf(others) >= most;
}

/** @param paid The bridge is carried already, for others. */
function tooLong(
  spared: readonly ToolOffer[],
  bridge: readonly ToolOffer[],
  paid: boolean,
  { config }: DeferSettings,
): boolean {
  if (requestOf(config) === false || tokensOf(spared) + (paid ? tokensOf(bridge) : 0) <= MAX_CARRIED_TOKENS)
    return false;
  return tokensOf(spared.filter(({ name }) => SELDOM.has(name))) > (paid ? 0 : tokensOf(bridge));
}

/** Hold back always, or never; undefined where it is left to us. */
function requestOf(config: DeferSettings["config"]): boolean | undefined {
  const request = config("tools.tool_search.enabled");
  if (request === true || request === "on") return true;
  return request === false || request === "off" ? false : undefined;
}

function tokensOf(offers: readonly ToolOffer[]): number {
  return offers.reduce((sum, offer) => sum + JSON.stringify(offer).length, 0) / CHARS_PER_TOKEN;
}

export function isBridge(name: string): boolean {
  return BRIDGE.has(name);
}

/** Whether a session with these tools in its requests may call more than them. */
export function defers(tools: readonly ToolOffer[]): boolean {
  return tools.some(({ name }) => name === TOOL_BRIDGE.call);
}

/** Those of `names` that are available here, whole. Never rejects. */
export async function deferredTools(
  ports: DefinitionPorts,
  names: Iterable<string>,
  where: { readonly surface: string; readonly prompter: boolean },
): Promise<readonly DeferredTool[]> {
  const { offers } = await definitions(ports, { names: [...names].filter((name) => !BRIDGE.has(name)), ...where });
  return offers.map((offer) => ({ ...offer, ...sourceOf(ports, offer.name) }));
}

/** The MCP server or plugin that a tool comes from. */
export function sourceOf(
  { tools }: Pick<DefinitionPorts, "tools">,
  name: string,
): Pick<DeferredTool, "source" | "source_name"> {
  const toolset = tools.get(name)?.declaration.toolset ?? "";
  return toolset.startsWith(SERVER)
    ? { source: "mcp", source_name: toolset.slice(SERVER.length) }
    : { source: "plugin", source_name: tools.owner(name) ?? "" };
}

/** Toolsets of MCP servers. */
const SERVER = "mcp-";
