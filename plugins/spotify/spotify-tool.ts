import type { Egress, Json, JsonSchema, PluginContext, ToolDefinition } from "hermes-agent/plugin";
import type { ApiRequest } from "./spotify-api.ts";
import type { Tokens } from "./tokens.ts";

export const TEXT: JsonSchema = { type: "string" };
export const NUMBER: JsonSchema = { type: "integer" };
export const TEXTS: JsonSchema = { type: "array", items: TEXT };
export const PAGE = { limit: NUMBER, offset: NUMBER, market: TEXT };

/** What the plugin gives each of its tools. */
export interface SpotifyPorts {
  readonly ctx: PluginContext;
  /** Access tokens of the Spotify account. The first call loads them from storage. */
  tokens(): Promise<Tokens>;
}

interface SpotifyTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
  /** Actions that only read; every other action changes something. */
  readonly reads: readonly string[];
  request(input: Input): Promise<ApiRequest>;
  /** Default: only ids and numbers are sent. */
  egress?(input: Input): readonly Egress[];
}

/** One tool of a Spotify account: it turns its arguments into a request and sends that. */
export function spotifyTool<Input extends { readonly action?: string }>(
  { ctx, tokens }: SpotifyPorts,
  { name, description, properties, required, reads, request, egress }: SpotifyTool<Input>,
): ToolDefinition<Input, Json> {
  const isRead = ({ action = "search" }: Input): boolean => reads.includes(action);
  return {
    name,
    toolset: "spotify",
    emoji: "🎵",
    description,
    input: { type: "object", properties, required },
    timeoutMs: 60_000,
    available: (probe) =>
      probe.env("SPOTIFY_REFRESH_TOKEN") === undefined
        ? { ok: false, reason: "Not signed in to Spotify. Run: hermes auth spotify login" }
        : { ok: true },
    assess: (given) => ({
      effect: isRead(given) ? "read" : "write",
      touches: [],
      untrusted: isRead(given) && { source: "Spotify" },
      egress: egress?.(given) ?? [],
    }),
    async execute(given, call) {
      const { runRequest } = await import("./run-request.ts");
      return runRequest(given.action ?? "search", await request(given), await tokens(), ctx, call);
    },
  };
}
