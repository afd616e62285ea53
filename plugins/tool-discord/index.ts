import {
  defineTool,
  type Availability,
  type EnvNeed,
  type JsonSchema,
  type Plugin,
  type Probe,
  type RiskContext,
} from "hermes-agent/plugin";
import { ACTIONS, allowedActions, manifestOf, type Action, type DiscordInput } from "./actions.ts";

const SETTING = "discord.server_actions";
const NEEDS: readonly EnvNeed[] = [
  {
    name: "DISCORD_BOT_TOKEN",
    description: "Token of a Discord bot",
    url: "https://discord.com/developers/applications",
    hosts: ["discord.com", "127.0.0.1", "localhost"],
  },
];
const TEXT: JsonSchema = { type: "string" };
const PROPERTIES: { readonly [name in Exclude<keyof DiscordInput, "action">]: JsonSchema } = {
  guild_id: { type: "string", description: "Server" },
  channel_id: { type: "string", description: "Channel or thread" },
  user_id: TEXT,
  role_id: TEXT,
  message_id: TEXT,
  query: TEXT,
  name: TEXT,
  message: TEXT,
  emoji: { type: "string", description: "The character, or name:id" },
  reason: { type: "string", description: "For the audit log" },
  type: { type: "string", enum: ["text", "voice", "category", "announcement", "forum"] },
  minutes: { type: "integer" },
  limit: { type: "integer", minimum: 1, maximum: 100 },
  before: { type: "string", description: "Message id" },
  after: { type: "string", description: "Message id" },
  auto_archive_duration: { type: "integer", enum: [60, 1440, 4320, 10080], description: "Minutes" },
};

/** discord and discord_admin: use the REST API with the bot's token. */
const register: Plugin = (ctx) => {
  const speaker = async ({ sessionId }: Pick<RiskContext, "sessionId">) => (await ctx.chats()).speaker(sessionId);

  function add(name: Action["tool"], begins: string, summary: string): void {
    const all = allowedActions(name, undefined);
    const used = new Set(
      all.flatMap((action) => [...ACTIONS.get(action)!.needs, ...(ACTIONS.get(action)!.takes ?? [])]),
    );
    ctx.tool(
      defineTool({
        name,
        toolset: name,
        emoji: "🎮",
        summary,
        description: () => `${begins} Actions: ${manifestOf(allowedActions(name, ctx.setting(SETTING)))}.`,
        input: {
          type: "object",
          properties: {
            action: { type: "string", enum: all },
            ...Object.fromEntries(
              Object.entries(PROPERTIES).filter(([property]) => used.has(property as keyof DiscordInput)),
            ),
          } as { readonly action: JsonSchema },
          required: ["action"],
        },
        env: NEEDS,
        needsOneOf: ["env:DISCORD_BOT_TOKEN"],
        timeoutMs: 60_000,
        available: ({ config }: Probe): Availability =>
          allowedActions(name, config(SETTING)).length > 0
            ? { ok: true }
            : { ok: false, reason: `${SETTING} allows none of its actions.` },
        async assess(given, call) {
          const input = given as DiscordInput;
          const { riskOfAct, reachOfAct } = await import("./act-risk.ts");
          const setting = call.config(SETTING);
          const from = await speaker(call);
          return {
            effect: isRead(given) ? "read" : "write",
            touches: [],
            untrusted: isRead(given) && { source: "Discord", host: "discord.com" },
            egress: reachOfAct(name, input, setting, from),
            risk: riskOfAct(name, input, setting, from),
            survey: async (signal) => (await import("./survey-act.ts")).surveyAct(name, input, setting, ctx, signal),
          };
        },
        execute: async (given, call) =>
          (await import("./run-action.ts")).runAction(name, given as DiscordInput, call, ctx),
      }),
    );
  }

  add("discord", "Reads and writes in a Discord server.", "Reads and writes in Discord servers");
  add(
    "discord_admin",
    "Manages a Discord server. list_guilds and list_channels find ids.",
    "Manages Discord servers: channels, roles, moderation",
  );
};

function isRead(given: unknown): boolean {
  return ACTIONS.get((given as DiscordInput).action)?.kind === "reads";
}

export default register;
