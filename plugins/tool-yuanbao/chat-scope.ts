import { ToolFailure, type ChatPost, type Egress, type Risk } from "hermes-agent/plugin";
import { PLATFORM } from "./yuanbao-service.ts";

export type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

/** The chat of a conversation, as `group:CODE` or `direct:ACCOUNT`. */
export function ownChat({ chat }: Speaker): string | undefined {
  return chat?.platform === PLATFORM ? chat.chat_id : undefined;
}

export function ownGroup(speaker: Speaker): string | undefined {
  return /^group:(.+)$/.exec(ownChat(speaker) ?? "")?.[1];
}

/** A bare account means a direct chat. @throws {ToolFailure} for an invalid chat. */
export function chatOf(given: string): string {
  const chat = given.trim();
  if (/^(group|direct):[^\s:]+$/.test(chat)) return chat;
  if (/^[^\s:]+$/.test(chat)) return `direct:${chat}`;
  throw new ToolFailure("bad_arguments", `"${chat.slice(0, 60)}" is not a Yuanbao chat.`, {
    hint: "Use group:CODE or direct:ACCOUNT.",
  });
}

/**
 * The bot sees groups that this conversation's members may not. @throws {ToolFailure} for another chat if the
 * conversation is not the owner's.
 */
export function keepToOwnPlace(chat: string | undefined, speaker: Speaker): void {
  if (speaker.whose === undefined || (chat !== undefined && chat === ownChat(speaker))) return;
  throw new ToolFailure(
    "blocked",
    "In a conversation with a user other than the owner, this tool works only in that Yuanbao chat.",
  );
}

/** Asks before sending to another chat than the conversation's own, and shows the content. */
export function riskOfSending(chat: string | undefined, to: string, what: string, speaker: Speaker): Risk | undefined {
  if (chat !== undefined && chat === ownChat(speaker)) return undefined;
  return {
    answer: "ask",
    key: `message to yuanbao:${to}`,
    reasons: [`Sends to ${to} on Yuanbao: ${what}`],
    effects: [],
  };
}

export function reachOfSending(
  chat: string | undefined,
  to: string,
  what: string,
  speaker: Speaker,
): readonly Egress[] {
  return chat !== undefined && chat === ownChat(speaker) ? [] : [{ kind: "send", what: `Yuanbao, ${to}: ${what}` }];
}
