import type { Service } from "../wire/connection.ts";

/** Every service that speaks Anthropic Messages. */
export const MESSAGES_SERVICES: readonly Service[] = [
  {
    id: "anthropic",
    label: "Anthropic",
    aliases: ["claude", "claude-code"],
    keyEnv: ["ANTHROPIC_API_KEY", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    baseUrlEnv: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    defaultModel: "claude-sonnet-4-5",
  },
  {
    id: "minimax",
    label: "MiniMax",
    keyEnv: ["MINIMAX_API_KEY"],
    baseUrlEnv: "MINIMAX_BASE_URL",
    baseUrl: "https://api.minimax.io/anthropic",
    defaultModel: "MiniMax-M2",
  },
  {
    id: "minimax-cn",
    label: "MiniMax (China)",
    keyEnv: ["MINIMAX_CN_API_KEY"],
    baseUrlEnv: "MINIMAX_CN_BASE_URL",
    baseUrl: "https://api.minimaxi.com/anthropic",
    defaultModel: "MiniMax-M2",
  },
];
