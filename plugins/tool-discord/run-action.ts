import { ToolFailure, type ChatPost, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { Action, DiscordInput } from "./actions.ts";
import { DEEDS } from "./write-actions.ts";
import { askDiscord, type DiscordPorts } from "./discord-api.ts";
import { LOOKS } from "./read-actions.ts";
import { readCall, type ReadInput } from "./read-call.ts";
import { keepToOwnPlace, ownerAlone, type Speaker } from "./chat-scope.ts";

/** Runs one action of a tool. */
export async function runAction(
  tool: Action["tool"],
  given: DiscordInput,
  call: Pick<ToolContext, "config" | "signal" | "sessionId" | "callId">,
  ports: DiscordPorts & { chats(): Promise<ChatPost> },
): Promise<JsonObject> {
  const input = readCall(tool, given, call.config("discord.server_actions"));
  const speaker: Speaker = await (await ports.chats()).speaker(call.sessionId);
  if (tool === "discord_admin") ownerAlone(input, speaker);
  else await keepToOwnPlace(input, speaker, ports, call.signal);
  try {
    const look = LOOKS[input.action];
    if (look !== undefined)
      return look.shown(
        await askDiscord({ method: "GET", ...look.request(input), repeatable: true }, ports, call.signal),
      );
    const deed = DEEDS[input.action]!;
    return deed.result(
      input,
      await askDiscord(deed.request(input, `${call.sessionId}:${call.callId}`, Date.now()), ports, call.signal),
    );
  } catch (cause) {
    throw forbidden(cause, input) ?? cause;
  }
}

/** Adds to a refusal the permission that the bot most likely lacks. */
function forbidden(cause: unknown, { action, of }: ReadInput): ToolFailure | undefined {
  if (!(cause instanceof ToolFailure) || cause.data?.["status"] !== 403) return undefined;
  const hint =
    of.permission === undefined
      ? "The bot lacks a permission to see or do this."
      : `The bot most likely lacks ${of.permission}. A server administrator can grant it.`;
  return new ToolFailure("refused", `${action}: ${cause.message}`, { hint, data: cause.data, from: cause.from, cause });
}
